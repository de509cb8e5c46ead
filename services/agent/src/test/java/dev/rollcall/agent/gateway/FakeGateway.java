package dev.rollcall.agent.gateway;

import dev.rollcall.agent.TestNode;
import dev.rollcall.agent.TestNode.Heard;
import dev.rollcall.proto.roll.v1.ClusterPrefixes;
import dev.rollcall.proto.roll.v1.ConnectRequest;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import dev.rollcall.proto.roll.v1.RollServiceGrpc;
import dev.rollcall.proto.roll.v1.Welcome;
import dev.rollcall.wire.CallerMapper;
import dev.rollcall.wire.PrefixMapper;
import dev.rollcall.wire.grpc.GrpcServices;
import dev.rollcall.wire.grpc.GrpcServices.Certificates;
import dev.rollcall.wire.grpc.KeepAlive;
import dev.rollcall.wire.grpc.PeerBounds;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A gateway that notes what it is told and says what a test has it say, on a real port. */
final class FakeGateway extends RollServiceGrpc.RollServiceImplBase {
  private final Heard<ConnectRequest> events = Heard.empty();
  private final BlockingQueue<StreamObserver<ConnectResponse>> streams =
      new LinkedBlockingQueue<>();
  private final Vertx vertx;
  private GrpcServices.Listening listening;
  private volatile com.google.protobuf.Duration heartbeat =
      CallerMapper.duration(Duration.ofSeconds(5));
  private volatile ClusterPrefixes prefixes = ClusterPrefixes.getDefaultInstance();
  private volatile boolean reads = true;

  FakeGateway(Vertx vertx) {
    this.vertx = vertx;
    this.listening = listen(0);
  }

  private GrpcServices.Listening listen(int port) {
    return TestNode.await(
        new GrpcServices(
                vertx, List.of(bindService()), KeepAlive.CALM, Optional.empty(), PeerBounds.wide())
            .listenTcp("127.0.0.1", port, Optional.empty(), Certificates.REQUIRED));
  }

  /** On the same port again, after a close. */
  void reopen() {
    listening = listen(listening.port());
  }

  @Override
  public StreamObserver<ConnectRequest> connect(StreamObserver<ConnectResponse> orders) {
    orders.onNext(
        ConnectResponse.newBuilder()
            .setWelcome(
                Welcome.newBuilder()
                    .setGateway("fake:1")
                    .setHeartbeat(heartbeat)
                    .setClusterPrefixes(prefixes))
            .build());
    if (!reads) {
      ((ServerCallStreamObserver<ConnectResponse>) orders).disableAutoRequest();
    }
    streams.add(orders);
    return events.observer();
  }

  /** The addresses of nodes that later streams are welcomed with. */
  void prefixes(dev.rollcall.model.ClusterPrefixes nodes) {
    prefixes = PrefixMapper.toProto(nodes);
  }

  /** What later streams are asked for. */
  void heartbeat(Duration every) {
    heartbeat = CallerMapper.duration(every);
  }

  /** The same, which need not be a duration. */
  void heartbeat(com.google.protobuf.Duration every) {
    heartbeat = every;
  }

  /** It reads nothing of later streams. */
  void deaf() {
    reads = false;
  }

  int port() {
    return listening.port();
  }

  ConnectRequest next() {
    return events.next();
  }

  /** The next event of one kind; those before it are passed over. */
  ConnectRequest next(ConnectRequest.EventCase kind) {
    ConnectRequest event = next();
    while (event.getEventCase() != kind) {
      event = next();
    }
    return event;
  }

  boolean hasStream() {
    return !streams.isEmpty();
  }

  void order(ConnectResponse.Builder order) {
    streams.element().onNext(order.build());
  }

  /** Ends the streams that are open; on a busy machine the agent may have given one up before. */
  void cut() {
    for (var stream = streams.poll(); stream != null; stream = streams.poll()) {
      if (!((ServerCallStreamObserver<ConnectResponse>) stream).isCancelled()) {
        stream.onCompleted();
      }
    }
  }

  void close() {
    TestNode.await(listening.close());
  }
}
