package dev.rollcall.load.lookup;

import dev.rollcall.proto.v1.Caller;
import dev.rollcall.proto.v1.CallerAnswer;
import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.IdentifyManyRequest;
import dev.rollcall.proto.v1.IdentifyManyResponse;
import dev.rollcall.proto.v1.UnknownCaller;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.atomic.AtomicLong;

/** Answers even ports with a caller and odd ones with unknown; can keep silent after some. */
final class CountingCallerId extends CallerIdServiceGrpc.CallerIdServiceImplBase {
  final AtomicLong questions = new AtomicLong();
  private final long silentAfter;

  CountingCallerId(long silentAfter) {
    this.silentAfter = silentAfter;
  }

  @Override
  public StreamObserver<IdentifyManyRequest> identifyMany(
      StreamObserver<IdentifyManyResponse> answers) {
    return new StreamObserver<>() {
      @Override
      public void onNext(IdentifyManyRequest request) {
        if (questions.incrementAndGet() <= silentAfter) {
          answers.onNext(
              IdentifyManyResponse.newBuilder()
                  .setRequestId(request.getRequestId())
                  .setAnswer(answer(request.getConnection().getLocal().getPort()))
                  .build());
        }
      }

      @Override
      public void onError(Throwable failure) {}

      @Override
      public void onCompleted() {
        answers.onCompleted();
      }
    };
  }

  private static CallerAnswer answer(int port) {
    var answer = CallerAnswer.newBuilder();
    return port % 2 == 0
        ? answer.setFound(Caller.newBuilder().setNode("n1")).build()
        : answer.setUnknown(UnknownCaller.newBuilder().setReason("odd")).build();
  }
}
