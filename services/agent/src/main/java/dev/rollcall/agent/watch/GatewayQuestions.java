package dev.rollcall.agent.watch;

import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.Connection;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;

/**
 * Answers questions of gateways about callers on this node, a bounded number at a time: they may
 * come faster than sockets are looked up. On the event loop.
 */
final class GatewayQuestions {
  /** More than are looked up, without eBPF, in the second for which the gateway is waited for. */
  static final int MOST = 256;

  private final LocalCallers callers;
  private final WorkerExecutor worker;
  private int waiting;

  GatewayQuestions(LocalCallers callers, WorkerExecutor worker) {
    this.callers = callers;
    this.worker = worker;
  }

  Future<CallerAnswer> answer(Connection call) {
    if (waiting >= MOST) {
      return Future.succeededFuture(
          new CallerAnswer.Unreachable(
              MOST + " questions of gateways wait at the node, try again"));
    }
    waiting++;
    return callers.find(worker, call).onComplete(_ -> waiting--);
  }
}
