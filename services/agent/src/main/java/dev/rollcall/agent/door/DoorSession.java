package dev.rollcall.agent.door;

import dev.rollcall.agent.door.Requests.BadRequestException;
import dev.rollcall.agent.event.AdoptionRequested;
import dev.rollcall.agent.event.DoorAnswer;
import dev.rollcall.port.PinnedProcess;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import java.time.Duration;
import java.util.function.Function;

/** One connection at the door: one request, one reply. On the event loop. */
final class DoorSession {
  private final Vertx vertx;
  private final NetSocket socket;
  private final PinnedProcess peer;
  private final SilentPeers silent;
  private final DoorMeters meters;
  private final Function<AdoptionRequested, Future<DoorAnswer>> decide;
  private final Buffer received = Buffer.buffer();
  private final long timer;
  private boolean asked;
  private boolean over;

  DoorSession(
      Vertx vertx,
      NetSocket socket,
      PinnedProcess peer,
      Duration silence,
      SilentPeers silent,
      DoorMeters meters,
      Function<AdoptionRequested, Future<DoorAnswer>> decide) {
    this.vertx = vertx;
    this.socket = socket;
    this.peer = peer;
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
      reply(DoorAnswer.failed("the agent does not understand the module: " + e.problem()));
      return;
    }
    meters.requests.increment();
    decide
        .apply(request)
        .recover(cause -> {
          meters.fault(Fault.FAILED, String.valueOf(cause.getMessage()));
          return Future.succeededFuture(
              DoorAnswer.failed("the agent could not decide this session"));
        })
        .onSuccess(this::reply);
  }

  /**
   * The frame goes in one write, and nothing before it: descriptors that are to travel with it must
   * be in the same sendmsg(2).
   */
  private void reply(DoorAnswer answer) {
    boolean listening = !over;
    finish();
    if (listening) {
      socket.end(Replies.frame(answer));
    }
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
