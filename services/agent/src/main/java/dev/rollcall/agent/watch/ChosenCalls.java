package dev.rollcall.agent.watch;

import dev.rollcall.agent.event.CallChosen;
import dev.rollcall.model.JobId;
import dev.rollcall.model.ProcessRef;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * For which jobs processes make their next calls. A choice is good for as long as a login may take;
 * of a user's the oldest makes room, and then the oldest of all. Thread-safe.
 */
final class ChosenCalls {
  static final Duration GOOD_FOR = Duration.ofMinutes(5);
  static final int MOST_OF_A_USER = 64;
  static final int MOST = 4_096;

  private record Choice(int uid, JobId job, long atNanos) {}

  private final LinkedHashMap<ProcessRef, Choice> choices = new LinkedHashMap<>();
  private final LongSupplier nanoClock;

  ChosenCalls(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  synchronized CallChosen choose(CallChosen chosen) {
    long now = nanoClock.getAsLong();
    choices.values().removeIf(choice -> isOver(choice, now));
    choices.remove(chosen.process());
    if (ofUser(chosen.uid()) >= MOST_OF_A_USER) {
      choices.entrySet().stream()
          .filter(each -> each.getValue().uid() == chosen.uid())
          .findFirst()
          .ifPresent(oldest -> choices.remove(oldest.getKey()));
    }
    if (choices.size() >= MOST) {
      choices.pollFirstEntry();
    }
    choices.put(chosen.process(), new Choice(chosen.uid(), chosen.job(), now));
    return chosen;
  }

  private long ofUser(int uid) {
    return choices.values().stream().filter(choice -> choice.uid() == uid).count();
  }

  /**
   * @param uid of the process as it called: another program than it was, if it is another's
   */
  synchronized Optional<JobId> of(ProcessRef process, int uid) {
    long now = nanoClock.getAsLong();
    return Optional.ofNullable(choices.get(process))
        .filter(choice -> choice.uid() == uid && !isOver(choice, now))
        .map(Choice::job);
  }

  private static boolean isOver(Choice choice, long now) {
    return now - choice.atNanos() > GOOD_FOR.toNanos();
  }
}
