package dev.rollcall.roll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.NodeName;
import dev.rollcall.port.Roll.NodeDescription;
import dev.rollcall.port.Roll.Owner;
import dev.rollcall.testkit.history.RecordedCall;
import dev.rollcall.testkit.history.Rounds;
import dev.rollcall.testkit.history.Specification;
import dev.rollcall.testkit.history.Subject;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Nodes move from one address to another, renew, are lost and are forgotten while others ask.
 * {@code all} is not here: it is a listing that changes as it is read.
 */
class NodeIndexHistoryTest {
  private static final Rounds ROUNDS = Rounds.of(5_000, 500_000, 3, 6);

  private sealed interface Operation {
    record Told(NodeValue value) implements Operation {
      @Override
      public String toString() {
        return "told %s rev %d at %s, reports %s%s"
            .formatted(
                value.node(),
                value.revision(),
                value.said().addresses(),
                value.said().reported(),
                value.lease().lost() ? ", lost" : "");
      }
    }

    record Forgotten(String node) implements Operation {}

    record Find(String node) implements Operation {}

    record OwnerOf(InetAddress address) implements Operation {}
  }

  /** What the index and its broken copy have. */
  private interface Index {
    void told(NodeValue value);

    void forgotten(String node);

    Optional<NodeValue> find(String node);

    Owner ownerOf(InetAddress address);
  }

  /** One map, one thread. */
  private static final class OneMap
      implements Specification<Map<String, NodeValue>, Operation, Object> {
    @Override
    public Map<String, NodeValue> start() {
      return Map.of();
    }

    @Override
    public Set<Map<String, NodeValue>> after(
        Map<String, NodeValue> state, RecordedCall<Operation, Object> call, int step) {
      return switch (call.operation()) {
        case Operation.Told(NodeValue value) -> Set.of(told(state, value));
        case Operation.Forgotten(String node) -> Set.of(without(state, node));
        case Operation.Find(String node) ->
            only(state, call.answer().equals(said(Optional.ofNullable(state.get(node)))));
        case Operation.OwnerOf(InetAddress address) ->
            only(state, call.answer().equals(owner(state, address)));
      };
    }

    private static <T> Set<T> only(T state, boolean isSo) {
      return isSo ? Set.of(state) : Set.of();
    }

    private static Map<String, NodeValue> told(Map<String, NodeValue> before, NodeValue value) {
      NodeValue known = before.get(value.node());
      var after = new HashMap<>(before);
      if (known == null || value.revision() > known.revision()) {
        after.put(value.node(), value);
      }
      return after;
    }

    private static Map<String, NodeValue> without(Map<String, NodeValue> before, String node) {
      var after = new HashMap<>(before);
      after.remove(node);
      return after;
    }

    private static Owner owner(Map<String, NodeValue> state, InetAddress address) {
      boolean isListed =
          state.values().stream().anyMatch(each -> each.said().addresses().contains(address));
      List<NodeValue> owners =
          state.values().stream()
              .filter(each -> !each.lease().lost())
              .filter(each ->
                  each.said().addresses().contains(address)
                      || (!isListed && each.said().reported().contains(address)))
              .toList();
      return switch (owners.size()) {
        case 0 -> new Owner.Nobody();
        case 1 ->
            new Owner.OneNode(owners.getFirst().epoch().node(), owners.getFirst().said().gateway());
        default ->
            new Owner.Disputed(
                owners.stream().map(each -> each.epoch().node()).collect(Collectors.toSet()));
      };
    }
  }

  private static Object said(Optional<NodeValue> found) {
    return found.map(value -> "rev " + value.revision() + ", " + value.said()).orElse("nobody");
  }

  private record Using(Index index) implements Subject<Operation, Object> {
    @Override
    public Operation next(Random random, int thread) {
      int node = random.nextInt(2);
      return switch (random.nextInt(8)) {
        case 0, 1, 2 -> new Operation.Told(value(node, random));
        case 3 -> new Operation.Find("node" + node);
        case 4 ->
            random.nextInt(3) == 0
                ? new Operation.Forgotten("node" + node)
                : new Operation.Find("node" + node);
        default -> new Operation.OwnerOf(address(random.nextInt(2)));
      };
    }

    @Override
    public Object perform(Operation operation) {
      return switch (operation) {
        case Operation.Told(NodeValue value) -> {
          index.told(value);
          yield "";
        }
        case Operation.Forgotten(String node) -> {
          index.forgotten(node);
          yield "";
        }
        case Operation.Find(String node) -> said(index.find(node));
        case Operation.OwnerOf(InetAddress address) -> index.ownerOf(address);
      };
    }
  }

  private static NodeValue value(int node, Random random) {
    var epoch = new NodeEpoch(new NodeName("node" + node), "boot", 1);
    int revision = 1 + random.nextInt(6);
    Set<InetAddress> one = Set.of(address(random.nextInt(2)));
    boolean isListed = random.nextBoolean();
    return new NodeValue(
        new NodeDescription(
            epoch,
            isListed ? one : Set.of(),
            "gateway" + revision,
            "0.1.0",
            "sock_ops",
            isListed ? Set.of() : one,
            Set.of(),
            Optional.empty()),
        1,
        revision,
        new NodeValue.Floors(0, 0, 0),
        new NodeValue.Lease(0, 1, random.nextInt(6) == 0),
        List.of());
  }

  private static InetAddress address(int number) {
    return InetAddress.ofLiteral("10.0.0." + (1 + number));
  }

  /** The index as it is. */
  private static Index real() {
    var index = new NodeIndex(new LeaseWatch(System::nanoTime));
    return new Index() {
      @Override
      public void told(NodeValue value) {
        index.told(value);
      }

      @Override
      public void forgotten(String node) {
        index.forgotten(node);
      }

      @Override
      public Optional<NodeValue> find(String node) {
        return index.find(node);
      }

      @Override
      public Owner ownerOf(InetAddress address) {
        return index.ownerOf(address);
      }
    };
  }

  /** Two maps, the second written after the first, and read by whoever comes between. */
  private static final class TwoMaps implements Index {
    private final Map<String, NodeValue> nodes = new ConcurrentHashMap<>();
    private final Map<InetAddress, Owner> owners = new ConcurrentHashMap<>();

    @Override
    public synchronized void told(NodeValue value) {
      nodes.merge(
          value.node(), value, (old, told) -> told.revision() > old.revision() ? told : old);
      enter();
    }

    @Override
    public synchronized void forgotten(String node) {
      nodes.remove(node);
      enter();
    }

    private void enter() {
      LockSupport.parkNanos(1_000);
      for (int each = 0; each < 2; each++) {
        owners.put(address(each), OneMap.owner(nodes, address(each)));
      }
    }

    @Override
    public Optional<NodeValue> find(String node) {
      return Optional.ofNullable(nodes.get(node));
    }

    @Override
    public Owner ownerOf(InetAddress address) {
      return owners.getOrDefault(address, new Owner.Nobody());
    }
  }

  @Test
  void theIndexAnswersAsIfOneThreadUsedIt() throws Exception {
    assertEquals(Optional.empty(), ROUNDS.unexplained(() -> new Using(real()), new OneMap()));
    System.out.printf("node index: %d rounds were linearizable%n", ROUNDS.count());
  }

  @Test
  void anIndexThatWritesOneMapAfterTheOtherIsFound() throws Exception {
    var found = ROUNDS.unexplained(() -> new Using(new TwoMaps()), new OneMap());
    assertTrue(found.isPresent());
  }
}
