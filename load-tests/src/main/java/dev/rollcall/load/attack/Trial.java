package dev.rollcall.load.attack;

import dev.rollcall.load.attack.AttackOutcome.Kind;
import dev.rollcall.load.attack.AttackOutcome.Success;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Attacks one process again and again, until an attack succeeds: then the next one is of a new
 * process.
 */
final class Trial implements AutoCloseable {
  static final long DEAF_MILLIS = 1_000;
  private static final long BACK_WITHIN = TimeUnit.SECONDS.toNanos(10);
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** A process that answers nobody for so long is not waited for. */
  private static final long GIVEN_UP_MILLIS = 20_000;

  private static final int WARM_UP_QUESTIONS = 100;

  /** So that code and classes that each attack needs are loaded before its memory is measured. */
  private static final Attack WARM_UP =
      Attack.parse(
          """
          open h2 stranger 2 2 reads
          calls /v1/nodes 5 5 ended
          open h2 user 2 2 reads
          calls /rollcall.v1.JobService/List 5 5 open
          message fields 10000 100 5
          end
          open http1 stranger 2 2 reads
          calls /openapi.json 3 0 ended
          open frames user 4 4 reads
          calls /rollcall.v1.JobService/List 5 0 ended
          message groups 8000 100 2
          wait 300
          """);

  private final Supplier<AttackTarget> start;
  private Optional<AttackTarget> target = Optional.empty();
  private Memory before = new Memory(0, 0);

  Trial(Supplier<AttackTarget> start) {
    this.start = start;
  }

  /** Runs one, on a process that has survived those before it. */
  AttackOutcome run(Attack attack) {
    AttackTarget attacked = target.orElseGet(this::fresh);
    AttackOutcome outcome = run(attacked, attack);
    if (outcome.success().isPresent()) {
      close();
    }
    return outcome;
  }

  private AttackTarget fresh() {
    AttackTarget fresh = start.get();
    target = Optional.of(fresh);
    for (int i = 0; i < WARM_UP_QUESTIONS; i++) {
      try {
        fresh.ask();
      } catch (IOException e) {
        LockSupport.parkNanos(LOOK_NANOS); // it is new, and the machine is busy
      }
    }
    try (var warm = new AttackRun(fresh)) {
      warm.run(WARM_UP, () -> true);
    }
    LockSupport.parkNanos(LOOK_NANOS);
    before = Memory.of(fresh.pid());
    return fresh;
  }

  @SuppressWarnings("try") // the attack closes before memory is looked at
  private AttackOutcome run(AttackTarget attacked, Attack attack) {
    try (var honest = new HonestClient(attacked);
        var run = new AttackRun(attacked)) {
      run.run(attack, () -> attacked.isAlive() && honest.longestMillis() < GIVEN_UP_MILLIS);
      if (!attacked.isAlive() || honest.longestMillis() >= GIVEN_UP_MILLIS) {
        return outcome(attacked, honest, before, before);
      }
      Memory during = Memory.of(attacked.pid());
      run.close();
      Memory after = settled(attacked);
      return outcome(attacked, honest, during, after);
    }
  }

  private AttackOutcome outcome(
      AttackTarget attacked, HonestClient honest, Memory during, Memory after) {
    long delay = honest.longestMillis();
    Optional<Success> success = success(attacked, delay, honest.refusal(), after);
    return new AttackOutcome(delay, before, during, after, success);
  }

  private Optional<Success> success(
      AttackTarget attacked, long delayMillis, String refusal, Memory after) {
    if (!attacked.isAlive()) {
      return Optional.of(new Success(Kind.END, "the process ended:\n" + attacked.endOfLog()));
    }
    if (delayMillis > DEAF_MILLIS || after.equals(Memory.UNKNOWN)) {
      String text = "an honest client waited " + delayMillis + " ms " + refusal;
      return Optional.of(new Success(Kind.DELAY, text.strip()));
    }
    return after.isBackTo(before)
        ? Optional.empty()
        : Optional.of(
            new Success(Kind.MEMORY, after + " 10 s after it, and " + before + " before"));
  }

  private Memory settled(AttackTarget attacked) {
    long end = System.nanoTime() + BACK_WITHIN;
    Memory now = Memory.of(attacked.pid());
    while (!now.isBackTo(before) && attacked.isAlive() && System.nanoTime() < end) {
      LockSupport.parkNanos(LOOK_NANOS);
      now = Memory.of(attacked.pid());
    }
    return now;
  }

  @Override
  public void close() {
    target.ifPresent(AttackTarget::close);
    target = Optional.empty();
  }
}
