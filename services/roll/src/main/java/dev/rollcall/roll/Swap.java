package dev.rollcall.roll;

import static java.util.Objects.requireNonNull;

import com.hazelcast.map.EntryProcessor;
import com.hazelcast.nio.serialization.compact.CompactReader;
import com.hazelcast.nio.serialization.compact.CompactWriter;
import java.util.Map;

/**
 * Replaces a node's entry if it equals the expected one, where the entry is stored. It compares
 * values and not bytes, as {@code IMap.replace} does: a member of another version may have written
 * the entry with fields that this version does not know.
 */
@SuppressWarnings("serial") // as in Enter
record Swap(NodeValue expected, NodeValue next)
    implements EntryProcessor<String, NodeValue, Boolean> {
  static final Serializer<Swap> SERIALIZER =
      new Serializer<>("rollcall.swap", Swap.class, Swap::write, Swap::read);

  @Override
  public Boolean process(Map.Entry<String, NodeValue> entry) {
    if (!expected.equals(entry.getValue())) {
      return false;
    }
    entry.setValue(next);
    return true;
  }

  private static void write(CompactWriter out, Swap swap) {
    out.writeCompact("expected", swap.expected());
    out.writeCompact("next", swap.next());
  }

  private static Swap read(CompactReader in) {
    NodeValue expected = requireNonNull(in.readCompact("expected"));
    NodeValue next = requireNonNull(in.readCompact("next"));
    return new Swap(expected, next);
  }
}
