package dev.rollcall.wire.grpc.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.wire.memory.HeldMemory;
import dev.rollcall.wire.memory.MemoryBudget;
import dev.rollcall.wire.memory.PeerConnections;
import dev.rollcall.wire.memory.PeerKind;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that come at once on one connection, behind the handler that looks at their frames. */
class RequestsPerTurnTest {
  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final int REQUESTS = 5 * RequestsPerTurn.REQUESTS;
  private static final int FRAME = 9 + 100;

  private final EmbeddedChannel channel =
      new EmbeddedChannel(new FrameCredit(_ -> {}), new Reader());
  private final List<Integer> turns = new ArrayList<>();
  private final ByteBuf passed = Unpooled.buffer();

  /** Notes what comes until others have a turn. */
  private final class Reader extends ChannelInboundHandlerAdapter {
    private final AtomicInteger inTurn = new AtomicInteger();

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ByteBuf bytes = (ByteBuf) message;
      if (inTurn.getAndAdd(bytes.readableBytes()) == 0) {
        context.executor().execute(() -> turns.add(inTurn.getAndSet(0)));
      }
      passed.writeBytes(bytes);
      bytes.release();
    }
  }

  private static ByteBuf requests() {
    ByteBuf bytes = Unpooled.buffer();
    for (int i = 0; i < REQUESTS; i++) {
      bytes.writeMedium(FRAME - 9).writeByte(FrameHeaders.HEADERS).writeByte(5);
      bytes.writeInt(2 * i + 1).writeZero(FRAME - 9);
    }
    return bytes;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, FRAME, 20 * FRAME, REQUESTS * FRAME})
  void othersHaveTurnsBetweenThem(int piece) {
    ByteBuf all = Unpooled.wrappedBuffer(Unpooled.wrappedBuffer(PREFACE), requests());
    ByteBuf sent = all.retainedDuplicate();
    channel.writeInbound(all.readRetainedSlice(PREFACE.length));
    turns.clear();
    while (all.isReadable()) {
      // As one read of a channel, however many messages a handler before it makes of that.
      channel
          .pipeline()
          .fireChannelRead(all.readRetainedSlice(Math.min(piece, all.readableBytes())));
    }
    channel.pipeline().fireChannelReadComplete();
    assertFalse(channel.config().isAutoRead(), "nothing more is read");
    channel.runPendingTasks();
    assertFalse(channel.config().isAutoRead(), "bytes of others are looked for between the turns");
    for (int i = 0; i < REQUESTS && !channel.config().isAutoRead(); i++) {
      channel.runPendingTasks();
    }
    assertTrue(channel.config().isAutoRead());
    assertTrue(turns.size() >= 5, turns::toString);
    assertTrue(
        turns.stream().allMatch(bytes -> bytes <= RequestsPerTurn.REQUESTS * FRAME),
        turns::toString);
    assertEquals(ByteBufUtil.hexDump(sent), ByteBufUtil.hexDump(passed), "all, in order");
  }

  @Test
  void whatWaitsIsDroppedWithItsConnection() {
    MemoryBudget budget = counted();
    channel.writeInbound(Unpooled.wrappedBuffer(PREFACE));
    ByteBuf bytes = requests();
    int size = bytes.readableBytes();
    channel.pipeline().fireChannelRead(bytes);
    assertTrue(budget.held() > size / 2 && budget.held() <= 2 * size, "it waits, and counts");
    var _ = channel.close();
    runAll();
    assertEquals(0, budget.held());
    assertEquals(0, bytes.refCnt());
    assertTrue(passed.readableBytes() < REQUESTS * FRAME, "it is not passed on");
  }

  @Test
  void smallRequestsThatWaitCountWithTheirObjects() {
    MemoryBudget budget = counted();
    channel.writeInbound(Unpooled.wrappedBuffer(PREFACE));
    ByteBuf bytes = requests();
    for (int i = 0; i < RequestsPerTurn.REQUESTS + 3; i++) {
      channel.pipeline().fireChannelRead(bytes.readBytes(FRAME));
    }
    assertEquals(4 * (256 + FRAME), budget.held(), "three, and the rest of one");
    bytes.release();
    runAll();
    assertEquals(0, budget.held());
  }

  @Test
  void aConnectionIsClosedIfItsPeerMayLetNoMoreWait() {
    MemoryBudget budget = counted();
    channel.writeInbound(Unpooled.wrappedBuffer(PREFACE));
    for (int i = 0; i < 3; i++) {
      channel.pipeline().fireChannelRead(requests());
    }
    assertFalse(channel.isOpen());
    runAll();
    assertEquals(0, budget.held());
  }

  /** The channel's peer has room for some of {@link #requests}. */
  private MemoryBudget counted() {
    long bytes = 2L * REQUESTS * FRAME;
    var budget = new MemoryBudget(bytes, bytes, new SimpleMeterRegistry());
    new EmbeddedChannel(new AcceptedConnection.Each(new PeerConnections())).writeInbound(channel);
    assertTrue(AcceptedConnection.count(channel, new HeldMemory(budget, "peer")));
    return budget;
  }

  private void runAll() {
    for (int i = 0; i < 2 * REQUESTS; i++) {
      channel.runPendingTasks();
    }
  }

  @Test
  void noneIsPassedOnWhileAnswersWait() {
    channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(10, 20));
    channel.writeInbound(Unpooled.wrappedBuffer(PREFACE));
    passed.clear();
    var _ = channel.write(Unpooled.wrappedBuffer(new byte[100]));
    assertFalse(channel.config().isAutoRead(), "an answer waits");
    channel.pipeline().fireChannelRead(requests());
    channel.pipeline().fireChannelReadComplete();
    runAll();
    assertEquals(0, passed.readableBytes());
    channel.flushOutbound();
    runAll();
    assertTrue(channel.config().isAutoRead(), "the answer was read");
    assertEquals(REQUESTS * FRAME, passed.readableBytes());
  }

  @Test
  void noneIsPassedOnWhileMemoryIsShortForItsPeer() throws Exception {
    var connections = new PeerConnections();
    var listening = new EmbeddedChannel(new AcceptedConnection.Each(connections));
    listening.writeInbound(channel);
    channel.writeInbound(Unpooled.wrappedBuffer(PREFACE));
    passed.clear();
    connections.refuse(PeerKind.STRANGER, "short");
    channel.pipeline().fireChannelRead(requests());
    channel.pipeline().fireChannelReadComplete();
    runAll();
    assertEquals(0, passed.readableBytes());
    assertFalse(channel.config().isAutoRead());
    connections.admitAll();
    channel.advanceTimeBy(100, TimeUnit.MILLISECONDS);
    runAll();
    assertTrue(channel.config().isAutoRead());
    assertEquals(REQUESTS * FRAME, passed.readableBytes());
  }

  /** A buffer as TLS makes it of a small record, which has the begin of one more frame. */
  private static ByteBuf roomy() {
    ByteBuf bytes = requests();
    return Unpooled.buffer(100 * bytes.readableBytes()).writeBytes(bytes).writeByte(0);
  }

  @Test
  void whatWaitsTakesWhatIsInIt() {
    channel.writeInbound(Unpooled.wrappedBuffer(PREFACE));
    passed.clear();
    ByteBuf first = roomy();
    ByteBuf second = roomy().skipBytes(1);
    channel.pipeline().fireChannelRead(first);
    channel.pipeline().fireChannelRead(second);
    channel.pipeline().fireChannelReadComplete();
    assertEquals(0, first.refCnt(), "it waits in a smaller one");
    assertEquals(0, second.refCnt());
    runAll();
    runAll();
    assertEquals(2 * REQUESTS * FRAME, passed.readableBytes());
  }
}
