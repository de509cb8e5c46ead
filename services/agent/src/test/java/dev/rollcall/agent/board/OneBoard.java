package dev.rollcall.agent.board;

import dev.rollcall.testkit.history.Call;
import dev.rollcall.testkit.history.Specification;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The board as one thread would see it. */
final class OneBoard implements Specification<OneBoard.State, BoardDeed, Integer> {
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
  public Set<State> after(State state, Call<BoardDeed, Integer> call, int step) {
    return switch (call.operation()) {
      case BoardDeed.Announce announced -> Set.of(announced(state, announced));
      case BoardDeed.Take(int port) -> taken(state, port, call.answer());
      case BoardDeed.Lose(int node) -> Set.of(new State(without(state, node), state.told()));
      case BoardDeed.Expire() -> Set.of(new State(Map.of(), state.told()));
    };
  }

  private static State announced(State state, BoardDeed.Announce call) {
    Long before = state.told().get(call.node());
    if (before != null && call.sequence() <= before) {
      return state;
    }
    boolean gap = before != null && call.sequence() != before + 1;
    var entries = gap ? without(state, call.node()) : new HashMap<>(state.entries());
    entries.put(call.port(), new Entry(call.node(), call.pid()));
    var told = new HashMap<>(state.told());
    told.put(call.node(), call.sequence());
    return new State(entries, told);
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
