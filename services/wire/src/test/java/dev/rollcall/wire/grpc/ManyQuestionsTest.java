package dev.rollcall.wire.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.IdentifyManyRequest;
import dev.rollcall.proto.v1.IdentifyManyResponse;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.wire.BadWordException;
import dev.rollcall.wire.CallerMapper;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A stream of questions, over a real transport. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ManyQuestionsTest {
  private static final int AT_ONCE = 2;

  @TempDir Path directory = Path.of("unset");
  private final BlockingQueue<CompletableFuture<CallerAnswer>> asked = new LinkedBlockingQueue<>();
  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();
  private final Set<Long> answered = new ConcurrentSkipListSet<>();
  private final CompletableFuture<Status> end = new CompletableFuture<>();

  private final class Service extends CallerIdServiceGrpc.CallerIdServiceImplBase {
    @Override
    public StreamObserver<IdentifyManyRequest> identifyMany(
        StreamObserver<IdentifyManyResponse> client) {
      return new ManyQuestions(client, AT_ONCE, this::identify, Service::refusal);
    }

    private CompletionStage<CallerAnswer> identify(Connection call) {
      most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
      var answer = new CompletableFuture<CallerAnswer>();
      asked.add(answer);
      return answer;
    }

    private static StatusRuntimeException refusal(Throwable cause) {
      return cause instanceof BadWordException bad
          ? bad.refusal()
          : Status.INTERNAL.withCause(cause).asRuntimeException();
    }
  }

  private final class Client implements StreamObserver<IdentifyManyResponse> {
    @Override
    public void onNext(IdentifyManyResponse response) {
      answered.add(response.getRequestId());
    }

    @Override
    public void onError(Throwable cause) {
      end.complete(Status.fromThrowable(cause));
    }

    @Override
    public void onCompleted() {
      end.complete(Status.OK);
    }
  }

  private static IdentifyManyRequest question(long id) {
    var call = Connection.tcp(Endpoint.parse("10.0.0.1:40000"), Endpoint.parse("10.0.0.2:22"));
    return IdentifyManyRequest.newBuilder()
        .setRequestId(id)
        .setConnection(CallerMapper.toProto(call))
        .build();
  }

  private void answerOne() throws InterruptedException {
    CompletableFuture<CallerAnswer> next = asked.take();
    underWay.decrementAndGet();
    next.complete(new CallerAnswer.Unknown("a test"));
  }

  @Test
  void isTakenOnlyWhenOneBeforeItIsAnswered() throws Exception {
    try (var rig = new Rig(Transport.UNIX, directory, KeepAlive.CALM, new Service())) {
      var questions = CallerIdServiceGrpc.newStub(rig.channel()).identifyMany(new Client());
      for (long id = 1; id <= 5; id++) {
        questions.onNext(question(id));
      }
      questions.onCompleted();
      Await.until("as many are under way as may be", () -> underWay.get() == AT_ONCE);
      for (int i = 0; i < 5; i++) {
        answerOne();
      }
      assertEquals(Status.OK, end.get(30, TimeUnit.SECONDS));
      assertEquals(Set.of(1L, 2L, 3L, 4L, 5L), answered);
      assertEquals(AT_ONCE, most.get());
    }
  }

  @Test
  void endsTheStreamWhenItIsNoConnection() throws Exception {
    try (var rig = new Rig(Transport.UNIX, directory, KeepAlive.CALM, new Service())) {
      var questions = CallerIdServiceGrpc.newStub(rig.channel()).identifyMany(new Client());
      questions.onNext(IdentifyManyRequest.getDefaultInstance());
      assertEquals(Status.Code.INVALID_ARGUMENT, end.get(30, TimeUnit.SECONDS).getCode());
    }
  }
}
