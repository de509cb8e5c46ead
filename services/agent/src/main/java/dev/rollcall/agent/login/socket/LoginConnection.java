package dev.rollcall.agent.login.socket;

import dev.rollcall.agent.event.AdoptionRequested;
import dev.rollcall.agent.event.LoginOutcome;
import dev.rollcall.agent.login.socket.RequestReader.BadRequestException;
import dev.rollcall.linux.Errno;
import dev.rollcall.linux.ErrnoException;
import dev.rollcall.port.JobNamespaces.Namespace;
import dev.rollcall.port.PinnedProcess;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.List;
import java.util.SequencedSet;
import java.util.function.Function;

/** One connection of the PAM module: one request, one reply. On the event loop. */
final class LoginConnection {
  /**
   * What all connections have.
   *
   * @param silence how long a peer may say nothing
   * @param silent those that have not asked yet, the oldest first
   */
  record Parts(
      Vertx vertx,
      RequestReader reader,
      Duration silence,
      SequencedSet<LoginConnection> silent,
      LoginSocketMeters meters,
      Function<AdoptionRequested, Future<LoginOutcome>> answer) {}

  private static final int MOST_SILENT = 256;
  private static final long NONE = -1;

  private final Parts parts;
  private final LoginSocketMeters meters;
  private final AcceptedSocket socket;
  private final PinnedProcess peer;
  private final Buffer received = Buffer.buffer();
  private long timer = NONE;
  private boolean settled;

  /**
   * @param peer closed after the answer
   */
  LoginConnection(Parts parts, AcceptedSocket socket, PinnedProcess peer) {
    this.parts = parts;
    this.meters = parts.meters();
    this.socket = socket;
    this.peer = peer;
  }

  /** Most requests are there with their connection. */
  void open() {
    socket.hear(this::receive, this::hungUp);
    if (!settled) {
      timer =
          parts
              .vertx()
              .setTimer(parts.silence().toMillis(), _ -> dismiss(RequestFailure.SILENT, ""));
      if (parts.silent().size() >= MOST_SILENT) {
        parts.silent().getFirst().dismiss(RequestFailure.CROWD, MOST_SILENT + " of them");
      }
      parts.silent().add(this);
      meters.silent.set(parts.silent().size());
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
      answer(parts.reader().read(message, peer, System.nanoTime()));
    } catch (BadRequestException e) {
      meters.failed(RequestFailure.GARBAGE, String.valueOf(e.getMessage()));
      reply(failed("the agent cannot answer this request: " + e.getMessage()));
    }
  }

  private void answer(AdoptionRequested request) {
    meters.requests.increment();
    parts
        .answer()
        .apply(request)
        .recover(cause -> {
          meters.failed(RequestFailure.UNANSWERED, String.valueOf(cause.getMessage()));
          return Future.succeededFuture(failed("the agent could not decide this session"));
        })
        .onSuccess(this::reply);
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
  private void dismiss(RequestFailure failure, String detail) {
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
      parts.vertx().cancelTimer(timer);
      parts.silent().remove(this);
      meters.silent.set(parts.silent().size());
    }
  }
}
