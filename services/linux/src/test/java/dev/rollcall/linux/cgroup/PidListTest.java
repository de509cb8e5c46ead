package dev.rollcall.linux.cgroup;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PidListTest {
  @Test
  void hasANumberOfEachLine() {
    assertEquals(List.of(1, 4194303, 20), parse("1\n4194303\n20\n", 10));
    assertEquals(List.of(1, 2), parse("1\n2", 10));
    assertEquals(List.of(), parse("", 10));
  }

  @Test
  void leavesOutWhatIsMore() {
    assertEquals(List.of(1, 2), parse("1\n2\n3\n", 2));
  }

  @Test
  void joinsLists() {
    assertEquals(
        List.of(1, 2, 3),
        PidList.concat(List.of(parse("1\n2\n", 9), parse("", 9), parse("3\n", 9))));
  }

  @Test
  void holdsAMillion() {
    int most = 1_000_000;
    String lines =
        IntStream.range(0, most).mapToObj(Integer::toString).collect(Collectors.joining("\n"));
    PidList pids = parse(lines, Integer.MAX_VALUE);
    assertEquals(most, pids.size());
    assertTrue(pids.contains(most - 1));
    assertFalse(pids.contains(most));
  }

  private static PidList parse(String lines, int most) {
    return PidList.parse(lines.getBytes(US_ASCII), most);
  }
}
