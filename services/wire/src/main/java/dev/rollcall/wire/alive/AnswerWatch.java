package dev.rollcall.wire.alive;

import dev.rollcall.wire.log.ProcessEnd;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Ends this process when an event loop or another part of it does not answer for long. It asks only
 * parts that are at work, so that an idle process does not wake for it, and counts seconds by the
 * ticks of its own thread: a pause of the whole process (a collection, SIGSTOP, a suspended
 * machine) is one tick, and a clock that is set is none.
 */
public final class AnswerWatch implements AutoCloseable {
  /** The period of a watch that only others have look. */
  public static final Duration ONLY_WHEN_TOLD = Duration.ofDays(100);

  private static final long TICK = 1_000_000_000L;
  private static final int FRAMES = 12;

  /** From then on {@link #objection} names the part. */
  private static final int LATE_SECONDS = 10;

  private final List<Question> questions;
  private final Duration period;
  private final Consumer<String> end;
  private final Thread thread;
  private volatile boolean closed;

  /** A question to one part, when it is open. */
  private static final class Question {
    final WatchedPart of;
    volatile boolean open;
    final AtomicInteger ticks = new AtomicInteger();

    /** It looked itself since the others were asked last. */
    volatile boolean looked;

    Question(WatchedPart of) {
      this.of = of;
    }
  }

  AnswerWatch(List<WatchedPart> asked, Duration period, Consumer<String> end) {
    this.questions = asked.stream().map(Question::new).toList();
    this.period = period;
    this.end = end;
    this.thread = Thread.ofPlatform().daemon().name("rollcall-answers").unstarted(this::repeat);
  }

  /**
   * Starts to watch.
   *
   * @param period from one look to the next, of the watch's own
   */
  public static AnswerWatch start(List<WatchedPart> asked, Duration period) {
    var watch = new AnswerWatch(asked, period, ProcessEnd.NOT_ANSWERING::now);
    watch.thread.start();
    return watch;
  }

  /** Asks the parts that are at work. Wakes none that is idle. From any thread. */
  public void look() {
    boolean asks = false;
    for (Question each : questions) {
      WatchedPart.State state = each.of.state().get();
      if (state == WatchedPart.State.ASKS) {
        each.looked = true;
      } else if (state == WatchedPart.State.WORKS && !each.open && !each.looked) {
        each.ticks.set(0);
        each.open = true;
        ask(each);
        asks = true;
      } else {
        each.looked = false;
      }
    }
    if (asks) {
      LockSupport.unpark(thread);
    }
  }

  private static void ask(Question question) {
    try {
      question.of.where().execute(() -> question.open = false);
    } catch (RejectedExecutionException e) {
      // It has ended, and never answers.
    }
  }

  /** Names a part that has not answered for 10 s; empty if there is none. */
  public Optional<String> objection() {
    return questions.stream()
        .filter(each -> each.open && each.ticks.get() >= LATE_SECONDS)
        .findFirst()
        .map(AnswerWatch::late);
  }

  private static String late(Question question) {
    return question.of.name() + " has not answered for " + question.ticks.get() + " s";
  }

  private void repeat() {
    long ticked = System.nanoTime();
    while (!closed) {
      boolean waits = questions.stream().anyMatch(each -> each.open);
      LockSupport.parkNanos(this, waits ? TICK : period.toNanos());
      long now = System.nanoTime();
      if (waits && now - ticked >= TICK) {
        ticked = now;
        tick();
      } else if (!waits) {
        ticked = now;
        look();
      }
    }
  }

  /** One second has passed for this thread, or more. */
  void tick() {
    for (Question each : questions) {
      if (each.open && each.ticks.incrementAndGet() >= each.of.seconds()) {
        String stack =
            Arrays.stream(each.of.stack().get())
                .limit(FRAMES)
                .map(StackTraceElement::toString)
                .collect(Collectors.joining(" < "));
        end.accept(late(each) + (stack.isEmpty() ? "" : ", it is in " + stack));
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }
}
