package dev.rollcall.load.attack;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

/** Records of a client that begins to speak TLS 1.3 (RFC 8446, section 5.1), valid or not. */
final class TlsRecords {
  private static final int HEAD = 5;
  private static final byte[] HANDSHAKE = {22, 3, 1};
  private static final byte[] CLIENT_HELLO = {1};
  private static final int LARGEST = 16_384;

  private TlsRecords() {}

  static byte[] emptyHandshake() {
    return record(HANDSHAKE, new byte[0]);
  }

  /** A warning that says that a user cancelled something. */
  static byte[] warning() {
    return record(new byte[] {21, 3, 3}, new byte[] {1, 90});
  }

  static byte[] changeOfCipher() {
    return record(new byte[] {20, 3, 3}, new byte[] {1});
  }

  /** A whole ClientHello, which the server answers with its certificate. */
  static byte[] hello() {
    try {
      SSLEngine engine = ClientTls.anonymous().createSSLEngine("localhost", 1);
      engine.setUseClientMode(true);
      ByteBuffer hello = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
      var _ = engine.wrap(ByteBuffer.allocate(0), hello);
      return Arrays.copyOf(hello.array(), hello.position());
    } catch (GeneralSecurityException | SSLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The same in records of a byte each. */
  static byte[] helloInPieces() {
    var all = new ByteArrayOutputStream();
    byte[] hello = hello();
    for (int i = HEAD; i < hello.length; i++) {
      all.writeBytes(record(HANDSHAKE, new byte[] {hello[i]}));
    }
    return all.toByteArray();
  }

  /** A handshake message of 16 MiB by its length, in the largest records, so many bytes of it. */
  static byte[] endlessHello(int count) {
    var all = new ByteArrayOutputStream();
    byte[] start = Arrays.copyOf(CLIENT_HELLO, LARGEST);
    Arrays.fill(start, 1, 4, (byte) 0xff);
    all.writeBytes(record(HANDSHAKE, start));
    byte[] more = record(HANDSHAKE, new byte[LARGEST]);
    while (all.size() < count) {
      all.writeBytes(more);
    }
    return Arrays.copyOf(all.toByteArray(), count);
  }

  private static byte[] record(byte[] head, byte[] content) {
    return ByteBuffer.allocate(HEAD + content.length)
        .put(head)
        .putShort((short) content.length)
        .put(content)
        .array();
  }
}
