package dev.rollcall.agent.serve;

import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.Connection;
import dev.rollcall.proto.v1.IdentifyManyRequest;
import dev.rollcall.proto.v1.IdentifyManyResponse;
import dev.rollcall.wire.BadWordException;
import dev.rollcall.wire.Words;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.vertx.core.Future;
import java.util.function.BiFunction;

/** One client's stream of questions. A new one is taken when one was answered. */
final class ManyQuestions implements StreamObserver<IdentifyManyRequest> {
  private final Asker asker;
  private final ServerCallStreamObserver<IdentifyManyResponse> client;
  private final BiFunction<Asker, Connection, Future<CallerAnswer>> identify;
  private int underWay;
  private boolean last;
  private boolean over;

  ManyQuestions(
      Asker asker,
      ServerCallStreamObserver<IdentifyManyResponse> client,
      BiFunction<Asker, Connection, Future<CallerAnswer>> identify) {
    this.asker = asker;
    this.client = client;
    this.identify = identify;
  }

  @Override
  public void onNext(IdentifyManyRequest request) {
    Connection call;
    try {
      call = Words.toModel(request.getConnection(), "connection");
    } catch (BadWordException e) {
      fail(e);
      return;
    }
    underWay++;
    identify
        .apply(asker, call)
        .onSuccess(answer -> answered(request.getRequestId(), answer))
        .onFailure(this::fail);
  }

  private void answered(long id, CallerAnswer answer) {
    underWay--;
    if (over || client.isCancelled()) {
      return;
    }
    client.onNext(
        IdentifyManyResponse.newBuilder()
            .setRequestId(id)
            .setAnswer(Words.toProto(answer))
            .build());
    client.request(1);
    completeWhenDone();
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
