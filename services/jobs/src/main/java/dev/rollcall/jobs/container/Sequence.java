package dev.rollcall.jobs.container;

import static java.lang.System.Logger.Level.WARNING;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * Does all steps or none: if one fails, undoes those before it, the last first. Steps inside a
 * namespace that is not kept need no undoing.
 */
final class Sequence {
  private static final System.Logger LOG = System.getLogger(Sequence.class.getName());

  /** A step, or its undoing. */
  @FunctionalInterface
  interface Action {
    void run() throws IOException;
  }

  private record Undo(String step, Action action) {}

  private final Deque<Undo> undos = new ArrayDeque<>();
  private final Consumer<String> before;

  /**
   * @param before gets the name of each step before it, of each undoing, and of points within
   */
  Sequence(Consumer<String> before) {
    this.before = before;
  }

  void step(String name, Action action) throws ContainerException {
    try {
      before.accept(name);
      action.run();
    } catch (IOException | RuntimeException e) {
      throw new ContainerException(name, e);
    }
  }

  void moment(String name) {
    before.accept(name);
  }

  /**
   * Does a step that leaves something.
   *
   * @param undo is also right where the step was done in part
   */
  void step(String name, Action action, Action undo) throws ContainerException {
    undos.push(new Undo(name, undo));
    step(name, action);
  }

  /** Undoes all steps. Logs a step that cannot be undone. */
  void undo() {
    while (!undos.isEmpty()) {
      Undo undo = undos.pop();
      try {
        before.accept("undo " + undo.step);
        undo.action.run();
      } catch (IOException | RuntimeException e) {
        LOG.log(WARNING, "undo {0}: {1}", undo.step, e.getMessage());
      }
    }
  }
}
