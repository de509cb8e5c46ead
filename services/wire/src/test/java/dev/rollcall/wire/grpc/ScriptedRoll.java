package dev.rollcall.wire.grpc;

import dev.rollcall.proto.roll.v1.ConnectRequest;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import dev.rollcall.proto.roll.v1.RollServiceGrpc;
import dev.rollcall.proto.roll.v1.Welcome;
import io.grpc.Context;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/** A service whose answers a test writes, and which notes how its last stream went. */
public final class ScriptedRoll extends RollServiceGrpc.RollServiceImplBase {
  /** What to do with an event; the welcome is sent before. */
  private final BiConsumer<ConnectRequest, ServerCallStreamObserver<ConnectResponse>> script;

  volatile CompletableFuture<Peer> peer = new CompletableFuture<>();

  /** Completed when the call's gRPC context ends. */
  volatile CompletableFuture<Void> contextEnded = new CompletableFuture<>();

  /** Completed when the service's own cancel handler runs. */
  volatile CompletableFuture<Void> cancelled = new CompletableFuture<>();

  public ScriptedRoll(
      BiConsumer<ConnectRequest, ServerCallStreamObserver<ConnectResponse>> script) {
    this.script = script;
  }

  @Override
  public StreamObserver<ConnectRequest> connect(StreamObserver<ConnectResponse> responses) {
    var stream = (ServerCallStreamObserver<ConnectResponse>) responses;
    CompletableFuture<Void> ended = contextEnded;
    Context.current().addListener(_ -> ended.complete(null), Runnable::run);
    stream.setOnCancelHandler(() -> cancelled.complete(null));
    peer.complete(Peer.current());
    stream.onNext(ConnectResponse.newBuilder().setWelcome(Welcome.getDefaultInstance()).build());
    return new StreamObserver<>() {
      @Override
      public void onNext(ConnectRequest event) {
        script.accept(event, stream);
      }

      @Override
      public void onError(Throwable cause) {}

      @Override
      public void onCompleted() {
        stream.onCompleted();
      }
    };
  }
}
