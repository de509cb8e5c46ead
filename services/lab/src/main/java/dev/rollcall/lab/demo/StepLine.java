package dev.rollcall.lab.demo;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Shows the present step of the demo and the time since the start. A terminal has one line, which
 * is written again each second; elsewhere each step is a line. Safe for use by several threads.
 */
final class StepLine implements AutoCloseable {
  /** Return, erase the line, and do not break at the right edge until the end of the line. */
  private static final String AGAIN = "\r\u001b[K";

  private final PrintWriter err;
  private final boolean terminal;
  private final long started = System.nanoTime();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("rollcall-step-line").factory());
  private Optional<String> step = Optional.empty();

  StepLine(PrintWriter err, DemoTerminal terminal) {
    this.err = err;
    this.terminal = terminal.steps();
    if (this.terminal) {
      var _ = timer.scheduleAtFixedRate(this::draw, 1, 1, TimeUnit.SECONDS);
    }
  }

  /** Shows a step, which lasts until the next one or {@link #clear}. */
  synchronized void show(String next) {
    step = Optional.of(next);
    if (terminal) {
      draw();
    } else {
      Playbill.say(err, "rollcall: " + next);
    }
  }

  /** Removes the line, so that something else can be printed. */
  synchronized void clear() {
    if (terminal && step.isPresent()) {
      err.print(AGAIN);
      err.flush();
    }
    step = Optional.empty();
  }

  private synchronized void draw() {
    step.ifPresent(present -> {
      long seconds = Duration.ofNanos(System.nanoTime() - started).toSeconds();
      err.print(AGAIN + "\u001b[?7lrollcall: %s, %d s\u001b[?7h".formatted(present, seconds));
      err.flush();
    });
  }

  @Override
  public void close() {
    timer.shutdownNow();
    clear();
  }
}
