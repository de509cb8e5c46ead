package dev.rollcall.wire;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.function.Function;

/**
 * A part of a list that is sorted by a key. The token of the next part is the last key told, so it
 * holds at every gateway, and what comes and goes meanwhile shifts nothing.
 *
 * @param after the last key of the part before; empty: from the beginning
 */
public record Page(int size, String after) {
  private static final int MOST = 1000;
  private static final int LONGEST_TOKEN = 1024;

  /** What is in this part, and where the next one begins; empty if there is none. */
  public record Part<T>(List<T> items, String nextToken) {
    public Part {
      items = List.copyOf(items);
    }
  }

  /**
   * @param size as asked for; 0: the most there is
   * @throws BadWordException naming what cannot be
   */
  public static Page of(int size, String token) {
    return of(size, token, MOST);
  }

  /**
   * The same.
   *
   * @param most of a part
   */
  public static Page of(int size, String token, int most) {
    if (size < 0 || size > most) {
      throw new BadWordException(
          "page_size", Integer.toUnsignedString(size) + " is not within 0 and " + most);
    }
    return new Page(size == 0 ? most : size, key(token));
  }

  private static String key(String token) {
    try {
      if (token.length() <= LONGEST_TOKEN) {
        byte[] bytes = Base64.getUrlDecoder().decode(token);
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      }
    } catch (IllegalArgumentException | CharacterCodingException e) {
      // Told below, as of one that is too long.
    }
    throw new BadWordException("page_token", "'" + token + "' is not a next_page_token");
  }

  /**
   * @param key grows from each to the next
   */
  public <T> Part<T> of(List<T> all, Function<T, String> key) {
    int from = after.isEmpty() ? 0 : firstBehind(all, key);
    int to = Math.min(all.size(), from + size);
    String next = to == all.size() ? "" : token(key.apply(all.get(to - 1)));
    return new Part<>(all.subList(from, to), next);
  }

  /** By bisection: a list may be long, and is asked for in many parts. */
  private <T> int firstBehind(List<T> all, Function<T, String> key) {
    int from = 0;
    int to = all.size();
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (key.apply(all.get(middle)).compareTo(after) <= 0) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  private static String token(String key) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(key.getBytes(StandardCharsets.UTF_8));
  }
}
