package dev.rollcall.settings;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/** Finds the known word that is most similar to an unknown one. */
public final class NearestWord {
  private NearestWord() {}

  /**
   * The known word of which the smallest part is to be added, removed or changed; case does not
   * count.
   */
  public static String to(String word, Collection<String> known) {
    return known.stream()
        .min(Comparator.comparingDouble(one -> difference(lower(word), lower(one))))
        .orElseThrow();
  }

  private static String lower(String word) {
    return word.toLowerCase(Locale.ROOT);
  }

  private static double difference(String a, String b) {
    return (double) distance(a, b) / Math.max(a.length(), b.length());
  }

  private static int distance(String a, String b) {
    int[] before = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      before[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] now = new int[b.length() + 1];
      now[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = before[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        now[j] = Math.min(change, Math.min(before[j], now[j - 1]) + 1);
      }
      before = now;
    }
    return before[b.length()];
  }
}
