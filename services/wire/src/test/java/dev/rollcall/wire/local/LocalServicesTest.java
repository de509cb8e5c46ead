package dev.rollcall.wire.local;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import dev.rollcall.proto.localsocket.v1.CallReply;
import dev.rollcall.proto.localsocket.v1.CallRequest;
import dev.rollcall.proto.v1.GetRequest;
import dev.rollcall.proto.v1.JobServiceGrpc;
import dev.rollcall.proto.v1.ListRequest;
import dev.rollcall.proto.v1.ListResponse;
import dev.rollcall.proto.v1.WatchRequest;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.wire.grpc.GrpcServices.Listening;
import dev.rollcall.wire.grpc.Peer;
import dev.rollcall.wire.grpc.PeerBounds;
import dev.rollcall.wire.grpc.VertxSettings;
import dev.rollcall.wire.memory.MemoryBudget;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What comes to a local socket, byte by byte. */
@Timeout(60)
class LocalServicesTest {
  private static final Path CONTRACT =
      Path.of(System.getProperty("rollcall.home"), "services", "brief", "contract");
  private static final int MOST = 16 << 10;
  private static final long SHARE = 1 << 20;
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @TempDir private Path directory;
  private final Vertx vertx = VertxSettings.start(VertxSettings.quiet());
  private final MemoryBudget memory = new MemoryBudget(SHARE, SHARE, new SimpleMeterRegistry());
  private final ScriptedJobs jobs = new ScriptedJobs();
  private Listening listening;

  @BeforeEach
  void listen() {
    var bounds = new PeerBounds(memory, (_, _) -> MOST, Peer::account, _ -> Optional.empty());
    listening =
        new LocalServices(vertx, List.of(jobs.bindService()), bounds)
            .listen(socket(), "rw-rw-rw-")
            .await();
  }

  @AfterEach
  void close() {
    listening.close().await();
    vertx.close().await();
  }

  private Path socket() {
    return directory.resolve("local.sock");
  }

  private static byte[] golden(String name) throws IOException {
    var hex = new StringBuilder();
    Files.readAllLines(CONTRACT.resolve(name + ".hex"))
        .forEach(line -> hex.append(line.replaceFirst("#.*", "").replace(" ", "")));
    return HexFormat.of().parseHex(hex);
  }

  private static CallRequest request(MethodDescriptor<?, ?> method, ByteString... messages) {
    return CallRequest.newBuilder()
        .setMethod(method.getFullMethodName())
        .addAllMessages(List.of(messages))
        .build();
  }

  private static CallRequest list() {
    return request(JobServiceGrpc.getListMethod(), ListRequest.getDefaultInstance().toByteString());
  }

  private static CallRequest get(long id) {
    return request(
        JobServiceGrpc.getGetMethod(), GetRequest.newBuilder().setJobId(id).build().toByteString());
  }

  private static CallRequest watch(int bytes) {
    return request(
        JobServiceGrpc.getWatchMethod(),
        WatchRequest.newBuilder().setUid(bytes).build().toByteString());
  }

  private static Status.Code code(CallReply reply) {
    return Status.fromCodeValue(reply.getEnd().getCode()).getCode();
  }

  private void awaitNothingHeld() {
    Eventually.await(
        PATIENCE, () -> memory.held() == 0, () -> memory.held() + " bytes are still held");
  }

  @Test
  void repliesAreTheGoldenOnes() throws Exception {
    try (var client = new RawFrames(socket())) {
      assertArrayEquals(golden("reply-one"), client.send(golden("request-get")).frame());
      assertEquals(42, jobs.gets.take().getJobId());
      client.send(request(JobServiceGrpc.getBeginMethod(), ByteString.EMPTY));
      assertArrayEquals(golden("reply-end-denied"), client.frame());
      client.send(watch(0));
      assertArrayEquals(golden("reply-stream-message"), client.frame());
      assertArrayEquals(golden("reply-stream-end"), client.frame());
    }
    awaitNothingHeld();
  }

