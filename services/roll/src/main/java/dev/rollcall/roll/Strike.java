package dev.rollcall.roll;

import com.hazelcast.map.EntryProcessor;
import com.hazelcast.nio.serialization.compact.CompactReader;
import com.hazelcast.nio.serialization.compact.CompactWriter;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Removes what a node has told, unless a later registration of it has told it anew. */
@SuppressWarnings("serial") // as in Enter
record Strike<K, V extends Statement>(String node, long registration)
    implements EntryProcessor<K, V, Boolean> {
  @SuppressWarnings({"unchecked", "rawtypes"})
  static final Serializer<Strike<?, ?>> SERIALIZER =
      new Serializer<>("rollcall.strike", (Class) Strike.class, Strike::write, Strike::read);

  @Override
  @SuppressWarnings("DataFlowIssue")
  public Boolean process(Map.Entry<K, V> entry) {
    @Nullable V before = entry.getValue();
    if (before == null || !before.node().equals(node) || before.registration() > registration) {
      return false;
    }
    remove(entry);
    return true;
  }

  // To set null is how an entry processor removes; Map.Entry is annotated as refusing it.
  @SuppressWarnings("NullAway")
  private static <K, V> void remove(Map.Entry<K, V> entry) {
    entry.setValue(null);
  }

  private static void write(CompactWriter out, Strike<?, ?> strike) {
    out.writeString("node", strike.node());
    out.writeInt64("registration", strike.registration());
  }

  private static Strike<?, ?> read(CompactReader in) {
    return new Strike<Object, Statement>(
        NodeFields.string(in, "node"), in.readInt64("registration"));
  }
}
