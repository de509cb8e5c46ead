package dev.rollcall.load.attack;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;

/** The bytes of a message that can cost more memory or time than their number says. */
enum Shape {
  ZEROS,
  /** Unknown groups in groups: two bytes a level. */
  GROUPS,
  /** Unknown fields, each of another number. */
  FIELDS,
  /** Empty entries of field 1, which is often repeated. */
  EMPTY,
  /** One text in field 1. */
  TEXT,
  /** Nested entries of field 1. */
  NESTED,
  /** Entries of field 1 with a name and a number: processes of a node. */
  ENTRIES,
  /** An unknown packed field of the shortest numbers. */
  PACKED,
  /** An unknown field again and again, with a number of ten bytes. */
  VARINTS,
  /** Fields that are 2 GiB long by their length. */
  LENGTHS,
  /** The shortest lines of JSON. */
  LINES,
  /** Valid questions of JSON, a line each. */
  QUESTIONS,
  /** Arrays of JSON in arrays. */
  ARRAYS,
  /** Objects of JSON in objects. */
  OBJECTS,
  /** A text of JSON with an escaped character for each six bytes. */
  ESCAPES,
  /** A number of JSON with so many digits. */
  DIGITS,
  /** Records of TLS without content. */
  RECORDS,
  /** Warnings of TLS. */
  WARNINGS,
  /** Changes of the cipher, which mean nothing in TLS 1.3. */
  CHANGES,
  /** Beginnings of handshakes. */
  HELLO,
  /** The same in records of one byte. */
  HELLO_PIECES,
  /** A beginning of a handshake of 16 MiB. */
  HELLO_ENDLESS,
  RANDOM;

  private static final int DEPTH = 95;
  private static final int GROUP = 15;
  private static final int UNKNOWN_FIELD = 100;
  private static final String QUESTION =
      "{\"requestId\":7,\"connection\":{\"protocol\":\"PROTOCOL_TCP\","
          + "\"local\":{\"address\":\"10.9.0.1\",\"port\":22},"
          + "\"remote\":{\"address\":\"10.9.0.2\",\"port\":40000}}}\n";

  static List<String> names() {
    return Stream.of(values())
        .map(shape -> shape.name().toLowerCase(Locale.ROOT).replace('_', '-'))
        .toList();
  }

  static Shape of(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  /** About so many bytes of it, and never more. */
  byte[] bytes(int count) {
    return switch (this) {
      case ZEROS -> new byte[count];
      case GROUPS -> repeated(group(), count);
      case FIELDS -> fields(count);
      case EMPTY -> repeated(new byte[] {0x0a, 0}, count);
      case TEXT -> text(count);
      case NESTED -> nested(count);
      case ENTRIES -> repeated(new byte[] {0x0a, 5, 0x0a, 1, 'n', 0x10, 7}, count);
      case PACKED -> lengthDelimited(UNKNOWN_FIELD, new byte[Math.max(0, count - 6)], count);
      case VARINTS -> repeated(varint(), count);
      case LENGTHS -> repeated(new byte[] {0x0a, -1, -1, -1, -1, 7}, count);
      case LINES -> repeated("{}\n", count);
      case QUESTIONS -> repeated(QUESTION, count);
      case ARRAYS -> repeated("[", count);
      case OBJECTS -> repeated("{\"a\":", count);
      case ESCAPES -> whole("{\"requestId\":\"", "\\u0000", count);
      case DIGITS -> whole("{\"requestId\":", "9", count);
      case RECORDS -> repeated(TlsRecords.emptyHandshake(), count);
      case WARNINGS -> repeated(TlsRecords.warning(), count);
      case CHANGES -> repeated(TlsRecords.changeOfCipher(), count);
      case HELLO -> repeated(TlsRecords.hello(), count);
      case HELLO_PIECES -> cut(TlsRecords.helloInPieces(), count);
      case HELLO_ENDLESS -> TlsRecords.endlessHello(count);
      case RANDOM -> random(count);
    };
  }

  private static byte[] repeated(String one, int count) {
    return repeated(one.getBytes(StandardCharsets.US_ASCII), count);
  }

  private static byte[] whole(String start, String one, int count) {
    byte[] all = repeated(one, count);
    byte[] first = start.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(first, 0, all, 0, Math.min(first.length, all.length));
    return all;
  }

  private static byte[] varint() {
    var varint = new byte[12];
    Arrays.fill(varint, (byte) -1);
    varint[0] = (byte) (((UNKNOWN_FIELD << 3) & 0x7f) | 0x80);
    varint[1] = UNKNOWN_FIELD >> 4;
    varint[varint.length - 1] = 1;
    return varint;
  }

  private static byte[] repeated(byte[] one, int count) {
    return cut(one, count / one.length * one.length);
  }

  private static byte[] cut(byte[] one, int count) {
    var all = new byte[count];
    for (int i = 0; i < all.length; i++) {
      all[i] = one[i % one.length];
    }
    return all;
  }

  private static byte[] group() {
    var group = new byte[2 * DEPTH];
    Arrays.fill(group, 0, DEPTH, (byte) (GROUP << 3 | 3));
    Arrays.fill(group, DEPTH, 2 * DEPTH, (byte) (GROUP << 3 | 4));
    return group;
  }

  private static byte[] fields(int count) {
    return written(output -> {
      for (int number = 100; output.getTotalBytesWritten() + 6 < count; number++) {
        output.writeUInt32(number, 1);
      }
    });
  }

  private static byte[] text(int count) {
    var letters = new byte[Math.max(0, count - 6)];
    Arrays.fill(letters, (byte) 'x');
    return lengthDelimited(1, letters, count);
  }

  private static byte[] lengthDelimited(int number, byte[] content, int count) {
    return count < 6 ? new byte[0] : written(output -> output.writeByteArray(number, content));
  }

  private static byte[] nested(int count) {
    byte[] inner = {};
    for (int level = 0; level < DEPTH && inner.length + 6 < count; level++) {
      byte[] within = inner;
      inner = written(output -> output.writeByteArray(1, within));
    }
    return inner.length == 0 ? inner : repeated(inner, count);
  }

  private static byte[] random(int count) {
    var bytes = new byte[count];
    new Random(count).nextBytes(bytes);
    return bytes;
  }

  private interface Writing {
    void to(CodedOutputStream output) throws IOException;
  }

  private static byte[] written(Writing writing) {
    var bytes = new ByteArrayOutputStream();
    var output = CodedOutputStream.newInstance(bytes);
    try {
      writing.to(output);
      output.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
