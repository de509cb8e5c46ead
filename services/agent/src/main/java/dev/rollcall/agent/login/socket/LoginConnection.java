package dev.rollcall.agent.login.socket;

import dev.rollcall.agent.event.AdoptionRequested;
import dev.rollcall.agent.event.LoginOutcome;
import dev.rollcall.agent.login.socket.RequestReader.BadRequestException;
import dev.rollcall.linux.Errno;
import dev.rollcall.linux.ErrnoException;
import dev.rollcall.port.JobNamespaces.Namespace;
import dev.rollcall.port.PinnedProcess;
import dev.rollcall.wire.trace.Span;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** One connection of the PAM module: one request, one reply. On the event loop. */
final class LoginConnection {
  /**
   * Who came.
   *
   * @param peer closed after the answer
   */
  record Caller(AcceptedSocket socket, PinnedProcess peer) {}

  private static final long NONE = -1;

  private final Vertx vertx;
  private final RequestReader reader;
  private final AcceptedSocket socket;
  private final PinnedProcess peer;
  private final SilentConnections silent;
  private final LoginSocketMeters meters;
  private final Function<AdoptionRequested, Future<LoginOutcome>> answer;
  private final Duration silence;
  private final Buffer received = Buffer.buffer();
  private long timer = NONE;
  private boolean settled;

  LoginConnection(
      Vertx vertx,
      RequestReader reader,
      Caller caller,
      Duration silence,
      SilentConnections silent,
      LoginSocketMeters meters,
      Function<AdoptionRequested, Future<LoginOutcome>> answer) {
    this.vertx = vertx;
    this.reader = reader;
    this.socket = caller.socket();
    this.peer = caller.peer();
    this.silent = silent;
    this.meters = meters;
    this.answer = answer;
    this.silence = silence;
  }

  /** Most requests are there with their connection. */
  void open() {
    socket.hear(this::receive, this::hungUp);
    if (!settled) {
      timer = vertx.setTimer(silence.toMillis(), _ -> dismiss(RequestFailure.SILENT, ""));
      silent.add(this);
    }
  }

  private void receive(Buffer bytes) {
    received.appendBuffer(bytes);
    switch (Frame.read(received)) {
      case Frame.Read.Incomplete() -> {}
      case Frame.Read.Broken(RequestFailure failure, String detail) -> dismiss(failure, detail);
      case Frame.Read.Complete(Buffer message) -> request(message);
    }
  }

  private void request(Buffer message) {
    // If the module gives up, what is under way goes on, and the peer stays pinned for it.
    socket.deafen();
    settle();
    try {
      answer(reader.read(message, peer, System.nanoTime()));
    } catch (BadRequestException e) {
      meters.failed(RequestFailure.GARBAGE, String.valueOf(e.getMessage()));
      reply(failed("the agent cannot answer this request: " + e.getMessage()));
    }
  }

  private void answer(AdoptionRequested request) {
    meters.requests.increment();
    answer
        .apply(request)
        .recover(cause -> {
          meters.failed(RequestFailure.UNANSWERED, String.valueOf(cause.getMessage()));
          return Future.succeededFuture(failed("the agent could not decide this session"));
        })
        .onSuccess(outcome -> {
          Span replying = request.span().child("reply");
          reply(outcome);
          replying.end();
          new LoginTrace(request).end(outcome);
        });
  }

  private static LoginOutcome failed(String message) {
    return new LoginOutcome.Failed(/* adoptionId= */ "", message);
  }

  private void reply(LoginOutcome outcome) {
    try {
      send(outcome);
    } finally {
      outcome.close();
      peer.close();
    }
  }

  private void send(LoginOutcome outcome) {
    ReplyWriter.Written reply = ReplyWriter.write(outcome);
    if (!reply.leftOut().isEmpty()) {
      meters.failed(RequestFailure.CUT, String.join(" ", reply.leftOut()));
    }
    List<Integer> descriptors =
        outcome instanceof LoginOutcome.Adopted adopted
            ? adopted.namespaces().inOrder().stream().map(Namespace::descriptor).toList()
            : List.of();
    try {
      socket.end(reply.frame().getBytes(), descriptors);
    } catch (ErrnoException e) {
      if (!e.is(Errno.EPIPE)) { // the module gave up
        meters.failed(RequestFailure.NOT_TAKEN, String.valueOf(e.getMessage()));
      }
    }
  }

  /** Closes without an answer. */
  void dismiss(RequestFailure failure, String detail) {
    meters.failed(failure, detail);
    leave();
  }

  private void hungUp() {
    if (received.length() > 0) {
      meters.failed(RequestFailure.TRUNCATED, received.length() + " bytes came");
    }
    leave();
  }

  private void leave() {
    settle();
    peer.close();
    socket.close();
  }

  private void settle() {
    settled = true;
    if (timer != NONE) {
      vertx.cancelTimer(timer);
      silent.remove(this);
    }
  }
}
