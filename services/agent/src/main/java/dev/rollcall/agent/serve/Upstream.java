package dev.rollcall.agent.serve;

import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.Empty;
import dev.rollcall.agent.event.GatewayState;
import dev.rollcall.agent.event.Queries;
import dev.rollcall.wire.Refusal;
import dev.rollcall.wire.grpc.limit.UidOwners;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** The gateway, asked in a user's name. */
final class Upstream {
  /** The user for whom the agent asks: a decimal uid. The gateway accepts it from nodes only. */
  static final Metadata.Key<String> UID =
      Metadata.Key.of("rollcall-uid", Metadata.ASCII_STRING_MARSHALLER);

  /** How long a gateway may take for an answer. */
  static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Bus bus;
  private final UserRates pace = UserRates.toTheGateway(UidOwners.ofHost()::of, System::nanoTime);

  Upstream(Bus bus) {
    this.bus = bus;
  }

  /**
   * The way to the gateway, if this node is connected to one; RESOURCE_EXHAUSTED in too much haste.
   */
  Future<Optional<Channel>> channel(SocketUser asker) {
    return description(asker)
        .map(description ->
            description instanceof GatewayState.Connected(_, Channel channel)
                ? Optional.of(inTheNameOf(asker, channel))
                : Optional.empty());
  }

  /** Asks one question; UNAVAILABLE saying why, if this node is connected to no gateway. */
  <Q, R> Future<R> ask(
      SocketUser asker, MethodDescriptor<Q, R> method, Q request, Duration patience) {
    return description(asker)
        .compose(description ->
            switch (description) {
              case GatewayState.Connected(_, Channel channel) ->
                  ask(inTheNameOf(asker, channel), method, request, patience);
              case GatewayState.Absent(String why) ->
                  Future.failedFuture(Refusal.plain(Status.UNAVAILABLE, why));
            });
  }

  /** Answers a client with what the gateway answers to its request. */
  <Q, R> void pass(
      StreamObserver<R> client, MethodDescriptor<Q, R> method, Q request, Duration patience) {
    GrpcReplies.once(client, asker -> ask(asker, method, request, patience));
  }

  /** Asks one question, of this node if it is connected to no gateway. */
  <Q, R> Future<R> askOr(
      SocketUser asker, MethodDescriptor<Q, R> method, Q request, Supplier<Future<R>> here) {
    return channel(asker)
        .compose(channel ->
            channel.map(gateway -> ask(gateway, method, request, PATIENCE)).orElseGet(here));
  }

  private Future<GatewayState> description(SocketUser asker) {
    return pace.allows(asker)
        ? bus.ask(Queries.GATEWAY_STATE, new Empty(), Bus.AT_ONCE)
        : Future.failedFuture(UserRates.tooFast(asker));
  }

  private static Channel inTheNameOf(SocketUser asker, Channel channel) {
    var headers = new Metadata();
    headers.put(UID, Integer.toUnsignedString(asker.uid()));
    return ClientInterceptors.intercept(
        channel, MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  private static <Q, R> Future<R> ask(
      Channel channel, MethodDescriptor<Q, R> method, Q request, Duration patience) {
    Promise<R> answer = Promise.promise();
    ClientCalls.asyncUnaryCall(
        channel.newCall(method, CallOptions.DEFAULT.withDeadlineAfter(patience)),
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
            answer.tryFail(Refusal.plain(Status.INTERNAL, "the gateway sent an empty answer"));
          }
        });
    return answer.future();
  }
}
