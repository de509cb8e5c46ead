package dev.rollcall.authority;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;

/** RFC 7468's text around bytes. */
final class Pem {
  private Pem() {}

  static byte[] text(String label, byte[] content) {
    var text = new StringWriter();
    try (var writer = new PemWriter(text)) {
      writer.writeObject(new PemObject(label, content));
    } catch (IOException e) {
      throw new UncheckedIOException(e); // It writes to memory.
    }
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }
}
