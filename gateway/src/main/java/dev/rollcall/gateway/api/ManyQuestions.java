package dev.rollcall.gateway.api;

import dev.rollcall.gateway.limit.Limits;
import dev.rollcall.gateway.route.Identifier;
import dev.rollcall.model.CallerAnswer;
import dev.rollcall.proto.v1.IdentifyManyRequest;
import dev.rollcall.proto.v1.IdentifyManyResponse;
import dev.rollcall.wire.BadWordException;
import dev.rollcall.wire.Refusal;
import dev.rollcall.wire.Words;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * One client's stream of questions. So many are under way at once; a new one is taken when one was
 * answered, so that a client that does not read its answers is not asked for more questions.
 */
final class ManyQuestions implements StreamObserver<IdentifyManyRequest> {
  private static final int AT_ONCE = 256;

  private final Asker asker;
  private final Limits.Allowance allowance;
  private final Identifier identifier;
  private final ServerCallStreamObserver<IdentifyManyResponse> client;
  private final Executor executor;
  private int underWay;
  private int owed;
  private boolean last;
  private boolean over;

  ManyQuestions(
      Asker asker,
      Limits.Allowance allowance,
      Identifier identifier,
      ServerCallStreamObserver<IdentifyManyResponse> client,
      Executor executor) {
    this.asker = asker;
    this.allowance = allowance;
    this.identifier = identifier;
    this.client = client;
    this.executor = executor;
    client.setOnCancelHandler(() -> over = true);
    client.setOnReadyHandler(this::takeMore);
    client.disableAutoRequest();
    client.request(AT_ONCE);
  }

  @Override
  public void onNext(IdentifyManyRequest request) {
    Optional<Refusal> refused = allowance.question();
    if (refused.isPresent()) {
      fail(refused.get().exception());
      return;
    }
    underWay++;
    try {
      var _ =
          CallerIdCalls.identify(
                  asker,
                  identifier,
                  Words.toModel(request.getConnection(), "connection"),
                  Identifier.PATIENCE)
              .whenCompleteAsync(
                  (answer, failure) -> answered(request.getRequestId(), answer, failure), executor);
    } catch (BadWordException e) {
      fail(e);
    }
  }

  private void answered(long id, @Nullable CallerAnswer answer, @Nullable Throwable failure) {
    underWay--;
    if (over) {
      return;
    }
    if (answer == null) {
      fail(failure == null ? new IllegalStateException("no answer") : failure);
      return;
    }
    client.onNext(
        IdentifyManyResponse.newBuilder()
            .setRequestId(id)
            .setAnswer(Words.toProto(answer))
            .build());
    owed++;
    takeMore();
    completeWhenDone();
  }

  private void takeMore() {
    if (owed > 0 && client.isReady()) {
      client.request(owed);
      owed = 0;
    }
  }

  private void fail(Throwable cause) {
    if (!over) {
      over = true;
      client.onError(Answering.refusal(cause));
    }
  }

  @Override
  public void onError(Throwable clientGone) {
    over = true;
  }

  @Override
  public void onCompleted() {
    last = true;
    completeWhenDone();
  }

  private void completeWhenDone() {
    if (last && underWay == 0 && !over) {
      over = true;
      client.onCompleted();
    }
  }
}
