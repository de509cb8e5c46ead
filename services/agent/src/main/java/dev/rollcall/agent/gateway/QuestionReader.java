package dev.rollcall.agent.gateway;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.proto.roll.v1.ConnectRequest;
import io.vertx.core.WorkerExecutor;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/**
 * Reads what questions of gateways ask for, a bounded number at a time: users may ask for long
 * lists of processes faster than those are read. The gateway has the roll's list for a question
 * that is not answered. On the stage's context.
 */
final class QuestionReader {
  private static final System.Logger LOG = System.getLogger(QuestionReader.class.getName());

  /** A list of very many processes takes a fifth of a second; the gateway waits for half of one. */
  static final int MOST_WAITING = 16;

  private final WorkerExecutor readers;
  private int waiting;
  private boolean dropping;

  QuestionReader(WorkerExecutor readers) {
    this.readers = readers;
  }

  /**
   * Reads an answer, and sends it.
   *
   * @param what is read, for the log
   */
  void answer(String what, Callable<ConnectRequest> answer, Consumer<ConnectRequest> send) {
    if (waiting >= MOST_WAITING) {
      if (!dropping) {
        LOG.log(
            WARNING,
            "{0} questions of gateways wait for their answers: later ones are dropped, as {1}",
            Integer.toString(waiting),
            what);
      }
      dropping = true;
      return;
    }
    waiting++;
    readers
        .executeBlocking(answer)
        .onComplete(_ -> {
          waiting--;
          dropping &= waiting > 0;
        })
        .onSuccess(send::accept)
        .onFailure(cause -> LOG.log(WARNING, what + " could not be read", cause));
  }
}