  @ParameterizedTest
  @CsvSource({
    "0, INVALID_ARGUMENT, a frame of 0 bytes",
    "16385, RESOURCE_EXHAUSTED, a frame of 16385 bytes is over the limit of 16384",
    "2147483648, RESOURCE_EXHAUSTED, a frame of 2147483648 bytes is over the limit of 16384",
    "4294967295, RESOURCE_EXHAUSTED, a frame of 4294967295 bytes is over the limit of 16384"
  })
  void lengthIsRefusedBeforeAnythingIsAllocated(long length, Status.Code code, String text)
      throws Exception {
    try (var client = new RawFrames(socket())) {
      client.send(ByteBuffer.allocate(Integer.BYTES).putInt((int) length).array());
      CallReply reply = client.reply();
      assertEquals(code, code(reply));
      assertTrue(reply.getEnd().getText().contains(text), reply.toString());
      assertTrue(client.isClosed());
    }
    awaitNothingHeld();
  }

  @Test
  void bytesOneByOneHaveFiveSeconds() throws Exception {
    byte[] frame = LocalFrame.of(get(1));
    try (var client = new RawFrames(socket())) {
      long begun = System.nanoTime();
      client.send(new byte[] {frame[0]});
      assertTrue(client.isClosed());
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
      assertTrue(millis > 4_500, millis + " ms");
    }
    awaitNothingHeld();
  }

  @Test
  void frameInPiecesIsRead() throws Exception {
    byte[] frame = LocalFrame.of(get(7));
    try (var client = new RawFrames(socket())) {
      for (byte each : frame) {
        client.send(new byte[] {each});
      }
      assertEquals(Status.Code.OK, code(client.reply()));
    }
  }

