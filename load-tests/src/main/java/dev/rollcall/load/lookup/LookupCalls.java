package dev.rollcall.load.lookup;

import dev.rollcall.model.Connection;
import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.CallerIdServiceGrpc.CallerIdServiceStub;
import dev.rollcall.proto.v1.IdentifyRequest;
import dev.rollcall.proto.v1.IdentifyResponse;
import dev.rollcall.wire.CallerMapper;
import dev.rollcall.wire.grpc.GrpcChannel;
import io.grpc.stub.StreamObserver;
import io.vertx.core.Future;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;

/** An Identify for each question, on one connection. */
final class LookupCalls implements LookupConnection {
  private final GrpcChannel channel;
  private final CallerIdServiceStub service;
  private final LookupTally tally;
  private final LongConsumer answered;
  private final CompletableFuture<Void> greeted = new CompletableFuture<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  LookupCalls(GrpcChannel channel, LookupTally tally, LongConsumer answered) {
    this.channel = channel;
    this.service = CallerIdServiceGrpc.newStub(channel);
    this.tally = tally;
    this.answered = answered;
  }

  @Override
  public void ask(long id, Connection connection) {
    service.identify(
        IdentifyRequest.newBuilder().setConnection(CallerMapper.toProto(connection)).build(),
        new OneAnswer(id));
  }

  @Override
  public CompletableFuture<Void> greeted() {
    return greeted;
  }

  @Override
  public CompletableFuture<Void> ended() {
    return ended;
  }

  @Override
  public void finish() {
    ended.complete(null);
  }

  @Override
  public Future<Void> close() {
    return channel.close();
  }

  private final class OneAnswer implements StreamObserver<IdentifyResponse> {
    private final long id;

    OneAnswer(long id) {
      this.id = id;
    }

    @Override
    public void onNext(IdentifyResponse response) {
      if (id == GREETING) {
        greeted.complete(null);
      } else {
        tally.count(response.getAnswer());
        answered.accept(id);
      }
    }

    @Override
    public void onError(Throwable failure) {
      greeted.completeExceptionally(failure);
      ended.completeExceptionally(failure);
    }

    @Override
    public void onCompleted() {}
  }
}
