package dev.rollcall.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostlistTest {
  private static final int SEEDS = 400;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          node1                 | node1
          node[1-3]             | node1 node2 node3
          node[01-03,20]        | node01 node02 node03 node20
          node[8-10]            | node8 node9 node10
          node[08-10]           | node08 node09 node10
          node[99-101]          | node99 node100 node101
          node[01-2]            | node01 node02
          rack[1-2]n[01-02]     | rack1n01 rack1n02 rack2n01 rack2n02
          [1-2]                 | 1 2
          n[1-2]-ib             | n1-ib n2-ib
          a,b[1-2],c            | a b1 b2 c
          n[1][2]               | n12
          n[1,1]                | n1 n1
          """)
  void aListIsWrittenOut(String text, String names) {
    Hostlist list = Hostlist.parse(text);
    assertEquals(List.of(names.split(" ")), list.names());
    assertEquals(list.names().size(), list.size());
    assertEquals(text, list.toString());
    list.names().forEach(name -> assertTrue(list.contains(name), name));
  }

  @ParameterizedTest
  @CsvSource({
    "node[01-18], node1",
    "node[01-18], node001",
    "node[1-18], node01",
    "node[01-18], node19",
    "node[01-18], node",
    "node[01-18], node0",
    "node[01-18], Node01",
    "node[01-18], node01x",
    "node[01-18], xnode01",
    "rack[1-2]n[1-4], rack1n",
    "rack[1-2]n[1-4], rack3n1",
    "'n[1-2],m', n3",
    "n[1-2], n1111111111111111111111",
  })
  void whatIsNotInItIsNot(String text, String name) {
    assertFalse(Hostlist.parse(text).contains(name));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ``              | a name is missing
          a,,b            | a name is missing
          a,              | a name is missing
          n[1-2           | 'n[1-2' has a '[' without its ']'
          n1-2]           | 'n1-2]' has a ']' without its '['
          n[[1]]          | 'n[[1]]': '[1' is neither a number nor a range such as 01-18
          n[]             | 'n[]': '' is neither a number nor a range such as 01-18
          n[1,]           | 'n[1,]': '' is neither a number nor a range such as 01-18
          n[1-]           | 'n[1-]': '1-' is neither a number nor a range such as 01-18
          n[a-c]          | 'n[a-c]': 'a-c' is neither a number nor a range such as 01-18
          n[1-2-3]        | 'n[1-2-3]': '1-2-3' is neither a number nor a range such as 01-18
          n[1 - 2]        | 'n[1 - 2]': '1 - 2' is neither a number nor a range such as 01-18
          n[5-4]          | 'n[5-4]': '5-4' goes down
          n[1-010]        | 'n[1-010]': the ends of '1-010' must have the same number of digits
          n*              | 'n*' has a character that node names do not have
          n 1             | 'n 1' has a character that node names do not have
          n{1..3}         | 'n{1..3}' has a character that node names do not have
          n[1-65537]      | 'n[1-65537]' has more than 65536 names
          n[1-9999999999] | 'n[1-9999999999]' has more than 65536 names
          a[1-300]b[1-300] | 'a[1-300]b[1-300]' has more than 65536 names
          n[1-40000],m[1-40000] | 'n[1-40000],m[1-40000]' has more than 65536 names
          """)
  void whatIsNoListIsRefused(String text, String message) {
    var refused = assertThrows(IllegalArgumentException.class, () -> Hostlist.parse(text));
    assertEquals(message, refused.getMessage());
  }

  @Test
  void theMostNamesAreTaken() {
    assertEquals(Hostlist.MOST, Hostlist.parse("n[1-65536]").size());
    assertEquals(Hostlist.MOST, Hostlist.parse("a[1-256]b[1-256]").size());
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4, 60, 20_000})
  void namesBeyondAnyCountAreRefusedAtOnce(int groups) {
    String bomb = "n" + "[1-999999999999999999]".repeat(groups);
    assertThrows(IllegalArgumentException.class, () -> Hostlist.parse(bomb));
  }

  /** With one number in each group a name could be read in very many ways. */
  @Test
  void manyGroupsAreMatchedAtOnce() {
    Hostlist list = Hostlist.parse("n" + "[1,1,11]".repeat(10) + "x");
    assertTrue(list.contains("n" + "1".repeat(17) + "x"));
    assertFalse(list.contains("n" + "1".repeat(17) + "y"));
  }

  @Test
  void aListHasItsNamesAndNoOthers() {
    for (int seed = 0; seed < SEEDS; seed++) {
      var random = new Random(seed);
      String text = list(random);
      Hostlist list = Hostlist.parse(text);
      Set<String> names = new HashSet<>(list.names());
      assertEquals(list.size(), list.names().size(), text);
      names.forEach(name -> assertTrue(list.contains(name), text + " and " + name));
      for (int i = 0; i < 50; i++) {
        String other = near(random, list.names());
        assertEquals(names.contains(other), list.contains(other), text + " and " + other);
      }
    }
  }

  @Test
  void whatIsFoldedHasTheSameNames() {
    for (int seed = 0; seed < SEEDS; seed++) {
      List<String> names = new ArrayList<>(Hostlist.parse(list(new Random(seed))).names());
      Collections.shuffle(names, new Random(seed));
      String folded = Hostlist.fold(names);
      List<String> again = Hostlist.parse(folded).names();
      assertEquals(new HashSet<>(names), new HashSet<>(again), folded);
      assertEquals(again.size(), new HashSet<>(again).size(), folded);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          n3 n1 n2                | n[1-3]
          n08 n09 n10 n12         | n[08-10,12]
          n9 n10 n11              | n[9-11]
          n1 n01 n2 n02           | n[1,01,2,02]
          r1n1 r1n2 r2n1          | r1n[1-2],r2n1
          login n7                | login,n7
          n1-ib n2-ib n1          | n1,n[1-2]-ib
          """)
  void namesAreFolded(String names, String folded) {
    assertEquals(folded, Hostlist.fold(List.of(names.split(" "))));
  }

  private static String list(Random random) {
    var words = new ArrayList<String>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      var word = new StringBuilder(List.of("n", "node", "r1", "x-").get(random.nextInt(4)));
      for (int group = random.nextInt(3); group > 0; group--) {
        word.append('[').append(numbers(random)).append(']');
        word.append(random.nextBoolean() ? "" : List.of("n", "-ib", "1").get(random.nextInt(3)));
      }
      words.add(word.toString());
    }
    return String.join(",", words);
  }

  private static String numbers(Random random) {
    var ranges = new ArrayList<String>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      int low = random.nextInt(120);
      int high = low + random.nextInt(12);
      String form = random.nextBoolean() ? "%d" : "%03d";
      ranges.add(
          random.nextInt(3) == 0 ? form.formatted(low) : (form + "-" + form).formatted(low, high));
    }
    return String.join(",", ranges);
  }

  /** A name of the list with one character changed, added or removed. */
  private static String near(Random random, List<String> names) {
    var name = new StringBuilder(names.get(random.nextInt(names.size())));
    int at = random.nextInt(name.length());
    char c = "0123459n".charAt(random.nextInt(8));
    switch (random.nextInt(3)) {
      case 0 -> name.setCharAt(at, c);
      case 1 -> name.insert(at, c);
      default -> name.deleteCharAt(at);
    }
    return name.toString();
  }
}
