package dev.rollcall.settings;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.List;
import java.util.TreeSet;

/** Host lists: what is read says its own names, and folding is undone by reading. */
class HostlistFuzzTest {
  /** Of a short text; a list of 65,536 names is a matter of memory, not of reading. */
  private static final int NAMES = 2_000;

  @FuzzTest
  void fuzz(byte[] input) {
    Hostlist list;
    try {
      list = Hostlist.parse(new String(input, UTF_8));
    } catch (IllegalArgumentException e) {
      assertTrue(String.valueOf(e.getMessage()).length() < 400, e.getMessage());
      return;
    }
    assertTrue(list.size() >= 1 && list.size() <= Hostlist.MOST, list::toString);
    if (list.size() <= NAMES) {
      speaksOfItsOwn(list);
    }
  }

  private static void speaksOfItsOwn(Hostlist list) {
    List<String> names = list.names();
    assertEquals(list.size(), names.size());
    for (String name : names) {
      assertTrue(list.contains(name), () -> list + " has no " + name);
    }
    String folded = Hostlist.fold(names);
    assertEquals(new TreeSet<>(names), new TreeSet<>(Hostlist.parse(folded).names()), folded);
  }
}
