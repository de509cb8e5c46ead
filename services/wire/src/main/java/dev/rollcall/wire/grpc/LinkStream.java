package dev.rollcall.wire.grpc;

import dev.rollcall.wire.memory.HeldMemory;
import io.grpc.Status;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * One request of a connection, the memory that it holds, and the times within which its end must
 * come and its answer must be read. On the event loop of the connection.
 */
final class LinkStream {
  private static final long REQUEST_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long UNREAD_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** So fast the answer has to be read beside that. */
  private static final long BYTES_IN_A_SECOND = 64 << 10;

  private static final long CANCEL = 0x8; // RFC 9113 section 7
  private static final Status LATE =
      Status.DEADLINE_EXCEEDED.withDescription("the request did not end within 30 s");

  private final HttpServerRequest request;
  final HeldMemory memory;
  private Optional<ServiceCall<?, ?>> call = Optional.empty();
  private Optional<Long> requestDue = Optional.empty();
  private Optional<Long> answerDue = Optional.empty();

  LinkStream(HttpServerRequest request, HeldMemory memory) {
    this.request = request;
    this.memory = memory;
  }

  void serves(ServiceCall<?, ?> begun) {
    call = Optional.of(begun);
    if (begun.getMethodDescriptor().getType().clientSendsOneMessage()) {
      requestDue = Optional.of(System.nanoTime() + REQUEST_NANOS);
    }
  }

  void requestEnded() {
    requestDue = Optional.empty();
  }

  /** All of the answer was written, and may not be sent. */
  void answerEnded() {
    long bytes = request.response().bytesWritten();
    long sending = TimeUnit.SECONDS.toNanos(bytes) / BYTES_IN_A_SECOND;
    answerDue = Optional.of(System.nanoTime() + UNREAD_NANOS + sending);
  }

  void answerSent() {
    answerDue = Optional.empty();
  }

  /** Whether one of the times runs. */
  boolean isAwaited() {
    return requestDue.isPresent() || answerDue.isPresent();
  }

  /** Ends what is late. True if its answer was not read. */
  boolean endIfLate(long now) {
    if (requestDue.filter(due -> now - due > 0).isPresent()) {
      requestDue = Optional.empty();
      call.ifPresent(each -> each.refuse(LATE));
    }
    boolean unread = answerDue.filter(due -> now - due > 0).isPresent();
    if (unread) {
      answerDue = Optional.empty();
      var _ = request.response().reset(CANCEL);
    }
    return unread;
  }

  void close() {
    memory.close();
    call.ifPresent(ServiceCall::streamClosed);
  }
}
