package dev.rollcall.roll;

import com.hazelcast.core.EntryEvent;
import com.hazelcast.map.IMap;
import com.hazelcast.map.listener.EntryAddedListener;
import com.hazelcast.map.listener.EntryMergedListener;
import com.hazelcast.map.listener.EntryRemovedListener;
import com.hazelcast.map.listener.EntryUpdatedListener;
import java.util.Collection;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The map {@code nodes}. A value changes by compare-and-swap, so that the rules run here, in plain
 * code of one version, and not on the grid's partition threads. One stream writes a node's entry,
 * so the swap nearly always succeeds at once, and it starts from the index: a renewed lease is one
 * operation.
 */
final class NodeTable implements AutoCloseable {
  record Change(@Nullable NodeValue before, @Nullable NodeValue after) {
    boolean happened() {
      return !Objects.equals(before, after);
    }
  }

  private final IMap<String, NodeValue> map;
  private final NodeIndex index;
  private final UUID listener;

  NodeTable(IMap<String, NodeValue> map, LeaseWatch leases) {
    this.map = map;
    this.index = new NodeIndex(leases);
    this.listener = map.addEntryListener(new Listener(), true);
    rebuild();
  }

  NodeIndex index() {
    return index;
  }

  @Nullable NodeValue get(String node) {
    return map.get(node);
  }

  Collection<NodeValue> all() {
    return map.values();
  }

  /** Those of these nodes that there are. */
  Collection<NodeValue> all(Set<String> nodes) {
    return map.getAll(nodes).values();
  }

  /**
   * @param step returns its argument where nothing changes
   */
  Change update(String node, UnaryOperator<@Nullable NodeValue> step) {
    @Nullable NodeValue before = index.find(node).orElse(null);
    @Nullable NodeValue after = before == null ? null : step.apply(before);
    boolean swapped = !Objects.equals(before, after) && swap(node, before, after);
    while (!swapped && !Thread.currentThread().isInterrupted()) {
      before = map.get(node);
      after = step.apply(before);
      swapped = Objects.equals(before, after) || swap(node, before, after);
    }
    if (after != null) {
      index.told(after);
    }
    return new Change(before, after);
  }

  private boolean swap(String node, @Nullable NodeValue before, @Nullable NodeValue after) {
    if (after == null) {
      throw new IllegalStateException("a step may not remove node " + node);
    }
    return before == null
        ? map.putIfAbsent(node, after) == null
        : map.executeOnKey(node, new Swap(before, after));
  }

  /** Events may be lost with the member that would have sent them. */
  void rebuild() {
    Collection<NodeValue> values = map.values();
    Set<String> there = values.stream().map(NodeValue::node).collect(Collectors.toSet());
    values.forEach(index::told);
    index.all().stream()
        .map(NodeValue::node)
        .filter(node -> !there.contains(node) && map.get(node) == null)
        .forEach(index::forgotten);
  }

  @Override
  public void close() {
    map.removeEntryListener(listener);
  }

  private final class Listener
      implements EntryAddedListener<String, NodeValue>,
          EntryUpdatedListener<String, NodeValue>,
          EntryMergedListener<String, NodeValue>,
          EntryRemovedListener<String, NodeValue> {
    @Override
    public void entryAdded(EntryEvent<String, NodeValue> event) {
      index.told(event.getValue());
    }

    @Override
    public void entryUpdated(EntryEvent<String, NodeValue> event) {
      index.told(event.getValue());
    }

    @Override
    public void entryMerged(EntryEvent<String, NodeValue> event) {
      index.told(event.getValue());
    }

    @Override
    public void entryRemoved(EntryEvent<String, NodeValue> event) {
      index.forgotten(event.getKey());
    }
  }
}
