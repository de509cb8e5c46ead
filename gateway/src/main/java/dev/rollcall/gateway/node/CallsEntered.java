package dev.rollcall.gateway.node;

import dev.rollcall.gateway.work.SerialExecutor;
import dev.rollcall.model.Call;
import dev.rollcall.port.Roll;
import dev.rollcall.port.Roll.Registration;
import io.micrometer.core.instrument.Counter;
import java.lang.System.Logger.Level;
import java.time.Duration;

/**
 * Enters the calls that a node reports into the roll, in their order. A call above the bound of its
 * node is not entered: the node is asked about it. On the stream's executor.
 */
final class CallsEntered {
  private static final System.Logger LOG = System.getLogger(CallsEntered.class.getName());

  private final Registration registration;
  private final Roll roll;
  private final SerialExecutor rollTasks;
  private final CallsKept kept;
  private final Duration keep;
  private final Counter cut;
  private PendingUpdates<Call> waiting = PendingUpdates.none();
  private boolean cutLogged;

  /**
   * @param keep how long the roll keeps a call
   * @param cut counts calls that are not entered
   */
  CallsEntered(
      Registration registration,
      Roll roll,
      SerialExecutor rollTasks,
      CallsKept kept,
      Duration keep,
      Counter cut) {
    this.registration = registration;
    this.roll = roll;
    this.rollTasks = rollTasks;
    this.kept = kept;
    this.keep = keep;
    this.cut = cut;
  }

  /**
   * Takes a call.
   *
   * @param done runs when the roll has taken it
   */
  void made(Call call, Runnable done) {
    if (!kept.add(registration.node())) {
      cut.increment();
      logCut();
      leaveOut(call, done);
    } else if (!waiting.add(call, done)) {
      PendingUpdates<Call> next = PendingUpdates.of(call, done);
      waiting = next;
      rollTasks.add(() -> {
        roll.enterCalls(registration, next.begin(), keep);
        next.done();
      });
    }
  }

  /** Once for a stream. */
  private void logCut() {
    if (!cutLogged) {
      cutLogged = true;
      LOG.log(
          Level.WARNING,
          "node {0}: the roll keeps no more of its calls than {1} within {2} s; it is asked about"
              + " others",
          registration.node(),
          Integer.toString(CallsKept.MOST_OF_A_NODE),
          Long.toString(keep.toSeconds()));
    }
  }

  /** The roll may have an earlier call of the same ends: it must not be answered. */
  private void leaveOut(Call call, Runnable done) {
    inOrder();
    rollTasks.add(() -> {
      roll.strikeCall(registration, call.connection());
      done.run();
    });
  }

  /** Something else was reported: calls that come now are entered after it. */
  void inOrder() {
    waiting = PendingUpdates.none();
  }
}
