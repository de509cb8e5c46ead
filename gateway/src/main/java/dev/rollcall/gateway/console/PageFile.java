package dev.rollcall.gateway.console;

import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A file of the page.
 *
 * @param tag tells this content from any other, as an ETag of HTTP
 */
record PageFile(Buffer content, String type, String tag) {
  private static final int TAG_BYTES = 16;

  /**
   * Reads it from the resources of this package.
   *
   * @throws IllegalArgumentException if it is not there, or of no type that a page has
   */
  static PageFile read(String name) {
    try (InputStream stream = PageFile.class.getResourceAsStream(name)) {
      if (stream == null) {
        throw new IllegalArgumentException(name + " is not among the resources of the console");
      }
      byte[] bytes = stream.readAllBytes();
      return new PageFile(Buffer.buffer(bytes), type(name), tag(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(name, e);
    }
  }

  private static String type(String name) {
    String end = name.substring(name.lastIndexOf('.') + 1);
    return switch (end) {
      case "html" -> "text/html; charset=utf-8";
      case "css" -> "text/css; charset=utf-8";
      case "js" -> "text/javascript; charset=utf-8";
      case "svg" -> "image/svg+xml";
      default -> throw new IllegalArgumentException(name + ": unknown file name extension");
    };
  }

  private static String tag(byte[] bytes) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return '"' + HexFormat.of().formatHex(digest, 0, TAG_BYTES) + '"';
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
