package dev.rollcall.linux.process;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Optional;

/** {@code /proc/PID/stat}, where a process writes its own name. */
class ProcessStatFuzzTest {
  @FuzzTest
  void fuzz(byte[] input) {
    String text = new String(input, ISO_8859_1);
    Optional<ProcessStat> read = ProcessStat.parse(text);
    read.ifPresent(stat ->
        assertTrue(
            text.startsWith(Integer.toString(stat.pid()))
                || text.startsWith("+")
                || text.startsWith("-")
                || text.startsWith("0"),
            text));
    // Whatever a process calls itself: the fields after the name are the kernel's.
    String name = text.replace('\n', ' ').replace('\0', ' ');
    String line = "42 (" + name + ") S 7 42 41 34816 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 9999 0 0";
    assertEquals(
        Optional.of(new ProcessStat(42, name, 'S', 7, 41, 34816, 9999)),
        ProcessStat.parse(line),
        line);
  }
}
