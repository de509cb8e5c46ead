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
  /** The shortest lines of JSON. */
  LINES,
  /** Arrays of JSON in arrays. */
  ARRAYS,
  RANDOM;

  private static final int DEPTH = 95;
  private static final int GROUP = 15;

  static List<String> names() {
    return Stream.of(values()).map(shape -> shape.name().toLowerCase(Locale.ROOT)).toList();
  }

  static Shape of(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
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
      case LINES -> repeated("{}\n".getBytes(StandardCharsets.US_ASCII), count);
      case ARRAYS -> repeated(new byte[] {'['}, count);
      case RANDOM -> random(count);
    };
  }

  private static byte[] repeated(byte[] one, int count) {
    var all = new byte[count / one.length * one.length];
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
    if (count < 6) {
      return new byte[0];
    }
    var letters = new byte[count - 6];
    Arrays.fill(letters, (byte) 'x');
    return written(output -> output.writeByteArray(1, letters));
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
