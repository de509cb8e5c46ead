package dev.rollcall.wire.grpc.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.wire.grpc.limit.WholeFrames.Framing;
import dev.rollcall.wire.memory.HeldMemory;
import dev.rollcall.wire.memory.MemoryBudget;
import dev.rollcall.wire.memory.PeerConnections;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames that come in pieces, as the decoder behind gets them. */
class WholeFramesTest {
  private static final int SHARE = 40 << 10;
  private static final int[] SIZES = {0, 1, 300, 16 << 10, 0, 5};

  private final MemoryBudget budget = new MemoryBudget(SHARE, SHARE, new SimpleMeterRegistry());
  private final HeldMemory memory = new HeldMemory(budget, "peer");

  private EmbeddedChannel channel(Framing framing) {
    var channel = new EmbeddedChannel(new WholeFrames(framing, _ -> {}));
    new EmbeddedChannel(new AcceptedConnection.Each(new PeerConnections())).writeInbound(channel);
    return channel;
  }

  private static ByteBuf frame(Framing framing, int length, int sent) {
    ByteBuf bytes = Unpooled.buffer();
    if (framing == Framing.TLS_RECORDS) {
      bytes.writeByte(22).writeShort(0x0303).writeShort(length);
    } else {
      bytes.writeMedium(length).writeByte(0).writeByte(0).writeInt(1);
    }
    return bytes.writeBytes(new byte[sent]);
  }

  private static ByteBuf frame(Framing framing, int length) {
    return frame(framing, length, length);
  }

  private static ByteBuf frames(Framing framing) {
    ByteBuf all = Unpooled.buffer();
    for (int size : SIZES) {
      all.writeBytes(frame(framing, size));
    }
    return all;
  }

  private static List<ByteBuf> passed(EmbeddedChannel channel) {
    List<ByteBuf> passed = new ArrayList<>();
    for (ByteBuf each = channel.readInbound(); each != null; each = channel.readInbound()) {
      passed.add(each);
    }
    return passed;
  }

  /** The bytes of each end where a frame does. */
  private static void assertWhole(Framing framing, List<ByteBuf> passed) {
    List<Integer> ends = new ArrayList<>();
    int end = 0;
    for (int size : SIZES) {
      end += frame(framing, size).readableBytes();
      ends.add(end);
    }
    int at = 0;
    for (ByteBuf each : passed) {
      at += each.readableBytes();
      assertTrue(ends.contains(at), at + " is within one of " + ends);
    }
  }

  @ParameterizedTest
  @EnumSource
  void comeWholeAndInOrderWhateverThePiecesAre(Framing framing) {
    ByteBuf all = frames(framing);
    for (int piece = 1; piece <= all.readableBytes(); piece = piece * 3 / 2 + 1) {
      EmbeddedChannel channel = channel(framing);
      assertTrue(AcceptedConnection.count(channel, memory));
      ByteBuf left = all.duplicate();
      while (left.isReadable()) {
        channel.writeInbound(left.readRetainedSlice(Math.min(piece, left.readableBytes())));
      }
      List<ByteBuf> passed = passed(channel);
      assertWhole(framing, passed);
      assertEquals(
          ByteBufUtil.hexDump(all),
          ByteBufUtil.hexDump(Unpooled.wrappedBuffer(passed.toArray(ByteBuf[]::new))));
      assertEquals(0, budget.held(), "nothing waits");
      passed.forEach(ByteBuf::release);
      assertFalse(channel.finish());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aPartCountsForItsPeerUntilItIsWhole(Framing framing) {
    EmbeddedChannel channel = channel(framing);
    channel.writeInbound(frame(framing, 16 << 10, 100));
    assertEquals(0, budget.held(), "its peer is not known");
    assertTrue(AcceptedConnection.count(channel, memory));
    assertTrue(budget.held() >= 100 && budget.held() < 200, () -> "held " + budget.held());
    for (int sent = 101; sent < 16 << 10; sent++) {
      channel.writeInbound(Unpooled.wrappedBuffer(new byte[1]));
      assertTrue(budget.held() >= sent && budget.held() <= 2 * sent + 200);
    }
    assertNull(channel.readInbound());
    channel.writeInbound(Unpooled.wrappedBuffer(new byte[1]));
    assertEquals(0, budget.held());
    channel.<ByteBuf>readInbound().release();
    channel.writeInbound(frame(framing, 100, 50));
    assertTrue(budget.held() > 0);
    var _ = channel.close();
    channel.runPendingTasks();
    assertEquals(0, budget.held(), "it went with its connection");
  }

  @ParameterizedTest
  @EnumSource
  void aConnectionIsClosedWhenItsPeerHoldsTooMuch(Framing framing) {
    List<EmbeddedChannel> channels = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      EmbeddedChannel channel = channel(framing);
      channels.add(channel);
      assertTrue(AcceptedConnection.count(channel, memory));
      channel.writeInbound(frame(framing, 16 << 10, 15 << 10));
    }
    assertEquals(2, channels.stream().filter(EmbeddedChannel::isOpen).count());
    channels.forEach(channel -> assertNull(channel.readInbound()));
  }

  @Test
  void whatAConnectionHeldBeforeHasToFit() {
    List<EmbeddedChannel> channels = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      EmbeddedChannel channel = channel(Framing.TLS_RECORDS);
      channels.add(channel);
      channel.writeInbound(frame(Framing.TLS_RECORDS, 16 << 10, 15 << 10));
    }
    long fit =
        channels.stream().filter(channel -> AcceptedConnection.count(channel, memory)).count();
    assertEquals(2, fit);
    channels.forEach(EmbeddedChannel::finishAndReleaseAll);
    assertEquals(0, budget.held());
  }

