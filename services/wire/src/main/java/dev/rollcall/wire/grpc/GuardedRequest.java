package dev.rollcall.wire.grpc;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.Timer;
import io.vertx.core.http.HttpConnection;
import io.vertx.grpc.common.GrpcError;
import io.vertx.grpc.common.GrpcMessage;
import io.vertx.grpc.common.InvalidMessageException;
import io.vertx.grpc.common.ServiceName;
import io.vertx.grpc.common.WireFormat;
import io.vertx.grpc.server.GrpcServerRequest;
import io.vertx.grpc.server.GrpcServerResponse;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A request as the bridge sees it. The bridge decodes messages in its message handler, outside of
 * any interceptor: what fails there is caught here and would otherwise leave the client waiting.
 */
final class GuardedRequest<Q, R> implements GrpcServerRequest<Q, R> {
  private final GrpcServerRequest<Q, R> request;
  private final IntConsumer delivered;
  private final Consumer<RuntimeException> unreadable;

  /**
   * @param delivered hears of each message that left the library's queue, with its bytes
   */
  GuardedRequest(
      GrpcServerRequest<Q, R> request,
      IntConsumer delivered,
      Consumer<RuntimeException> unreadable) {
    this.request = request;
    this.delivered = delivered;
    this.unreadable = unreadable;
  }

  @Override
  public GrpcServerRequest<Q, R> messageHandler(@Nullable Handler<GrpcMessage> handler) {
    request.messageHandler(
        handler == null
            ? null
            : message -> {
              try {
                handler.handle(message);
              } catch (RuntimeException e) {
                unreadable.accept(e);
              } finally {
                delivered.accept(message.payload().length());
              }
            });
    return this;
  }

  @Override
  public ServiceName serviceName() {
    return request.serviceName();
  }

  @Override
  public String methodName() {
    return request.methodName();
  }

  @Override
  public String fullMethodName() {
    return request.fullMethodName();
  }

  @Override
  public GrpcServerResponse<Q, R> response() {
    return request.response();
  }

  @Override
  public GrpcServerRequest<Q, R> errorHandler(@Nullable Handler<GrpcError> handler) {
    request.errorHandler(handler);
    return this;
  }

  @Override
  public GrpcServerRequest<Q, R> exceptionHandler(@Nullable Handler<Throwable> handler) {
    request.exceptionHandler(handler);
    return this;
  }

  @Override
  public GrpcServerRequest<Q, R> invalidMessageHandler(
      @Nullable Handler<InvalidMessageException> handler) {
    request.invalidMessageHandler(handler);
    return this;
  }

  @Override
  public GrpcServerRequest<Q, R> handler(@Nullable Handler<Q> handler) {
    request.handler(handler);
    return this;
  }

  @Override
  public GrpcServerRequest<Q, R> endHandler(@Nullable Handler<Void> handler) {
    request.endHandler(handler);
    return this;
  }

  @Override
  public GrpcServerRequest<Q, R> pause() {
    request.pause();
    return this;
  }

  @Override
  public GrpcServerRequest<Q, R> resume() {
    request.resume();
    return this;
  }

  @Override
  public GrpcServerRequest<Q, R> fetch(long amount) {
    request.fetch(amount);
    return this;
  }

  @Override
  public HttpConnection connection() {
    return request.connection();
  }

  /** None: the {@link Link} ends the call at its deadline. */
  @Override
  public long timeout() {
    return 0;
  }

  @Override
  public @Nullable Timer deadline() {
    return request.deadline();
  }

  @Override
  public MultiMap headers() {
    return request.headers();
  }

  @Override
  public String encoding() {
    return request.encoding();
  }

  @Override
  public WireFormat format() {
    return request.format();
  }

  @Override
  public Future<Q> last() {
    return request.last();
  }

  @Override
  public Future<Void> end() {
    return request.end();
  }
}
