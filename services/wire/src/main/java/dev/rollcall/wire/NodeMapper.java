package dev.rollcall.wire;

import dev.rollcall.model.AddressText;
import dev.rollcall.model.Call;
import dev.rollcall.model.Connection;
import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.RefusedAddresses;
import dev.rollcall.port.Roll;
import dev.rollcall.proto.roll.v1.Announcement;
import dev.rollcall.proto.roll.v1.Hello;
import dev.rollcall.proto.roll.v1.Withdrawal;
import dev.rollcall.proto.v1.Node;
import dev.rollcall.proto.v1.NodeState;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

/** Maps nodes' reports about themselves and their calls between proto and model. */
public final class NodeMapper {
  /** Bytes of a Hello, which has room for its addresses. */
  static final int MOST_HELLO_BYTES = 128 * 1024;

  /** A node that balances load in the kernel has thousands, of each service. */
  static final int MOST_ADDRESSES = 4_096;

  /** Version, boot id and source of calls: the longest is a boot id of 36 characters. */
  private static final Pattern SHORT_TEXT = Pattern.compile("[\\x20-\\x7e]{0,64}");

  private static final Pattern REASON =
      Pattern.compile("[\\x20-\\x7e]{0," + RefusedAddresses.LONGEST_REASON + "}");

  private static final int LONGEST_CLUSTER = 255;

  private NodeMapper() {}

  /**
   * What a node says of itself, if it is within the bounds.
   *
   * @param gateway host:port of the gateway that was told
   * @throws BadWordException naming what cannot be
   */
  public static Roll.NodeDescription description(Hello from, String gateway) {
    checkBounds(from);
    Set<InetAddress> addresses = new HashSet<>();
    for (int i = 0; i < from.getAddressesCount(); i++) {
      addresses.add(CallerMapper.address(from.getAddresses(i), "hello.addresses[" + i + "]"));
    }
    return new Roll.NodeDescription(
        new NodeEpoch(
            CallerMapper.node(from.getNode(), "hello.node"), from.getBootId(), from.getEpoch()),
        addresses,
        gateway,
        from.getVersion(),
        from.getCallSource());
  }

  private static void checkBounds(Hello from) {
    PeerMessage.checkSize(from, "hello", MOST_HELLO_BYTES);
    if (from.getAddressesCount() > MOST_ADDRESSES) {
      throw new BadWordException(
          "hello.addresses", from.getAddressesCount() + " are more than " + MOST_ADDRESSES);
    }
    if (from.getCluster().length() > LONGEST_CLUSTER) {
      throw new BadWordException(
          "hello.cluster",
          from.getCluster().length() + " characters are more than " + LONGEST_CLUSTER);
    }
    checkShort(from.getBootId(), "hello.boot_id");
    checkShort(from.getVersion(), "hello.version");
    checkShort(from.getCallSource(), "hello.call_source");
    if (from.getEpoch() < 0) {
      throw new BadWordException(
          "hello.epoch", Long.toUnsignedString(from.getEpoch()) + " is more than 2^63 - 1");
    }
  }

  public static dev.rollcall.proto.roll.v1.RefusedAddresses toProto(RefusedAddresses from) {
    var to = dev.rollcall.proto.roll.v1.RefusedAddresses.newBuilder().setMore(from.more());
    from.shown()
        .forEach(each ->
            to.addAddressesBuilder()
                .setAddress(CallerMapper.bytes(each.address()))
                .setReason(sent(each.reason())));
    return to.build();
  }

  private static String sent(String reason) {
    String plain = reason.replaceAll("[^\\x20-\\x7e]", "?");
    return plain.substring(0, Math.min(plain.length(), RefusedAddresses.LONGEST_REASON));
  }

  /**
   * @throws BadWordException naming what cannot be
   */
  public static RefusedAddresses toModel(dev.rollcall.proto.roll.v1.RefusedAddresses from) {
    String field = "refused_addresses";
    if (from.getAddressesCount() > RefusedAddresses.MOST_SHOWN
        || from.getMore() < 0
        || from.getMore() > MOST_ADDRESSES) {
      throw new BadWordException(
          field,
          "%d and %s more are too many"
              .formatted(from.getAddressesCount(), Integer.toUnsignedString(from.getMore())));
    }
    return new RefusedAddresses(
        from.getAddressesList().stream()
            .map(each ->
                new RefusedAddresses.Refused(
                    CallerMapper.address(each.getAddress(), field + ".address"),
                    reason(each.getReason(), field + ".reason")))
            .toList(),
        from.getMore());
  }

  private static String reason(String text, String field) {
    if (!REASON.matcher(text).matches()) {
      throw new BadWordException(
          field, text.length() + " characters, not up to 200 printable ones of ASCII");
    }
    return text;
  }

  private static void checkShort(String text, String field) {
    if (!SHORT_TEXT.matcher(text).matches()) {
      throw new BadWordException(
          field, "'" + text + "' is not up to 64 printable ASCII characters, but " + text.length());
    }
  }

  public static Hello hello(String cluster, Roll.NodeDescription from) {
    var to =
        Hello.newBuilder()
            .setCluster(cluster)
            .setNode(from.epoch().node().text())
            .setBootId(from.epoch().bootId())
            .setEpoch(from.epoch().number())
            .setVersion(from.version())
            .setCallSource(from.callSource());
    from.addresses().forEach(address -> to.addAddresses(CallerMapper.bytes(address)));
    return to.build();
  }

  public static Node toProto(Roll.NodeEntry from) {
    var description = from.description();
    var to =
        Node.newBuilder()
            .setNode(description.epoch().node().text())
            .setState(from.lost() ? NodeState.NODE_STATE_LOST : NodeState.NODE_STATE_CONNECTED)
            .setBootId(description.epoch().bootId())
            .setEpoch(description.epoch().number())
            .setGateway(description.gateway())
            .setHeardAt(CallerMapper.timestamp(from.heardAt()))
            .setJobs(from.jobs())
            .setVersion(description.version())
            .setCallSource(description.callSource());
    description.certificateEnds().map(CallerMapper::timestamp).ifPresent(to::setCertificateEndsAt);
    description.claimed().forEach(address -> to.addAddresses(AddressText.of(address)));
    return to.build();
  }

  /**
   * @param sequence counts the announcements of this epoch to this far address, without gaps
   */
  public static Announcement announcement(Call call, long epoch, long sequence) {
    return Announcement.newBuilder()
        .setConnection(CallerMapper.toProto(call.connection()))
        .setCaller(CallerMapper.toProto(call.caller()))
        .setEpoch(epoch)
        .setSequence(sequence)
        .build();
  }

  /**
   * @param node the source
   * @param sequence in one count with {@link #announcement}
   */
  public static Withdrawal withdrawal(NodeName node, Connection call, long epoch, long sequence) {
    return Withdrawal.newBuilder()
        .setNode(node.text())
        .setConnection(CallerMapper.toProto(call))
        .setEpoch(epoch)
        .setSequence(sequence)
        .build();
  }

  public static Connection connection(Withdrawal from) {
    return CallerMapper.toModel(from.getConnection(), "withdrawal.connection");
  }

  /**
   * The announcement anew, with what {@link #call} reads of it alone.
   *
   * @throws BadWordException naming what cannot be
   */
  public static Announcement checked(Announcement from) {
    return announcement(call(from), from.getEpoch(), from.getSequence());
  }

  public static Call call(Announcement from) {
    return new Call(
        CallerMapper.toModel(from.getConnection(), "announcement.connection"),
        CallerMapper.toModel(from.getCaller(), "announcement.caller"));
  }
}
