package dev.rollcall.roll;

import com.hazelcast.nio.serialization.compact.CompactReader;
import com.hazelcast.nio.serialization.compact.CompactWriter;
import dev.rollcall.port.Roll.NodeDescription;
import dev.rollcall.roll.NodeValue.Floors;
import dev.rollcall.roll.NodeValue.Lease;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Writes equal values as equal bytes, addresses sorted: the table compares bytes when it swaps one
 * value for another.
 */
final class NodeSerializer {
  static final Serializer<NodeValue> SERIALIZER =
      new Serializer<>(
          "rollcall.node", NodeValue.class, NodeSerializer::write, NodeSerializer::read);

  private NodeSerializer() {}

  private static void write(CompactWriter out, NodeValue value) {
    NodeDescription said = value.said();
    NodeFields.writeEpoch(out, value.epoch());
    out.writeInt64("registration", value.registration());
    out.writeInt64("revision", value.revision());
    out.writeArrayOfString(
        "addresses",
        said.addresses().stream().map(InetAddress::getHostAddress).sorted().toArray(String[]::new));
    out.writeString("gateway", said.gateway());
    out.writeString("version", said.version());
    out.writeString("callSource", said.callSource());
    out.writeInt64("runFloor", value.floors().run());
    out.writeInt64("jobsFloor", value.floors().jobs());
    out.writeInt64("callsFloor", value.floors().calls());
    out.writeInt64("staleFloor", value.floors().stale());
    out.writeInt64("heardAt", value.lease().heardAt());
    out.writeInt64("ends", value.lease().ends());
    out.writeBoolean("lost", value.lease().lost());
    out.writeArrayOfString("pastBoots", value.pastBoots().toArray(String[]::new));
  }

  private static NodeValue read(CompactReader in) {
    var addresses =
        Arrays.stream(NodeFields.strings(in, "addresses"))
            .map(InetAddress::ofLiteral)
            .collect(Collectors.toSet());
    var said =
        new NodeDescription(
            NodeFields.readEpoch(in),
            addresses,
            NodeFields.string(in, "gateway"),
            NodeFields.string(in, "version"),
            NodeFields.string(in, "callSource"));
    return new NodeValue(
        said,
        in.readInt64("registration"),
        in.readInt64("revision"),
        new Floors(
            in.readInt64("runFloor"),
            in.readInt64("jobsFloor"),
            in.readInt64("callsFloor"),
            in.readInt64("staleFloor")),
        new Lease(in.readInt64("heardAt"), in.readInt64("ends"), in.readBoolean("lost")),
        List.of(NodeFields.strings(in, "pastBoots")));
  }
}
