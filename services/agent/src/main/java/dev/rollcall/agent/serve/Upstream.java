package dev.rollcall.agent.serve;

import dev.rollcall.agent.event.Attendance;
import dev.rollcall.agent.event.AttendanceQuestion;
import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.Queries;
import dev.rollcall.wire.pace.UidOwners;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Optional;
import java.util.function.BiConsumer;

/** The gateway, asked in a user's name. */
final class Upstream {
  /** For whom the agent asks: a decimal uid. The gateway believes it of nodes alone. */
  static final Metadata.Key<String> UID =
      Metadata.Key.of("rollcall-uid", Metadata.ASCII_STRING_MARSHALLER);

  private final Bus bus;
  private final Pace pace = new Pace(UidOwners.ofHost()::of, System::nanoTime);

  Upstream(Bus bus) {
    this.bus = bus;
  }

  /** The way to the gateway, if this node attends one; RESOURCE_EXHAUSTED in too much haste. */
  Future<Optional<Channel>> channel(Asker asker) {
    return attendance(asker)
        .map(attendance ->
            attendance instanceof Attendance.Attending(_, _, Channel channel)
                ? Optional.of(inTheNameOf(asker, channel))
                : Optional.empty());
  }

  /** The same; UNAVAILABLE saying why, if there is none. */
  Future<Channel> required(Asker asker) {
    return attendance(asker)
        .map(attendance ->
            switch (attendance) {
              case Attendance.Attending(_, _, Channel channel) -> inTheNameOf(asker, channel);
              case Attendance.Absent(String why, _) ->
                  throw Status.UNAVAILABLE.withDescription(why).asRuntimeException();
            });
  }

  private Future<Attendance> attendance(Asker asker) {
    return pace.allows(asker)
        ? bus.ask(Queries.ATTENDANCE, new AttendanceQuestion(), Bus.AT_ONCE)
        : Future.failedFuture(Pace.tooFast(asker));
  }

  private static Channel inTheNameOf(Asker asker, Channel channel) {
    var headers = new Metadata();
    headers.put(UID, Integer.toUnsignedString(asker.uid()));
    return ClientInterceptors.intercept(
        channel, MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  /** Asks one question. */
  static <Q, R> Future<R> ask(Q request, BiConsumer<Q, StreamObserver<R>> call) {
    Promise<R> answer = Promise.promise();
    call.accept(
        request,
        new StreamObserver<>() {
          @Override
          public void onNext(R response) {
            answer.tryComplete(response);
          }

          @Override
          public void onError(Throwable cause) {
            answer.tryFail(Status.fromThrowable(cause).asRuntimeException());
          }

          @Override
          public void onCompleted() {
            answer.tryFail(
                Status.INTERNAL
                    .withDescription("the gateway answered nothing")
                    .asRuntimeException());
          }
        });
    return answer.future();
  }
}
