package dev.rollcall.wire.tls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The contents of the TLS files at one moment, a character for each byte. */
record TlsTexts(String ca, String certificate, String key, String crl) {
  private static final int LARGEST = 64 << 20;

  static TlsTexts of(TlsFiles files) throws TlsProblem {
    return new TlsTexts(
        read(files.ca()),
        read(files.certificate()),
        read(files.key()),
        files.crl().isPresent() ? read(files.crl().get()) : "");
  }

  static String read(Path file) throws TlsProblem {
    try {
      if (Files.size(file) > LARGEST) {
        throw new TlsProblem("TLS file " + file + " is larger than " + LARGEST + " bytes");
      }
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new TlsProblem("cannot read TLS file " + file + ": " + e, e);
    }
  }

  boolean hasCertificateOf(TlsTexts other) {
    return certificate.equals(other.certificate) && key.equals(other.key);
  }

  /** Without what they hold: one of them is a key. */
  @Override
  public String toString() {
    return "TLS files of %d, %d and %d bytes"
        .formatted(ca.length(), certificate.length(), crl.length());
  }
}
