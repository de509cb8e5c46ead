package dev.rollcall.agent.door;

import dev.rollcall.agent.door.Containers.Furnished;
import dev.rollcall.agent.door.Requests.BadRequestException;
import dev.rollcall.agent.event.AdoptionRequested;
import dev.rollcall.agent.event.DoorAnswer;
import dev.rollcall.port.JobNamespaces;
import dev.rollcall.port.JobNamespaces.Namespace;
import dev.rollcall.port.PinnedProcess;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import java.io.IOException;
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
  record Caller(NetSocket socket, PinnedProcess peer, Handover handover) {}

  private final Vertx vertx;
  private final Caller caller;
  private final NetSocket socket;
  private final PinnedProcess peer;
  private final SilentPeers silent;
  private final DoorMeters meters;
  private final Function<AdoptionRequested, Future<Furnished>> decide;
  private final Buffer received = Buffer.buffer();
  private final long timer;
  private boolean asked;
  private boolean over;

  DoorSession(
      Vertx vertx,
      Caller caller,
      Duration silence,
      SilentPeers silent,
      DoorMeters meters,
      Function<AdoptionRequested, Future<Furnished>> decide) {
    this.vertx = vertx;
    this.caller = caller;
    this.socket = caller.socket();
    this.peer = caller.peer();
    this.silent = silent;
    this.meters = meters;
    this.decide = decide;
    this.timer = vertx.setTimer(silence.toMillis(), _ -> dismiss(Fault.SILENT, ""));
  }

  void open() {
    silent.add(this);
    socket.handler(this::receive);
    socket.endHandler(_ -> hungUp());
    socket.closeHandler(_ -> hungUp());
    socket.exceptionHandler(_ -> hungUp());
  }

  private void receive(Buffer bytes) {
    if (over) {
      return;
    }
    if (asked) {
      meters.fault(Fault.TRAILING, bytes.length() + " bytes");
      return;
    }
    received.appendBuffer(bytes);
    switch (Frame.read(received)) {
      case Frame.Read.Incomplete() -> {}
      case Frame.Read.Broken(Fault fault, String detail) -> dismiss(fault, detail);
      case Frame.Read.Complete(Buffer message) -> ask(message);
    }
  }

  private void ask(Buffer message) {
    asked = true;
    vertx.cancelTimer(timer);
    silent.remove(this);
    AdoptionRequested request;
    try {
      request = Requests.read(message, peer, System.nanoTime());
    } catch (BadRequestException e) {
      meters.fault(Fault.GARBAGE, e.problem());
      reply(plain("the agent does not understand the module: " + e.problem()));
      return;
    }
    meters.requests.increment();
    decide
        .apply(request)
        .recover(cause -> {
          meters.fault(Fault.FAILED, String.valueOf(cause.getMessage()));
          return Future.succeededFuture(plain("the agent could not decide this session"));
        })
        .onSuccess(this::reply);
  }

  private static Furnished plain(String failure) {
    return new Furnished(DoorAnswer.failed(failure), JobNamespaces.NONE);
  }

  private void reply(Furnished furnished) {
    boolean listening = !over;
    finish();
    try (JobNamespaces namespaces = furnished.namespaces()) {
      if (listening) {
        send(furnished.answer(), namespaces.inOrder());
      }
    }
  }

  private void send(DoorAnswer answer, List<Namespace> namespaces) {
    Replies.Written reply = Replies.write(answer, namespaces);
    if (!reply.leftOut().isEmpty()) {
      meters.fault(Fault.CUT, answer.job() + ": " + String.join(" ", reply.leftOut()));
    }
    if (namespaces.isEmpty()) {
      socket.end(reply.frame());
    } else {
      handOver(reply.frame().getBytes(), namespaces);
    }
  }

  /** By one sendmsg(2), past Netty, which has sent nothing on this socket and never will. */
  private void handOver(byte[] frame, List<Namespace> namespaces) {
    try {
      caller
          .handover()
          .send(
              RawSocket.descriptor(socket),
              frame,
              namespaces.stream().map(Namespace::descriptor).toList());
    } catch (IOException e) {
      meters.fault(Fault.NOT_TAKEN, String.valueOf(e.getMessage()));
    }
    socket.close();
  }

  /** Closes without an answer. */
  void dismiss(Fault fault, String detail) {
    if (!over) {
      meters.fault(fault, detail);
      finish();
      socket.close();
    }
  }

  private void hungUp() {
    if (over) {
      return;
    }
    if (asked) {
      // The module gave up. What is under way goes on, and the peer stays pinned for it.
      over = true;
      return;
    }
    if (received.length() > 0) {
      meters.fault(Fault.TRUNCATED, received.length() + " bytes came");
    }
    finish();
    socket.close();
  }

  private void finish() {
    over = true;
    vertx.cancelTimer(timer);
    silent.remove(this);
    peer.close();
  }
}
