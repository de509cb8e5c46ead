package dev.rollcall.roll;

import com.hazelcast.map.EntryProcessor;
import com.hazelcast.nio.serialization.compact.CompactReader;
import com.hazelcast.nio.serialization.compact.CompactSerializer;
import com.hazelcast.nio.serialization.compact.CompactWriter;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Removes a job unless a later sitting has told it anew. */
@SuppressWarnings("serial") // as in Enter
record Strike(long sitting) implements EntryProcessor<String, JobValue, Boolean> {
  @Override
  @SuppressWarnings("DataFlowIssue")
  public Boolean process(Map.Entry<String, JobValue> entry) {
    @Nullable JobValue before = entry.getValue();
    if (before == null || before.sitting() > sitting) {
      return false;
    }
    remove(entry);
    return true;
  }

  // To set null is how an entry processor removes; Map.Entry is annotated as refusing it.
  @SuppressWarnings("NullAway")
  private static void remove(Map.Entry<String, JobValue> entry) {
    entry.setValue(null);
  }

  static final class Serializer implements CompactSerializer<Strike> {
    @Override
    public void write(CompactWriter out, Strike strike) {
      out.writeInt64("sitting", strike.sitting());
    }

    @Override
    public Strike read(CompactReader in) {
      return new Strike(in.readInt64("sitting"));
    }

    @Override
    public String getTypeName() {
      return "rollcall.strike";
    }

    @Override
    public Class<Strike> getCompactClass() {
      return Strike.class;
    }
  }
}