  @Test
  void aFrameOfHttp2ThatIsTooLongPassesAndIsNotKept() {
    for (int sent : new int[] {0, 1, 100}) {
      EmbeddedChannel channel = channel(Framing.HTTP2);
      ByteBuf bytes = frame(Framing.HTTP2, (16 << 10) + 1, sent);
      int size = bytes.readableBytes();
      channel.writeInbound(bytes.readRetainedSlice(2));
      channel.writeInbound(bytes);
      channel.writeInbound(Unpooled.wrappedBuffer(new byte[7]));
      assertEquals(size + 7, passed(channel).stream().mapToInt(ByteBuf::readableBytes).sum());
    }
  }

  /** For each of them Netty's handler of TLS would wait, for up to 64 KiB, after any handshake. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "1603034801",
        "17030348ff",
        "1703ffffff", // longer than any
        "16fefd0008",
        "17feff0008",
        "1601010008", // DTLS, and another's TLS
        "8080030100",
        "ff80030100",
        "0001020304",
        "1903030001", // SSL 2.0, and other types
      })
  void whatIsNoTlsRecordEndsItsConnectionAtOnce(String header) {
    for (boolean first : new boolean[] {true, false}) {
      for (int piece : new int[] {1, 5}) {
        EmbeddedChannel channel = channel(Framing.TLS_RECORDS);
        if (!first) {
          channel.writeInbound(frame(Framing.TLS_RECORDS, 10));
          channel.<ByteBuf>readInbound().release();
        }
        ByteBuf bytes = Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(header + "00"));
        while (channel.isOpen() && bytes.isReadable()) {
          int size = Math.min(piece, bytes.readableBytes());
          channel.pipeline().fireChannelRead(bytes.readRetainedSlice(size));
        }
        assertFalse(channel.isOpen());
        assertNull(channel.readInbound());
      }
    }
  }

  /** The JDK takes an alert for a warning also before the handshake. */
  @Test
  void recordsThatBeginWithAnotherThanTheHandshakeAreKeptWhole() {
    EmbeddedChannel channel = channel(Framing.TLS_RECORDS);
    channel.writeInbound(Unpooled.wrappedBuffer(new byte[] {21, 3, 1, 0, 2, 1, 90}));
    channel.<ByteBuf>readInbound().release();
    channel.writeInbound(frame(Framing.TLS_RECORDS, 100, 50));
    assertNull(channel.readInbound(), "it is not whole");
    channel.finishAndReleaseAll();
  }

  @Test
  void clearTextPasses() {
    EmbeddedChannel channel = channel(Framing.TLS_RECORDS);
    channel.writeInbound(Unpooled.wrappedBuffer("GE".getBytes()));
    channel.writeInbound(Unpooled.wrappedBuffer(new byte[] {22, 3}));
    assertEquals(4, passed(channel).stream().mapToInt(ByteBuf::readableBytes).sum());
  }
}
