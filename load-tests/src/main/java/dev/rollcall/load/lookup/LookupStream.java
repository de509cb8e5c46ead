package dev.rollcall.load.lookup;

import dev.rollcall.model.Connection;
import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.IdentifyManyRequest;
import dev.rollcall.proto.v1.IdentifyManyResponse;
import dev.rollcall.wire.CallerMapper;
import dev.rollcall.wire.grpc.GrpcChannel;
import io.grpc.stub.StreamObserver;
import io.vertx.core.Future;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;

/** One IdentifyMany on a connection of its own. Asked from one thread; answered on its loop. */
final class LookupStream implements LookupConnection {
  private final GrpcChannel channel;
  private final StreamObserver<IdentifyManyRequest> questions;
  private final CompletableFuture<Void> greeted = new CompletableFuture<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  /**
   * @param answered told the id of every answer, greetings left out
   */
  LookupStream(GrpcChannel channel, LookupTally tally, LongConsumer answered) {
    this.channel = channel;
    this.questions =
        CallerIdServiceGrpc.newStub(channel).identifyMany(new Answers(tally, answered));
  }

  @Override
  public void ask(long id, Connection connection) {
    questions.onNext(
        IdentifyManyRequest.newBuilder()
            .setRequestId(id)
            .setConnection(CallerMapper.toProto(connection))
            .build());
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
    questions.onCompleted();
  }

  @Override
  public Future<Void> close() {
    return channel.close();
  }

  private final class Answers implements StreamObserver<IdentifyManyResponse> {
    private final LookupTally tally;
    private final LongConsumer answered;

    Answers(LookupTally tally, LongConsumer answered) {
      this.tally = tally;
      this.answered = answered;
    }

    @Override
    public void onNext(IdentifyManyResponse response) {
      if (response.getRequestId() == GREETING) {
        greeted.complete(null);
      } else {
        tally.count(response.getAnswer());
        answered.accept(response.getRequestId());
      }
    }

    @Override
    public void onError(Throwable failure) {
      greeted.completeExceptionally(failure);
      ended.completeExceptionally(failure);
    }

    @Override
    public void onCompleted() {
      greeted.completeExceptionally(new IllegalStateException("the gateway ended the stream"));
      ended.complete(null);
    }
  }
}
