package dev.rollcall.testkit.history;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Records the operations of several threads, with their answers. */
public record History<O, A>(List<RecordedCall<O, A>> calls) {
  public History {
    calls = calls.stream().sorted(Comparator.comparingLong(RecordedCall::begun)).toList();
  }

  /**
   * An order of the calls' steps in which one thread alone would have had the same answers, and in
   * which nothing comes before what was over when it began.
   *
   * @return empty if there is none: the thing is not linearizable
   */
  public <S> Optional<List<RecordedCall<O, A>>> order(Specification<S, O, A> specification) {
    return new Search<>(calls, specification).order();
  }

  /** The same calls, whose answers are now known. */
  public <B> History<O, B> answered(Function<RecordedCall<O, A>, B> answer) {
    return new History<>(calls.stream().map(call -> call.answered(answer.apply(call))).toList());
  }

  /** A line for each call, with the microseconds since the first began. */
  @Override
  public String toString() {
    long first = calls.isEmpty() ? 0 : calls.getFirst().begun();
    return calls.stream()
        .map(call ->
            "%9.1f to %9.1f us, thread %d: %s -> %s"
                .formatted(
                    (call.begun() - first) / 1e3,
                    (call.ended() - first) / 1e3,
                    call.thread(),
                    call.operation(),
                    call.answer()))
        .collect(Collectors.joining("\n", "\n", "\n"));
  }
}
