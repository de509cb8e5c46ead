package dev.rollcall.agent.login.caller;

import dev.rollcall.testkit.history.RecordedCall;
import dev.rollcall.testkit.history.Specification;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The board as one thread would see it. */
final class SequentialCallers
    implements Specification<SequentialCallers.State, CallerAction, Integer> {
  record Entry(int node, int pid) {}

  /**
   * @param entries by port
   * @param told how far each node has counted
   */
  record State(Map<Integer, Entry> entries, Map<Integer, Long> told) {}

  @Override
  public State start() {
    return new State(Map.of(), Map.of());
  }

  @Override
  public Set<State> after(State state, RecordedCall<CallerAction, Integer> call, int step) {
    return switch (call.operation()) {
      case CallerAction.Announce announced -> Set.of(announced(state, announced));
      case CallerAction.Withdraw withdrawn -> Set.of(withdrawn(state, withdrawn));
      case CallerAction.Take(int port) -> taken(state, port, call.answer());
      case CallerAction.Lose(int node) -> Set.of(new State(without(state, node), state.told()));
      case CallerAction.Expire() -> Set.of(new State(Map.of(), Map.of()));
    };
  }

  private static State announced(State state, CallerAction.Announce call) {
    if (isOld(state, call.node(), call.sequence())) {
      return state;
    }
    State counted = counted(state, call.node(), call.sequence());
    var entries = new HashMap<>(counted.entries());
    entries.put(call.port(), new Entry(call.node(), call.pid()));
    return new State(entries, counted.told());
  }

  private static State withdrawn(State state, CallerAction.Withdraw call) {
    if (isOld(state, call.node(), call.sequence())) {
      return state;
    }
    State counted = counted(state, call.node(), call.sequence());
    var entries = new HashMap<>(counted.entries());
    entries.computeIfPresent(call.port(), (_, entry) -> entry.node() == call.node() ? null : entry);
    return new State(entries, counted.told());
  }

  private static boolean isOld(State state, int node, long sequence) {
    Long before = state.told().get(node);
    return before != null && sequence <= before;
  }

  private static State counted(State state, int node, long sequence) {
    Long before = state.told().get(node);
    boolean gap = before != null && sequence != before + 1;
    var told = new HashMap<>(state.told());
    told.put(node, sequence);
    return new State(gap ? without(state, node) : state.entries(), told);
  }

  private static Set<State> taken(State state, int port, int pid) {
    Entry entry = state.entries().get(port);
    if (pid != (entry == null ? 0 : entry.pid())) {
      return Set.of();
    }
    var left = new HashMap<>(state.entries());
    left.remove(port);
    return Set.of(new State(left, state.told()));
  }

  private static Map<Integer, Entry> without(State state, int node) {
    var left = new HashMap<>(state.entries());
    left.values().removeIf(entry -> entry.node() == node);
    return left;
  }
}
