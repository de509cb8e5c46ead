package dev.rollcall.roll;

import static java.util.Objects.requireNonNull;

import com.hazelcast.nio.serialization.compact.CompactReader;
import com.hazelcast.nio.serialization.compact.CompactWriter;
import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.NodeName;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/** Fields that several values share. Every value names its node, boot and epoch. */
final class NodeFields {
  private NodeFields() {}

  static void writeEpoch(CompactWriter out, NodeEpoch epoch) {
    out.writeString("node", epoch.node().text());
    out.writeString("boot", epoch.bootId());
    out.writeInt64("epoch", epoch.number());
  }

  static NodeEpoch readEpoch(CompactReader in) {
    return new NodeEpoch(
        new NodeName(string(in, "node")), string(in, "boot"), in.readInt64("epoch"));
  }

  static void writeAddresses(CompactWriter out, String field, Set<InetAddress> addresses) {
    out.writeArrayOfString(
        field, addresses.stream().map(InetAddress::getHostAddress).sorted().toArray(String[]::new));
  }

  static Set<InetAddress> addresses(CompactReader in, String field) {
    return Arrays.stream(strings(in, field))
        .map(InetAddress::ofLiteral)
        .collect(Collectors.toSet());
  }

  static String string(CompactReader in, String field) {
    return requireNonNull(in.readString(field), field);
  }

  static String[] strings(CompactReader in, String field) {
    return requireNonNull(in.readArrayOfString(field), field);
  }
}