  /** A client that closes its side for sending has gone, though it could read. */
  @Test
  void halfClosedConnectionEndsItsCall() throws Exception {
    try (var client = new RawFrames(socket())) {
      client.send(list());
      assertNotNull(jobs.lists.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS));
      client.halfClose();
      assertNotNull(jobs.cancelled.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS));
      assertTrue(client.isClosed());
    }
    awaitNothingHeld();
  }

  @Test
  void nextRequestIsReadWhenTheFirstCallHasEnded() throws Exception {
    try (var client = new RawFrames(socket())) {
      client.send(concat(LocalFrame.of(list()), LocalFrame.of(get(9))));
      var list = list(jobs);
      assertNull(jobs.gets.poll(200, TimeUnit.MILLISECONDS));
      list.onNext(ListResponse.getDefaultInstance());
      list.onCompleted();
      assertTrue(client.reply().hasEnd());
      assertEquals(Status.Code.OK, code(client.reply()));
      assertEquals(9, jobs.gets.take().getJobId());
    }
    awaitNothingHeld();
  }

  private static byte[] concat(byte[] first, byte[] second) {
    return ByteBuffer.allocate(first.length + second.length).put(first).put(second).array();
  }

  private static ServerCallStreamObserver<ListResponse> list(ScriptedJobs jobs)
      throws InterruptedException {
    return requireNonNull(jobs.lists.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS), "no request");
  }

  @Test
  void closedConnectionCancelsItsCallAndDropsWhatIsBehindIt() throws Exception {
    try (var client = new RawFrames(socket())) {
      client.send(concat(LocalFrame.of(list()), new byte[100_000]));
      var _ = list(jobs);
    }
    assertNotNull(jobs.cancelled.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    awaitNothingHeld();
  }

  @Test
  void unknownMethodAndUnreadableRequestLeaveTheConnectionOpen() throws Exception {
    try (var client = new RawFrames(socket())) {
      client.send(CallRequest.newBuilder().setMethod("rollcall.v1.JobService/None").build());
      CallReply unknown = client.reply();
      assertEquals(Status.Code.UNIMPLEMENTED, code(unknown));
      assertEquals("Method not found: rollcall.v1.JobService/None", unknown.getEnd().getText());
      client.send(new byte[] {0, 0, 0, 2, 0x0a, 0x7f}); // a text of 127 bytes that is not there
      assertEquals(Status.Code.INTERNAL, code(client.reply()));
      client.send(get(1));
      assertEquals(Status.Code.OK, code(client.reply()));
    }
    awaitNothingHeld();
  }

  /** Unknown groups, one in the other: 90 times their bytes once they are parsed. */
  private static ByteString groups(int bytes) {
    byte[] groups = new byte[bytes];
    Arrays.fill(groups, 0, bytes / 2, (byte) 0x7b); // field 15 begins a group
    Arrays.fill(groups, bytes / 2, bytes, (byte) 0x7c);
    return ByteString.copyFrom(groups);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 64, 16_000})
  void groupsAreRefusedWhereverTheyAre(int bytes) throws Exception {
    try (var client = new RawFrames(socket())) {
      client.send(request(JobServiceGrpc.getGetMethod(), groups(bytes)));
      assertEquals(Status.Code.INVALID_ARGUMENT, code(client.reply()));
      byte[] frame = groups(bytes).toByteArray();
      client.send(ByteBuffer.allocate(Integer.BYTES).putInt(frame.length).array()).send(frame);
      assertEquals(Status.Code.INVALID_ARGUMENT, code(client.reply()));
    }
    assertTrue(jobs.gets.isEmpty());
    awaitNothingHeld();
  }

  @Test
  void unknownFieldsAreDiscarded() throws Exception {
    var fields = ByteString.fromHex("082a" + "9a0603616263".repeat(1_000)); // field 99: a text
    try (var client = new RawFrames(socket())) {
      client.send(request(JobServiceGrpc.getGetMethod(), fields));
      assertEquals(Status.Code.OK, code(client.reply()));
    }
    assertEquals(GetRequest.newBuilder().setJobId(42).build(), jobs.gets.take());
  }

  @Test
  void emptyEntriesAreBounded() throws Exception {
    byte[] entries = new byte[MOST - 4];
    for (int i = 0; i < entries.length; i += 2) {
      entries[i] = 0x12; // an empty message of the call
    }
    try (var client = new RawFrames(socket())) {
      client.send(ByteBuffer.allocate(Integer.BYTES).putInt(entries.length).array()).send(entries);
      assertEquals(Status.Code.INVALID_ARGUMENT, code(client.reply()));
    }
    awaitNothingHeld();
  }

  @Test
  void streamThatIsNotReadIsClosedWithinSeconds() throws Exception {
    try (var client = new RawFrames(socket())) {
      client.send(watch(10_000));
      assertNotNull(jobs.cancelled.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    }
    awaitNothingHeld();
  }

  @Test
  void answersThatWaitAreOfTheBudget() throws Exception {
    try (var first = new RawFrames(socket());
        var second = new RawFrames(socket())) {
      first.send(list());
      answer(list(jobs), 700_000);
      second.send(list());
      answer(list(jobs), 700_000);
      assertEquals(Status.Code.RESOURCE_EXHAUSTED, code(second.reply()));
      assertTrue(memory.held() > 700_000, memory.held() + " bytes");
      assertEquals(Status.Code.OK, code(first.reply()));
    }
    awaitNothingHeld();
  }

  private static void answer(ServerCallStreamObserver<ListResponse> list, int bytes) {
    list.onNext(
        ListResponse.newBuilder()
            .addJobs(ScriptedJobs.job().toBuilder().setUser("x".repeat(bytes)))
            .build());
    list.onCompleted();
  }

  @Test
  void deadlineOfTheRequestEndsTheCall() throws Exception {
    try (var client = new RawFrames(socket())) {
      client.send(list().toBuilder().setTimeoutMs(50).build());
      assertEquals(Status.Code.DEADLINE_EXCEEDED, code(client.reply()));
      client.send(get(1));
      assertEquals(Status.Code.OK, code(client.reply()));
    }
  }
}
