package dev.rollcall.jobs.container;

import static java.lang.System.Logger.Level.WARNING;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * Steps of which all are done or none: when one fails, those before it are undone, the last first.
 * What is done in a namespace that nobody keeps needs no undoing.
 */
final class Sequence {
  private static final System.Logger LOG = System.getLogger(Sequence.class.getName());

  /** What is done, or undone. */
  @FunctionalInterface
  interface Action {
    void run() throws IOException;
  }

  private record Undo(String step, Action action) {}

  private final Deque<Undo> undos = new ArrayDeque<>();
  private final Consumer<String> before;

  /**
   * @param before is told of each step before it is done, of each undoing, and of moments within
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

  /** Undoes all steps. What cannot be undone is logged. */
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
