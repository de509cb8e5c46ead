package dev.rollcall.agent.door;

import dev.rollcall.agent.door.Containers.Furnished;
import dev.rollcall.agent.door.Requests.BadRequestException;
import dev.rollcall.agent.event.AdoptionRequested;
import dev.rollcall.agent.event.DoorAnswer;
import dev.rollcall.agent.event.DoorResponse;
import dev.rollcall.agent.event.JobsOffered;
import dev.rollcall.linux.Errno;
import dev.rollcall.linux.ErrnoException;
import dev.rollcall.port.JobNamespaces;
import dev.rollcall.port.JobNamespaces.Namespace;
import dev.rollcall.port.PinnedProcess;
import dev.rollcall.wire.trace.Span;
import dev.rollcall.wire.trace.Tracer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** One connection at the door: one request, one reply. On the event loop. */
final class DoorSession {
  /**
   * Who came.
   *
   * @param peer closed after the answer
   */
  record Caller(DoorSocket socket, PinnedProcess peer) {}

  private static final long NONE = -1;

  private final Vertx vertx;
  private final DoorSocket socket;
  private final PinnedProcess peer;
  private final SilentPeers silent;
  private final DoorMeters meters;
  private final Tracer tracer;
  private final Function<AdoptionRequested, Future<Furnished>> decide;
  private final Duration silence;
  private final Buffer received = Buffer.buffer();
  private long timer = NONE;
  private boolean settled;

  DoorSession(
      Vertx vertx,
      Caller caller,
      Duration silence,
      SilentPeers silent,
      DoorMeters meters,
      Tracer tracer,
      Function<AdoptionRequested, Future<Furnished>> decide) {
    this.vertx = vertx;
    this.socket = caller.socket();
    this.peer = caller.peer();
    this.silent = silent;
    this.meters = meters;
    this.tracer = tracer;
    this.decide = decide;
    this.silence = silence;
  }

  /** Most requests are there with their connection. */
  void open() {
    socket.hear(this::receive, this::hungUp);
    if (!settled) {
      timer = vertx.setTimer(silence.toMillis(), _ -> dismiss(Fault.SILENT, ""));
      silent.add(this);
    }
  }

  private void receive(Buffer bytes) {
    received.appendBuffer(bytes);
    switch (Frame.read(received)) {
      case Frame.Read.Incomplete() -> {}
      case Frame.Read.Broken(Fault fault, String detail) -> dismiss(fault, detail);
      case Frame.Read.Complete(Buffer message) -> ask(message);
    }
  }

  private void ask(Buffer message) {
    // If the module gives up, what is under way goes on, and the peer stays pinned for it.
    socket.deafen();
    settle();
    AdoptionRequested request;
    try {
      request = Requests.read(message, peer, System.nanoTime());
    } catch (BadRequestException e) {
      meters.fault(Fault.GARBAGE, e.problem());
      reply(plain("the agent does not understand the module: " + e.problem()));
      return;
    }
    meters.requests.increment();
    LoginTrace trace = LoginTrace.begin(request, tracer);
    decide
        .apply(trace.request())
        .recover(cause -> {
          meters.fault(Fault.FAILED, String.valueOf(cause.getMessage()));
          return Future.succeededFuture(plain("the agent could not decide this session"));
        })
        .onSuccess(furnished -> {
          Span replying = trace.reply();
          reply(furnished);
          replying.end();
          trace.end(furnished.response());
        });
  }

  private static Furnished plain(String failure) {
    return new Furnished(DoorAnswer.failed(failure), JobNamespaces.NONE);
  }

  private void reply(Furnished furnished) {
    try (JobNamespaces namespaces = furnished.namespaces()) {
      send(furnished.response(), namespaces.inOrder());
    } finally {
      peer.close();
    }
  }

  private void send(DoorResponse response, List<Namespace> namespaces) {
    Buffer frame =
        switch (response) {
          case DoorAnswer answer -> written(answer, namespaces);
          case JobsOffered offered -> Offers.write(offered);
        };
    try {
      socket.end(frame.getBytes(), namespaces.stream().map(Namespace::descriptor).toList());
    } catch (ErrnoException e) {
      if (!e.is(Errno.EPIPE)) { // the module gave up
        meters.fault(Fault.NOT_TAKEN, String.valueOf(e.getMessage()));
      }
    }
  }

  private Buffer written(DoorAnswer answer, List<Namespace> namespaces) {
    Replies.Written reply = Replies.write(answer, namespaces);
    if (!reply.leftOut().isEmpty()) {
      meters.fault(Fault.CUT, answer.job() + ": " + String.join(" ", reply.leftOut()));
    }
    return reply.frame();
  }

  /** Closes without an answer. */
  void dismiss(Fault fault, String detail) {
    meters.fault(fault, detail);
    leave();
  }

  private void hungUp() {
    if (received.length() > 0) {
      meters.fault(Fault.TRUNCATED, received.length() + " bytes came");
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
