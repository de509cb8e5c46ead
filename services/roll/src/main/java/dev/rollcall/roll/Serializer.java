package dev.rollcall.roll;

import com.hazelcast.nio.serialization.compact.CompactReader;
import com.hazelcast.nio.serialization.compact.CompactSerializer;
import com.hazelcast.nio.serialization.compact.CompactWriter;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Writes and reads values of one type, as members send them to each other.
 *
 * @param name never changes
 */
record Serializer<T>(
    String name,
    Class<T> type,
    BiConsumer<CompactWriter, T> writer,
    Function<CompactReader, T> reader)
    implements CompactSerializer<T> {
  @Override
  public void write(CompactWriter out, T value) {
    writer.accept(out, value);
  }

  @Override
  public T read(CompactReader in) {
    return reader.apply(in);
  }

  @Override
  public String getTypeName() {
    return name;
  }

  @Override
  public Class<T> getCompactClass() {
    return type;
  }
}
