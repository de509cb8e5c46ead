package dev.rollcall.roll;

import static java.util.Objects.requireNonNull;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.nio.serialization.compact.CompactReader;
import com.hazelcast.nio.serialization.compact.CompactWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Messages on their way to one gateway, run there. Answers with one text for each: empty when it
 * was received, else why not.
 */
final class GatewayMessages implements Callable<String[]>, HazelcastInstanceAware {
  static final Serializer<GatewayMessages> SERIALIZER =
      new Serializer<>(
          "rollcall.letters", GatewayMessages.class, GatewayMessages::write, GatewayMessages::read);

  private final String from;
  private final List<byte[]> messages;
  private @Nullable HazelcastInstance there;

  GatewayMessages(String from, List<byte[]> messages) {
    this.from = from;
    this.messages = messages;
  }

  @Override
  public void setHazelcastInstance(HazelcastInstance instance) {
    there = instance;
  }

  @Override
  public String[] call() {
    Object mail = requireNonNull(there).getUserContext().get(HazelcastMail.EXECUTOR);
    return messages.stream()
        .map(
            m -> mail instanceof HazelcastMail open ? open.received(from, m) : "starting or closed")
        .toArray(String[]::new);
  }

  private static void write(CompactWriter out, GatewayMessages letters) {
    int size = letters.messages.stream().mapToInt(m -> Integer.BYTES + m.length).sum();
    ByteBuffer packed = ByteBuffer.allocate(size);
    letters.messages.forEach(m -> packed.putInt(m.length).put(m));
    out.writeString("from", letters.from);
    out.writeArrayOfInt8("messages", packed.array());
  }

  private static GatewayMessages read(CompactReader in) {
    String from = NodeFields.string(in, "from");
    ByteBuffer packed = ByteBuffer.wrap(requireNonNull(in.readArrayOfInt8("messages")));
    var messages = new ArrayList<byte[]>();
    while (packed.hasRemaining()) {
      byte[] message = new byte[packed.getInt()];
      packed.get(message);
      messages.add(message);
    }
    return new GatewayMessages(from, messages);
  }
}
