package dev.rollcall.linux.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProcessStatusTest {
  private static final String IDS =
      "Umask:\t0022\nUid:\t1000\t1001\t1002\t1003\nGid:\t100\t101\t4294967294\t103\nGroups:\t7 \n";
  private static final Optional<ProcessStatus> READ =
      Optional.of(new ProcessStatus(1000, 1001, 100));

  @Test
  void realAndEffectiveIdsAreRead() {
    assertEquals(READ, ProcessStatus.parse("Name:\tsleep\n" + IDS));
    assertEquals(
        Optional.of(new ProcessStatus(-2, -2, 0)),
        ProcessStatus.parse("Uid:\t4294967294\t4294967294\t0\t0\nGid:\t0\t0\t0\t0\n"));
  }

  @Test
  void aNameSaysNothingOfTheIds() {
    for (String name :
        new String[] {
          "\rUid:0 0 0 0",
          "\rUid:\t0\t0\t0\t0",
          "Uid:\t0\t0\t0\t0",
          "\rUid:x",
          "\rGid:\tx",
          "\u00ff"
        }) {
      assertEquals(READ, ProcessStatus.parse("Name:\t" + name + "\n" + IDS), name);
    }
  }

  @Test
  void aTextWithoutBothLinesSaysNothing() {
    assertEquals(Optional.empty(), ProcessStatus.parse(""));
    assertEquals(Optional.empty(), ProcessStatus.parse("Uid:\t0\t0\t0\t0\n"));
    assertEquals(Optional.empty(), ProcessStatus.parse("Uid:\t0\t0\nGid:\t0\t0\t0\t0\n"));
  }
}
