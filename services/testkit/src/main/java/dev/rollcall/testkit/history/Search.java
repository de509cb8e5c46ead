package dev.rollcall.testkit.history;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Looks for an order, depth first, and never twice from the same place: Wing and Gong, "Testing and
 * Verifying Concurrent Objects" (1993), with Lowe's memory, "Testing for linearizability" (2017).
 */
final class Search<S, O, A> {
  /** How many steps of each call are done, and the state after them. */
  private record Place<S>(List<Integer> done, S state) {
    Place<S> step(int call, S next) {
      return new Place<>(
          IntStream.range(0, done.size())
              .mapToObj(each -> done.get(each) + (each == call ? 1 : 0))
              .toList(),
          next);
    }
  }

  private final List<RecordedCall<O, A>> calls;
  private final Specification<S, O, A> specification;
  private final Set<Place<S>> seen = new HashSet<>();
  private final Deque<RecordedCall<O, A>> order = new ArrayDeque<>();

  Search(List<RecordedCall<O, A>> calls, Specification<S, O, A> specification) {
    this.calls = calls;
    this.specification = specification;
  }

  Optional<List<RecordedCall<O, A>>> order() {
    List<Integer> none = calls.stream().map(_ -> 0).toList();
    return found(new Place<>(none, specification.start()))
        ? Optional.of(List.copyOf(order))
        : Optional.empty();
  }

  private boolean found(Place<S> from) {
    if (!seen.add(from)) {
      return false;
    }
    boolean over = true;
    for (int each = 0; each < calls.size(); each++) {
      if (!isOver(from, each)) {
        over = false;
        if (mayGoOn(from, each) && foundBy(from, each)) {
          return true;
        }
      }
    }
    return over;
  }

  private boolean foundBy(Place<S> from, int index) {
    RecordedCall<O, A> call = calls.get(index);
    order.addLast(call);
    for (S next : specification.after(from.state(), call, from.done().get(index))) {
      if (found(from.step(index, next))) {
        return true;
      }
    }
    order.removeLast();
    return false;
  }

  private boolean isOver(Place<S> at, int index) {
    return at.done().get(index) == specification.steps(calls.get(index).operation());
  }

  private boolean mayGoOn(Place<S> at, int index) {
    return IntStream.range(0, calls.size())
        .noneMatch(each -> !isOver(at, each) && calls.get(each).isBefore(calls.get(index)));
  }
}
