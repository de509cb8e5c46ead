package dev.rollcall.linux.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rollcall.model.Endpoint;
import dev.rollcall.model.Protocol;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NetlinkMessageTest {
  private static final int LENGTH = 16 + 72 + 12;

  /** One answer of sock_diag as Linux 6.18 gives it. */
  private static ByteBuffer answer() {
    ByteBuffer bytes = ByteBuffer.allocate(LENGTH).order(ByteOrder.nativeOrder());
    bytes.putInt(0, LENGTH).putShort(4, (short) 20).putInt(8, 77);
    bytes.put(16, (byte) 2).put(17, (byte) 1);
    bytes.order(ByteOrder.BIG_ENDIAN).putShort(20, (short) 50000).putShort(22, (short) 22);
    bytes.put(24, new byte[] {10, 77, 0, 1}).put(40, new byte[] {10, 77, 0, 2});
    bytes.order(ByteOrder.nativeOrder()).putLong(60, 0x1234L).putInt(80, 1001).putInt(84, -2);
    bytes.putShort(88, (short) 12).putShort(90, (short) 21).putLong(92, 4711);
    return bytes;
  }

  @Test
  void anAnswerOfSockDiagIsRead() throws Exception {
    NetlinkMessage message = NetlinkMessage.parse(answer()).getFirst();

    assertEquals(77, message.sequence());
    assertEquals(
        new DiagSocket(
            Protocol.TCP,
            1,
            Endpoint.parse("10.77.0.1:50000"),
            Endpoint.parse("10.77.0.2:22"),
            1001,
            0xfffffffeL,
            0x1234L,
            4711,
            DiagSocket.Families.IPV4),
        DiagSocket.decode(Protocol.TCP, message));
  }

  @Test
  void aDatagramCutAnywhereIsAnErrorAndNotAnAnswer() {
    for (int cut = 1; cut < LENGTH; cut++) {
      ByteBuffer part = answer().limit(cut).slice().order(ByteOrder.nativeOrder());
      assertThrows(MalformedReplyException.class, () -> NetlinkMessage.parse(part), "cut " + cut);
    }
  }

  @Test
  void aMessageShorterThanItsContentsIsAnError() throws Exception {
    for (int length = 16; length < 16 + 72; length++) {
      ByteBuffer bytes = answer().putInt(0, length).limit(length);
      NetlinkMessage message = NetlinkMessage.parse(bytes).getFirst();
      assertThrows(
          MalformedReplyException.class,
          () -> DiagSocket.decode(Protocol.TCP, message),
          "" + length);
    }
  }

  @Test
  void randomDamageEndsInAnAnswerOrAnErrorAndNeverHangs() {
    Random random = new Random(20261120);
    for (int round = 0; round < 20_000; round++) {
      ByteBuffer bytes = answer();
      for (int damage = random.nextInt(1, 8); damage > 0; damage--) {
        bytes.put(random.nextInt(LENGTH), (byte) random.nextInt(256));
      }
      bytes.limit(random.nextInt(LENGTH + 1));
      readAll(bytes);
    }
  }

  private static void readAll(ByteBuffer bytes) {
    try {
      List<NetlinkMessage> messages = NetlinkMessage.parse(bytes);
      for (NetlinkMessage message : messages) {
        DiagSocket.decode(Protocol.TCP, message);
        LocalAddresses.add(message, new HashSet<>(), new HashSet<>());
      }
    } catch (MalformedReplyException e) {
      assertEquals(0, e.getSuppressed().length); // a clear error is one of the two good ends
    }
  }
}
