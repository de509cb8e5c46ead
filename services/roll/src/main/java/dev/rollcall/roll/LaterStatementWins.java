package dev.rollcall.roll;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.merge.MergingValue;
import com.hazelcast.spi.merge.SplitBrainMergePolicy;
import org.jspecify.annotations.Nullable;

/**
 * Merges the entries of two parts of a split Hazelcast cluster: the later update wins. Where both
 * hold one, the node's later statement stays: its own order is better than Hazelcast's "latest
 * update", which compares clocks of two members. A job or a call that the other part does not hold
 * may have been struck there, by a node that is still connected there and would never strike it
 * again: it goes. The nodes of the part that is merged connect again, and tell what they have.
 */
public final class LaterStatementWins
    implements SplitBrainMergePolicy<Object, MergingValue<Object>, Object> {
  @Override
  public @Nullable Object merge(
      @Nullable MergingValue<Object> merging, @Nullable MergingValue<Object> existing) {
    if (merging == null) {
      return existing == null ? null : existing.getRawValue();
    }
    if (existing == null) {
      return merging.getDeserializedValue() instanceof NodeValue ? merging.getRawValue() : null;
    }
    return merging.getDeserializedValue() instanceof Statement incoming
            && existing.getDeserializedValue() instanceof Statement here
            && incoming.supersedes(here)
        ? merging.getRawValue()
        : existing.getRawValue();
  }

  @Override
  public void writeData(ObjectDataOutput out) {}

  @Override
  public void readData(ObjectDataInput in) {}
}
