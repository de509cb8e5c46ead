package dev.rollcall.linux.process;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Optional;

/** {@code /proc/PID/status}, where a process writes its own name above the kernel's lines. */
class ProcessStatusFuzzTest {
  private static final String IDS =
      "\nUmask:\t0022\nUid:\t1000\t1001\t1002\t1003\nGid:\t100\t101\t102\t103\n";

  @FuzzTest
  void fuzz(byte[] input) {
    String text = new String(input, ISO_8859_1);
    ProcessStatus.parse(text);
    // As the kernel writes it.
    String name = text.replace("\\", "\\\\").replace("\n", "\\n").replace("\0", "");
    assertEquals(
        Optional.of(new ProcessStatus(1000, 1001, 100)),
        ProcessStatus.parse("Name:\t" + name + IDS),
        name);
  }
}
