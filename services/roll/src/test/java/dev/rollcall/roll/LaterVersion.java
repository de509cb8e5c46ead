package dev.rollcall.roll;

import com.hazelcast.config.CompactSerializationConfig;
import com.hazelcast.config.Config;
import com.hazelcast.nio.serialization.compact.CompactReader;
import com.hazelcast.nio.serialization.compact.CompactSerializer;
import com.hazelcast.nio.serialization.compact.CompactWriter;

/**
 * A serializer of a later version, whose values have a field more. What an earlier version has
 * written has no such field.
 */
record LaterVersion<T>(CompactSerializer<T> ours) implements CompactSerializer<T> {
  private static final String ADDED = "addedLater";

  /** Makes a member one of that version. */
  static void of(Config member) {
    var later = new CompactSerializationConfig();
    MemberConfig.SERIALIZERS.forEach(each -> later.addSerializer(new LaterVersion<>(each)));
    member.getSerializationConfig().setCompactSerializationConfig(later);
  }

  @Override
  public void write(CompactWriter out, T value) {
    ours.write(out, value);
    out.writeString(ADDED, "what only a later version knows");
  }

  @Override
  public T read(CompactReader in) {
    return ours.read(in);
  }

  @Override
  public String getTypeName() {
    return ours.getTypeName();
  }

  @Override
  public Class<T> getCompactClass() {
    return ours.getCompactClass();
  }
}
