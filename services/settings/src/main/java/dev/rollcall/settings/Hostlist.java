package dev.rollcall.settings;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * A list of node names in Slurm's short form: {@code node[01-18,20],rack[1-2]n[01-04]}. Numbers in
 * brackets keep their leading zeros. Whether a name is in it is told without writing it out.
 */
public final class Hostlist {
  /** Names that one list may have: no cluster has more nodes. */
  public static final int MOST = 65_536;

  private final String text;
  private final List<HostPattern> patterns;
  private final int size;

  private Hostlist(String text, List<HostPattern> patterns, int size) {
    this.text = text;
    this.patterns = patterns;
    this.size = size;
  }

  /**
   * Reads a list.
   *
   * @throws IllegalArgumentException naming what is no list, or has more than {@link #MOST} names
   */
  public static Hostlist parse(String text) {
    List<HostPattern> patterns = new ArrayList<>();
    long size = 0;
    for (String word : words(text)) {
      HostPattern pattern = HostPattern.parse(word);
      size += pattern.size();
      if (size > MOST) {
        throw new IllegalArgumentException(
            "'" + HostPattern.shortened(text) + "' has more than " + MOST + " names");
      }
      patterns.add(pattern);
    }
    return new Hostlist(text, List.copyOf(patterns), (int) size);
  }

  /** Splits at commas outside of brackets. */
  private static List<String> words(String text) {
    List<String> words = new ArrayList<>();
    boolean inside = false;
    int from = 0;
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == ',' && !inside) {
        words.add(text.substring(from, at));
        from = at + 1;
      }
      inside = c == '[' || (inside && c != ']');
    }
    words.add(text.substring(from));
    return words;
  }

  /** Whether it has this name, zeros and case included. */
  public boolean contains(String name) {
    return patterns.stream().anyMatch(pattern -> pattern.matches(name));
  }

  /** How many names it has; one that is there twice counts twice. */
  public int size() {
    return size;
  }

  /** All names in the list's order; one that is there twice is twice here. */
  public List<String> names() {
    List<String> names = new ArrayList<>(size);
    patterns.forEach(pattern -> names.addAll(pattern.names()));
    return names;
  }

  /** The short form of these names, in the order of their letters and numbers. */
  public static String fold(Collection<String> names) {
    return new HostFold(names).text();
  }

  /** As it was read. */
  @Override
  public String toString() {
    return text;
  }
}
