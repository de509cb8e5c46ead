package dev.rollcall.roll;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.merge.MergingValue;
import com.hazelcast.spi.merge.SplitBrainMergePolicy;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of an entry that both parts of a split grid hold: the node's later statement stays.
 * Its own order is better than Hazelcast's "latest update", which compares clocks of two members.
 */
public final class LaterStatementWins
    implements SplitBrainMergePolicy<Object, MergingValue<Object>, Object> {
  @Override
  public @Nullable Object merge(
      @Nullable MergingValue<Object> merging, @Nullable MergingValue<Object> existing) {
    if (merging == null || existing == null) {
      MergingValue<Object> only = merging == null ? existing : merging;
      return only == null ? null : only.getRawValue();
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
