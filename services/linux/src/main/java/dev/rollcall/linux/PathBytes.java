package dev.rollcall.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.nio.file.Path;
import java.util.HexFormat;

/**
 * Gives the bytes of a path as the kernel has them. A Path of the JDK keeps the bytes of what it
 * listed, but its text has a replacement character for each that is no text in this process's
 * locale.
 */
public final class PathBytes {
  private static final char NO_TEXT = '\uFFFD';

  private PathBytes() {}

  public static byte[] of(Path path) {
    return isText(path) ? path.toString().getBytes(UTF_8) : ofUri(path);
  }

  /** The path of these bytes, in any locale. They are an absolute path. */
  public static Path path(byte[] bytes) {
    var uri = new StringBuilder("file://");
    for (byte each : bytes) {
      uri.append(each == '/' ? "/" : "%" + HexFormat.of().toHexDigits(each));
    }
    return Path.of(URI.create(uri.toString()));
  }

  /** Whether the text of the path names the same file: its bytes are text in this locale. */
  public static boolean isText(Path path) {
    return path.toString().indexOf(NO_TEXT) < 0;
  }

  /** The address of these bytes with a NUL behind them, as system calls take names. */
  public static long address(Arena arena, byte[] name) {
    MemorySegment text = arena.allocate(name.length + 1L); // zeroed: the end of the name
    MemorySegment.copy(name, 0, text, JAVA_BYTE, 0, name.length);
    return text.address();
  }

  /** The URI of an absolute path has each byte, and a slash behind a directory's name. */
  private static byte[] ofUri(Path path) {
    byte[] raw = path.toUri().getRawPath().getBytes(ISO_8859_1);
    int end = raw[raw.length - 1] == '/' ? raw.length - 1 : raw.length;
    var bytes = new ByteArrayOutputStream(end);
    for (int at = 0; at < end; at++) {
      if (raw[at] == '%') {
        bytes.write(HexFormat.fromHexDigits(new String(raw, at + 1, 2, ISO_8859_1)));
        at += 2;
      } else {
        bytes.write(raw[at]);
      }
    }
    return bytes.toByteArray();
  }
}
