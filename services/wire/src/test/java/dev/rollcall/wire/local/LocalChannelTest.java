package dev.rollcall.wire.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.ListenableFuture;
import dev.rollcall.proto.v1.BeginRequest;
import dev.rollcall.proto.v1.GetRequest;
import dev.rollcall.proto.v1.JobServiceGrpc;
import dev.rollcall.proto.v1.ListRequest;
import dev.rollcall.proto.v1.ListResponse;
import dev.rollcall.proto.v1.WatchRequest;
import dev.rollcall.proto.v1.WatchResponse;
import dev.rollcall.wire.grpc.GrpcServices.Listening;
import dev.rollcall.wire.grpc.MessageLimits;
import dev.rollcall.wire.grpc.Peer;
import dev.rollcall.wire.grpc.PeerBounds;
import dev.rollcall.wire.grpc.VertxSettings;
import dev.rollcall.wire.memory.MemoryBudget;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Stubs of grpc-java over frames. */
@Timeout(60)
class LocalChannelTest {
  private static final int MOST = 16 << 10;
  private static final int PATIENCE_SECONDS = 20;

  @TempDir private Path directory;
  private final Vertx vertx = VertxSettings.start(VertxSettings.quiet());
  private final ScriptedJobs jobs = new ScriptedJobs();
  private LocalChannel channel;
  private Listening listening;

  @BeforeEach
  void listen() {
    var memory = new MemoryBudget(8 << 20, 8 << 20, new SimpleMeterRegistry());
    Path socket = directory.resolve("local.sock");
    var bounds = new PeerBounds(memory, (_, _) -> MOST, Peer::account, _ -> Optional.empty());
    listening =
        new LocalServices(vertx, List.of(jobs.bindService()), bounds)
            .listen(socket, "rw-rw-rw-")
            .await();
    channel = new LocalChannel(socket);
  }

  @AfterEach
  void close() {
    listening.close().await();
    vertx.close().await();
  }

  private JobServiceGrpc.JobServiceBlockingStub stub() {
    return JobServiceGrpc.newBlockingStub(channel);
  }

  private static Status refusal(Executable call) {
    return assertThrows(StatusRuntimeException.class, call).getStatus();
  }

  @Test
  void unaryCallsAndStreamsAreAnswered() {
    var job = stub().get(GetRequest.newBuilder().setJobId(42).build()).getJobs(0);
    assertEquals(ScriptedJobs.job(), job);
    var watched = stub().watch(WatchRequest.getDefaultInstance());
    assertEquals(ScriptedJobs.job(), watched.next().getJob());
    assertTrue(!watched.hasNext());
  }

  @Test
  void aRefusalHasItsCodeAndText() {
    Status status = refusal(() -> stub().begin(BeginRequest.getDefaultInstance()));
    assertEquals(Status.Code.PERMISSION_DENIED, status.getCode());
    assertEquals("uid 1001 may not begin a job: root only", status.getDescription());
  }

  @Test
  void theDeadlineEndsACallOnBothSides() throws Exception {
    var stub = stub().withDeadlineAfter(200, TimeUnit.MILLISECONDS);
    Status status = refusal(() -> stub.list(ListRequest.getDefaultInstance()));
    assertEquals(Status.Code.DEADLINE_EXCEEDED, status.getCode());
    assertNotNull(jobs.cancelled.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
  }

  @Test
  void aDeadlineThatHasPassedSendsNothing() throws Exception {
    var stub = stub().withDeadlineAfter(-1, TimeUnit.SECONDS);
    Status status = refusal(() -> stub.get(GetRequest.getDefaultInstance()));
    assertEquals(Status.Code.DEADLINE_EXCEEDED, status.getCode());
    assertInstanceOf(TimeoutException.class, status.getCause());
    assertNull(jobs.gets.poll(100, TimeUnit.MILLISECONDS));
  }

  @Test
  void aCancelledCallEndsAtTheServer() throws Exception {
    ListenableFuture<ListResponse> list =
        JobServiceGrpc.newFutureStub(channel).list(ListRequest.getDefaultInstance());
    assertNotNull(jobs.lists.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
    list.cancel(true);
    assertNotNull(jobs.cancelled.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
  }

  @Test
  void aServerThatIsAwayIsUnavailable() {
    channel = new LocalChannel(directory.resolve("none.sock"));
    Status status = refusal(() -> stub().get(GetRequest.getDefaultInstance()));
    assertEquals(Status.Code.UNAVAILABLE, status.getCode());
    assertTrue(
        String.valueOf(status.getDescription())
            .startsWith("cannot reach " + directory.resolve("none.sock") + ": "),
        status.toString());
  }

  @Test
  void aServerThatStopsEndsItsCalls() throws Exception {
    var list = JobServiceGrpc.newFutureStub(channel).list(ListRequest.getDefaultInstance());
    assertNotNull(jobs.lists.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
    listening.close().await();
    var failure = assertThrows(Exception.class, () -> list.get(20, TimeUnit.SECONDS));
    assertEquals(Status.Code.UNAVAILABLE, Status.fromThrowable(failure).getCode());
  }

  /** Also one that the socket takes only in part. */
  @Test
  void aRequestOverTheLimitIsRefusedInTheServersWords() {
    for (int bytes : new int[] {MOST, MessageLimits.MESSAGE_BYTES}) {
      var large = ListRequest.newBuilder().setNode("x".repeat(bytes)).build();
      Status status = refusal(() -> stub().list(large));
      assertEquals(Status.Code.RESOURCE_EXHAUSTED, status.getCode(), status.toString());
      assertTrue(String.valueOf(status.getDescription()).contains("over the limit of 16384"));
    }
  }

  @Test
  void messagesComeAsTheyAreRequestedAndNothingAfterACancel() throws Exception {
    BlockingQueue<Object> told = new LinkedBlockingQueue<>();
    ClientCall<WatchRequest, WatchResponse> call =
        channel.newCall(JobServiceGrpc.getWatchMethod(), CallOptions.DEFAULT);
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onMessage(WatchResponse message) {
            told.add(message);
          }

          @Override
          public void onClose(Status status, Metadata trailers) {
            told.add(status.getCode());
          }
        },
        new Metadata());
    call.sendMessage(WatchRequest.newBuilder().setUid(10).build());
    call.halfClose();
    assertNull(told.poll(200, TimeUnit.MILLISECONDS));
    call.request(1);
    assertInstanceOf(WatchResponse.class, told.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
    assertNull(told.poll(100, TimeUnit.MILLISECONDS));
    call.cancel("enough", null);
    assertEquals(Status.Code.CANCELLED, told.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
    call.request(1);
    assertNull(told.poll(100, TimeUnit.MILLISECONDS));
    assertNotNull(jobs.cancelled.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
  }
}
