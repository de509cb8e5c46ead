package dev.rollcall.wire;

import com.google.protobuf.Duration;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import java.util.List;

/**
 * Checks a peer's message before it is kept or forwarded: its size, its texts, and its times, which
 * must fit into JSON and nanoseconds.
 */
public final class PeerMessage {
  /** UTF-16 units. */
  static final int LONGEST_TEXT = 4_096;

  private PeerMessage() {}

  /**
   * Refuses a message that is too long.
   *
   * @throws BadWordException naming it, its size and the bound
   */
  public static void checkSize(Message message, String field, int mostBytes) {
    int size = message.getSerializedSize();
    if (size > mostBytes) {
      throw new BadWordException(field, size + " bytes are more than " + mostBytes);
    }
  }

  /**
   * Refuses a message with a text or a time that cannot be kept.
   *
   * @param field the name of the message, with which a refusal begins
   * @throws BadWordException naming what cannot be
   */
  public static void check(Message message, String field) {
    message.getAllFields().forEach((each, inside) -> check(inside, field + "." + each.getName()));
  }

  private static void check(Object value, String field) {
    switch (value) {
      case Timestamp time -> {
        var _ = CallerMapper.instant(time, field);
      }
      case Duration length -> {
        var _ = CallerMapper.duration(length, field);
      }
      case Message message -> check(message, field);
      case List<?> values -> {
        for (int i = 0; i < values.size(); i++) {
          check(values.get(i), field + "[" + i + "]");
        }
      }
      case String text when text.length() > LONGEST_TEXT ->
          throw new BadWordException(
              field, text.length() + " characters are more than " + LONGEST_TEXT);
      default -> {}
    }
  }
}
