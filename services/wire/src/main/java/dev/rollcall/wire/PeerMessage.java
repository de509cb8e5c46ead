package dev.rollcall.wire;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Duration;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import com.google.protobuf.UnknownFieldSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks a peer's message before it is kept or forwarded: its size, its texts, and its times, which
 * must fit into JSON and nanoseconds. Unknown fields are dropped, at every depth.
 */
public final class PeerMessage {
  /** UTF-16 units. */
  static final int LONGEST_TEXT = 4_096;

  private PeerMessage() {}

  /**
   * Returns the message without unknown fields.
   *
   * @param field the name of the message, with which a refusal begins
   * @param mostBytes of the message as it came
   * @throws BadWordException naming what cannot be
   */
  @SuppressWarnings("unchecked") // what is made from a builder of T is one
  public static <T extends Message> T of(T message, String field, int mostBytes) {
    checkSize(message, field, mostBytes);
    return (T) checked(message, field);
  }

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

  @SuppressWarnings("ReferenceEquality") // the same object is what was not changed
  private static Message checked(Message message, String field) {
    switch (message) {
      case Timestamp time -> {
        var _ = CallerMapper.instant(time, field);
      }
      case Duration length -> {
        var _ = CallerMapper.duration(length, field);
      }
      default -> {}
    }
    Message.@Nullable Builder other = null;
    if (!message.getUnknownFields().asMap().isEmpty()) {
      other = message.toBuilder().setUnknownFields(UnknownFieldSet.getDefaultInstance());
    }
    for (Map.Entry<FieldDescriptor, Object> each : message.getAllFields().entrySet()) {
      Object value = value(each.getValue(), field + "." + each.getKey().getName());
      if (value != each.getValue()) {
        other = other == null ? message.toBuilder() : other;
        other.setField(each.getKey(), value);
      }
    }
    return other == null ? message : other.build();
  }

  /** The same object where nothing has to go. */
  private static Object value(Object value, String field) {
    return switch (value) {
      case Message message -> checked(message, field);
      case List<?> values -> values(values, field);
      case String text when text.length() > LONGEST_TEXT ->
          throw new BadWordException(
              field, text.length() + " characters are more than " + LONGEST_TEXT);
      default -> value;
    };
  }

  @SuppressWarnings("ReferenceEquality") // as above
  private static List<?> values(List<?> values, String field) {
    List<Object> other = new ArrayList<>(values.size());
    boolean same = true;
    for (int i = 0; i < values.size(); i++) {
      Object checked = value(values.get(i), field + "[" + i + "]");
      same &= checked == values.get(i);
      other.add(checked);
    }
    return same ? values : other;
  }
}
