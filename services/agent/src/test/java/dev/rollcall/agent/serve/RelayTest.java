package dev.rollcall.agent.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.agent.TestNode;
import dev.rollcall.agent.event.GatewayState;
import dev.rollcall.agent.event.Queries;
import dev.rollcall.model.allocation.EnvironmentAllowList;
import dev.rollcall.proto.v1.Job;
import dev.rollcall.proto.v1.JobServiceGrpc;
import dev.rollcall.proto.v1.ListRequest;
import dev.rollcall.proto.v1.ListResponse;
import dev.rollcall.proto.v1.WatchRequest;
import dev.rollcall.proto.v1.WatchResponse;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.wire.grpc.GrpcChannel;
import dev.rollcall.wire.grpc.GrpcServices;
import dev.rollcall.wire.grpc.GrpcServices.Certificates;
import dev.rollcall.wire.grpc.KeepAlive;
import dev.rollcall.wire.grpc.PeerBounds;
import dev.rollcall.wire.local.LocalChannel;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A stream of the gateway, passed on to a client at agent.sock. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RelayTest {
  private static final int MESSAGES = 1_000;
  private static final WatchResponse MESSAGE =
      WatchResponse.newBuilder().setJob(Job.newBuilder().setUser("x".repeat(16_000))).build();

  private final AtomicInteger sent = new AtomicInteger();
  private final AtomicInteger heard = new AtomicInteger();
  private TestNode node;
  private GrpcServices.Listening gateway;
  private LocalChannel channel;

  /** A gateway that has much to say. */
  private final class Talker extends JobServiceGrpc.JobServiceImplBase {
    @Override
    public void watch(WatchRequest request, StreamObserver<WatchResponse> observer) {
      var stream = (ServerCallStreamObserver<WatchResponse>) observer;
      stream.setOnReadyHandler(() -> talk(stream));
    }

    private void talk(ServerCallStreamObserver<WatchResponse> stream) {
      while (stream.isReady() && sent.get() < MESSAGES) {
        stream.onNext(MESSAGE);
        if (sent.incrementAndGet() == MESSAGES) {
          stream.onCompleted();
        }
      }
    }

    @Override
    public void list(ListRequest request, StreamObserver<ListResponse> observer) {
      observer.onNext(ListResponse.getDefaultInstance());
      observer.onCompleted();
    }
  }

  /** A client that reads when it is told to. */
  private final class Reader implements ClientResponseObserver<WatchRequest, WatchResponse> {
    private Optional<ClientCallStreamObserver<WatchRequest>> call = Optional.empty();
    private volatile boolean over;

    @Override
    public void beforeStart(ClientCallStreamObserver<WatchRequest> started) {
      started.disableAutoRequestWithInitial(1);
      call = Optional.of(started);
    }

    @Override
    public void onNext(WatchResponse value) {
      heard.incrementAndGet();
    }

    @Override
    public void onError(Throwable cause) {
      throw new AssertionError(cause);
    }

    @Override
    public void onCompleted() {
      over = true;
    }
  }

  @BeforeEach
  void start() throws IOException {
    node = new TestNode().withStages();
    gateway =
        TestNode.await(
            new GrpcServices(
                    node.vertx,
                    List.of(new Talker().bindService()),
                    KeepAlive.CALM,
                    Optional.empty(),
                    PeerBounds.wide())
                .listenTcp("127.0.0.1", 0, Optional.empty(), Certificates.REQUIRED));
    var up =
        GrpcChannel.tcp(node.vertx, "127.0.0.1", gateway.port(), Optional.empty(), KeepAlive.CALM);
    node.bus.answer(
        Queries.GATEWAY_STATE,
        _ -> Future.succeededFuture(new GatewayState.Connected("gate:7450", up)));
    node.deploy(
        new ServeVerticle(
            node.bus,
            node.usersSocket(),
            node.jobs,
            TestNode.IDENTITY.node(),
            uid -> "user" + uid,
            Duration.ofSeconds(7),
            EnvironmentAllowList.DEFAULTS,
            node.users,
            UserMoves.FROM_NO_JOB,
            node.workers,
            TestNode.IS_OWN,
            PeerBounds.agentMemory(node.registry),
            node.registry));
    channel = new LocalChannel(node.directory.resolve("agent.sock"));
  }

  @AfterEach
  void stop() throws IOException {
    TestNode.await(gateway.close());
    node.close();
  }

  @Test
  void whatAClientDoesNotReadStaysAtTheGateway() throws Exception {
    var reader = new Reader();
    node.onLoop(() -> {
      JobServiceGrpc.newStub(channel).watch(WatchRequest.getDefaultInstance(), reader);
      return reader;
    });
    Await.until("the first message came", () -> heard.get() == 1);
    for (int i = 0; i < 50; i++) {
      // Over both connections, so that what is on its way there has come.
      node.onLoop(
              () -> JobServiceGrpc.newFutureStub(channel).list(ListRequest.getDefaultInstance()))
          .get(20, TimeUnit.SECONDS);
    }
    assertTrue(sent.get() < MESSAGES / 2, sent + " of " + MESSAGES + " sent, and one was read");

    reader.call.orElseThrow().request(MESSAGES);
    Await.until("the rest came", () -> reader.over);
    assertEquals(MESSAGES, heard.get());
  }
}
