package dev.rollcall.roll;

import static java.util.Objects.requireNonNull;

import com.hazelcast.map.EntryProcessor;
import com.hazelcast.map.ExtendedMapEntry;
import com.hazelcast.nio.serialization.compact.CompactReader;
import com.hazelcast.nio.serialization.compact.CompactWriter;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Puts a statement unless a later registration of the same node has put one, in one operation where
 * the entry lives: a stalled gateway's late write cannot overtake a fresh one.
 *
 * @param lifeMillis 0: for ever
 */
// Serialized by Compact; Java serialization, which the interface drags in, is refused by the grid.
@SuppressWarnings("serial")
record Enter<K, V extends Statement>(V value, long lifeMillis)
    implements EntryProcessor<K, V, Boolean> {
  @SuppressWarnings({"unchecked", "rawtypes"})
  static final Serializer<Enter<?, ?>> SERIALIZER =
      new Serializer<>("rollcall.enter", (Class) Enter.class, Enter::write, Enter::read);

  @Override
  public Boolean process(Map.Entry<K, V> entry) {
    @Nullable V before = entry.getValue();
    if (before != null
        && before.node().equals(value.node())
        && before.registration() > value.registration()) {
      return false;
    }
    if (lifeMillis == 0) {
      entry.setValue(value);
    } else {
      ((ExtendedMapEntry<K, V>) entry).setValue(value, lifeMillis, TimeUnit.MILLISECONDS);
    }
    return true;
  }

  private static void write(CompactWriter out, Enter<?, ?> enter) {
    out.writeCompact("value", enter.value());
    out.writeInt64("lifeMillis", enter.lifeMillis());
  }

  private static Enter<?, ?> read(CompactReader in) {
    Statement value = requireNonNull(in.readCompact("value"));
    return new Enter<Object, Statement>(value, in.readInt64("lifeMillis"));
  }
}
