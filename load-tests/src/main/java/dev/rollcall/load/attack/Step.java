package dev.rollcall.load.attack;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** One operation of an attack: a line of text, as {@code calls /v1/nodes 100 0 ended}. */
record Step(Verb verb, List<String> words) {
  private static final List<Verb> VERBS = List.of(Verb.values());

  Step {
    words = List.copyOf(words);
    if (!verb.accepts(words)) {
      throw new IllegalArgumentException("not an operation of an attack: " + line(verb, words));
    }
  }

  /**
   * @throws IllegalArgumentException naming the line if it is no operation
   */
  static Step parse(String line) {
    List<String> words = List.of(line.strip().split("\\s+"));
    try {
      Verb verb = Verb.valueOf(words.getFirst().toUpperCase(Locale.ROOT));
      return new Step(verb, words.subList(1, words.size()));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("not an operation of an attack: " + line, e);
    }
  }

  static Step draw(Random random) {
    return draw(VERBS.get(random.nextInt(VERBS.size())), random);
  }

  static Step draw(Verb verb, Random random) {
    return new Step(verb, verb.words.stream().map(word -> word.draw(random)).toList());
  }

  /** The same with one other word. */
  Step changed(Random random) {
    if (words.isEmpty()) {
      return draw(random);
    }
    var changed = new ArrayList<>(words);
    int at = random.nextInt(words.size());
    changed.set(at, verb.words.get(at).near(words.get(at), random));
    return new Step(verb, changed);
  }

  String word(int at) {
    return words.get(at);
  }

  int number(int at) {
    return Integer.parseInt(words.get(at));
  }

  private static String line(Verb verb, List<String> words) {
    return (verb.name().toLowerCase(Locale.ROOT) + " " + String.join(" ", words)).strip();
  }

  @Override
  public String toString() {
    return line(verb, words);
  }
}
