package dev.rollcall.wire.memory;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.WireFormat;
import dev.rollcall.wire.BadWordException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Counts what one message will have in the heap, by its bytes in the wire format and its type. The
 * estimates are for 64 bits with compressed pointers, and not less than what the objects have.
 */
final class MessageCount {
  /** Deeper than any message nests here. */
  private static final int DEEPEST = 16;

  private static final int OBJECT = 48;
  private static final int FIELD = 16;

  /** A list with room for ten. */
  private static final int LIST = 96;

  private static final int ENTRY = 16;
  private static final int ENTRY_OF_A_MAP = 64;

  private final CodedInputStream bytes;
  private final int most;
  private int entries;
  private long heap;

  /**
   * @param most entries of repeated fields, at all depths together
   */
  MessageCount(byte[] bytes, int most) {
    this.bytes = CodedInputStream.newInstance(bytes);
    this.most = most;
  }

  /**
   * Returns the most bytes that the message has in the heap when it was parsed.
   *
   * @throws BadWordException for too many entries, too deep a nesting, or a group
   * @throws IOException if the bytes are no message
   */
  long of(Descriptor type) throws IOException {
    message(type, type.getName(), 0);
    return heap;
  }

  private void message(Descriptor type, String name, int depth) throws IOException {
    if (depth > DEEPEST) {
      throw new BadWordException(name, "it nests deeper than " + DEEPEST);
    }
    heap += OBJECT + (long) FIELD * type.getFields().size();
    int before = 0;
    for (int tag = bytes.readTag(); tag != 0; tag = bytes.readTag()) {
      int number = WireFormat.getTagFieldNumber(tag);
      int wire = WireFormat.getTagWireType(tag);
      @Nullable FieldDescriptor field = type.findFieldByNumber(number);
      if (wire == WireFormat.WIRETYPE_START_GROUP) {
        throw new BadWordException(name, "field " + number + " is a group, which no message has");
      }
      if (field == null) {
        var _ = bytes.skipField(tag);
      } else {
        heap += field.isRepeated() && number != before ? LIST : 0;
        known(field, tag, wire, depth);
      }
      before = number;
    }
  }

  private void known(FieldDescriptor field, int tag, int wire, int depth) throws IOException {
    boolean packed = wire == WireFormat.WIRETYPE_LENGTH_DELIMITED && field.isPackable();
    entries(field, field.isRepeated() && !packed ? 1 : 0);
    if (wire != WireFormat.WIRETYPE_LENGTH_DELIMITED) {
      var _ = bytes.skipField(tag);
      return;
    }
    int length = bytes.readRawVarint32();
    int limit = bytes.pushLimit(length);
    switch (field.getJavaType()) {
      case MESSAGE -> {
        heap += field.isMapField() ? ENTRY_OF_A_MAP : 0;
        message(field.getMessageType(), field.getName(), depth + 1);
      }
      case STRING, BYTE_STRING -> {
        heap += OBJECT + 2L * length; // text may have two bytes for each character
        bytes.skipRawBytes(length);
      }
      default -> {
        if (packed) {
          packed(field);
        } else {
          bytes.skipRawBytes(length); // no number: the parser takes it for an unknown field
        }
      }
    }
    bytes.popLimit(limit);
  }

  private void packed(FieldDescriptor field) throws IOException {
    while (!bytes.isAtEnd()) {
      entries(field, 1);
      switch (field.getLiteType()) {
        case FIXED32, SFIXED32, FLOAT -> bytes.skipRawBytes(Integer.BYTES);
        case FIXED64, SFIXED64, DOUBLE -> bytes.skipRawBytes(Long.BYTES);
        default -> {
          var _ = bytes.readRawVarint64();
        }
      }
    }
  }

  private void entries(FieldDescriptor field, int more) {
    entries += more;
    heap += (long) ENTRY * more;
    if (entries > most) {
      throw new BadWordException(
          field.getName(),
          "field %d: the repeated fields of a %s have more than %d entries"
              .formatted(field.getNumber(), field.getContainingType().getName(), most));
    }
  }
}
