package dev.rollcall.wire.grpc;

import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.Connection;
import dev.rollcall.proto.v1.IdentifyManyRequest;
import dev.rollcall.proto.v1.IdentifyManyResponse;
import dev.rollcall.wire.BadWordException;
import dev.rollcall.wire.CallerMapper;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A client's stream of questions. So many are under way at once; a new one is taken when one was
 * answered, so that a client that does not read its answers is not asked for more questions.
 */
public final class ManyQuestions implements StreamObserver<IdentifyManyRequest> {
  private final ServerCallStreamObserver<IdentifyManyResponse> client;
  private final Function<Connection, CompletionStage<CallerAnswer>> identify;
  private final Function<Throwable, StatusRuntimeException> refusal;
  private final Executor executor = CallContext.executor();
  private int underWay;
  private int owed;
  private boolean last;
  private boolean over;

  /**
   * Made while the service's method runs.
   *
   * @param atOnce questions under way
   * @param refusal the status of what went wrong
   */
  public ManyQuestions(
      StreamObserver<IdentifyManyResponse> client,
      int atOnce,
      Function<Connection, CompletionStage<CallerAnswer>> identify,
      Function<Throwable, StatusRuntimeException> refusal) {
    this.client = (ServerCallStreamObserver<IdentifyManyResponse>) client;
    this.identify = identify;
    this.refusal = refusal;
    this.client.setOnCancelHandler(() -> over = true);
    this.client.setOnReadyHandler(this::takeMore);
    this.client.disableAutoRequest();
    this.client.request(atOnce);
  }

  @Override
  public void onNext(IdentifyManyRequest request) {
    underWay++;
    try {
      var _ =
          identify
              .apply(CallerMapper.toModel(request.getConnection(), "connection"))
              .whenCompleteAsync(
                  (answer, failure) -> answered(request.getRequestId(), answer, failure), executor);
    } catch (BadWordException | StatusRuntimeException e) {
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
            .setAnswer(CallerMapper.toProto(answer))
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
      client.onError(refusal.apply(cause));
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
