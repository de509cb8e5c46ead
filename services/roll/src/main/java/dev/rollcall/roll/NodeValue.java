package dev.rollcall.roll;

import com.hazelcast.nio.serialization.compact.CompactReader;
import com.hazelcast.nio.serialization.compact.CompactWriter;
import dev.rollcall.model.NodeEpoch;
import dev.rollcall.port.Roll.NodeDescription;
import dev.rollcall.port.Roll.Owner;
import dev.rollcall.port.Roll.Registration;
import dev.rollcall.roll.NodeValue.Floors;
import dev.rollcall.roll.NodeValue.Lease;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The value of a node in the Hazelcast map, with the only rules by which it changes. A change
 * returns a new value; the table swaps it in if nobody was faster.
 *
 * @param revision grows with every change
 * @param pastBoots boots that were replaced, latest first: boot ids have no order of their own
 */
record NodeValue(
    NodeDescription said,
    long registration,
    long revision,
    Floors floors,
    Lease lease,
    List<String> pastBoots)
    implements Statement {
  private static final int BOOTS_KEPT = 4;

  /**
   * Writes equal values as equal bytes, addresses sorted: the table compares bytes when it swaps
   * one value for another.
   */
  static final Serializer<NodeValue> SERIALIZER =
      new Serializer<>("rollcall.node", NodeValue.class, NodeValue::write, NodeValue::read);

  /**
   * Limits by which a reader tells a statement that no longer counts and was not removed.
   *
   * @param jobs jobs told in registrations before it are gone
   * @param calls calls of this registration that were entered then or before are gone, in
   *     milliseconds of the grid's clock
   * @param stale jobs told in this registration or before are stale
   */
  record Floors(long jobs, long calls, long stale) {
    /** No call counts. */
    static final long NO_CALLS = Long.MAX_VALUE;
  }

  /**
   * Milliseconds of the grid's clock. How long a lease is counts; when it is over, each member says
   * by a clock that nobody steps ({@link LeaseWatch}).
   */
  record Lease(long heardAt, long ends, boolean lost) {
    long lengthNanos() {
      return TimeUnit.MILLISECONDS.toNanos(ends - heardAt);
    }
  }

  NodeValue {
    pastBoots = List.copyOf(pastBoots);
  }

  /**
   * The node connects.
   *
   * @param now milliseconds of the grid's clock; a registration's number is taken from it where
   *     that is larger, so that numbers grow even after the whole grid was down or was split in two
   */
  static NodeValue connected(
      @Nullable NodeValue before, NodeDescription said, long now, long leaseMillis) {
    var lease = new Lease(now, now + leaseMillis, false);
    if (before == null) {
      long registration = now * 1000;
      return new NodeValue(said, registration, 1, new Floors(0, 0, 0), lease, List.of());
    }
    long registration = Math.max(before.registration + 1, now * 1000);
    List<String> boots =
        said.epoch().bootId().equals(before.epoch().bootId())
            ? before.pastBoots
            : Stream.concat(Stream.of(before.epoch().bootId()), before.pastBoots.stream())
                .filter(boot -> !boot.equals(said.epoch().bootId())) // it is back
                .limit(BOOTS_KEPT)
                .toList();
    return new NodeValue(
        said,
        registration,
        before.revision + 1,
        new Floors(before.floors.jobs, 0, before.floors.stale),
        lease,
        boots);
  }

  /**
   * Whether a registration of this run comes too late, because a later run is connected. Once that
   * one's lease is over any run may: else whoever lied once about the boot or the number, with the
   * node's key, would keep the node out until it boots.
   */
  boolean refuses(NodeEpoch run) {
    return !lease.lost
        && !run.equals(epoch())
        && (!run.replaces(epoch()) || pastBoots.contains(run.bootId()));
  }

  NodeValue renewed(long now, long leaseMillis) {
    return with(floors, new Lease(now, now + leaseMillis, false));
  }

  NodeValue completed() {
    return with(new Floors(registration, floors.calls, floors.stale), lease);
  }

  /** The calls that it has told until now are gone. */
  NodeValue withoutCalls(long now) {
    return with(new Floors(floors.jobs, now, floors.stale), lease);
  }

  /** Its stream has ended: what it does is not told any more, so none of its calls counts. */
  NodeValue disconnected(long now, long leaseMillis) {
    return withoutCalls(Floors.NO_CALLS).renewed(now, leaseMillis);
  }

  /** Whether calls that are told in this registration count. */
  boolean isOpen(Registration other) {
    return hears(other) && floors.calls != Floors.NO_CALLS;
  }

  NodeValue lostNow() {
    return with(
        new Floors(floors.jobs, Floors.NO_CALLS, registration),
        new Lease(lease.heardAt, lease.ends, true));
  }

  /**
   * Whether a call counts: it was told on the node's present stream, which is open. One that is of
   * a later registration than this value is of a stream of which this member has not heard yet.
   */
  boolean counts(CallValue call) {
    return call.registration() > registration
        || (call.registration() == registration && call.entered() > floors.calls);
  }

  /** Whether the node has sent its full state since it connected. */
  boolean isComplete() {
    return floors.jobs == registration;
  }

  /** The node, and the gateway that has its stream. */
  Owner.OneNode at() {
    return new Owner.OneNode(epoch().node(), said.gateway());
  }

  NodeEpoch epoch() {
    return said.epoch();
  }

  @Override
  public String node() {
    return epoch().node().text();
  }

  @Override
  public long rank() {
    return revision;
  }

  boolean isLatest(Registration other) {
    return registration == other.number() && epoch().equals(other.epoch());
  }

  /** Whether this registration may make statements. */
  boolean hears(Registration other) {
    return isLatest(other) && !lease.lost;
  }

  private NodeValue with(Floors nextFloors, Lease nextLease) {
    return new NodeValue(said, registration, revision + 1, nextFloors, nextLease, pastBoots);
  }

  private static void write(CompactWriter out, NodeValue value) {
    NodeDescription said = value.said();
    NodeFields.writeEpoch(out, value.epoch());
    out.writeInt64("registration", value.registration());
    out.writeInt64("revision", value.revision());
    NodeFields.writeAddresses(out, "addresses", said.addresses());
    NodeFields.writeAddresses(out, "reported", said.reported());
    NodeFields.writeAddresses(out, "reserved", said.reserved());
    out.writeString("gateway", said.gateway());
    out.writeString("version", said.version());
    out.writeString("callSource", said.callSource());
    out.writeInt64("certificateEnds", said.certificateEnds().map(Instant::toEpochMilli).orElse(0L));
    out.writeInt64("jobsFloor", value.floors().jobs());
    out.writeInt64("callsFloor", value.floors().calls());
    out.writeInt64("staleFloor", value.floors().stale());
    out.writeInt64("heardAt", value.lease().heardAt());
    out.writeInt64("ends", value.lease().ends());
    out.writeBoolean("lost", value.lease().lost());
    out.writeArrayOfString("pastBoots", value.pastBoots().toArray(String[]::new));
  }

  private static NodeValue read(CompactReader in) {
    var said =
        new NodeDescription(
            NodeFields.readEpoch(in),
            NodeFields.addresses(in, "addresses"),
            NodeFields.string(in, "gateway"),
            NodeFields.string(in, "version"),
            NodeFields.string(in, "callSource"),
            NodeFields.addresses(in, "reported"),
            NodeFields.addresses(in, "reserved"),
            Optional.of(in.readInt64("certificateEnds"))
                .filter(end -> end != 0)
                .map(Instant::ofEpochMilli));
    return new NodeValue(
        said,
        in.readInt64("registration"),
        in.readInt64("revision"),
        new Floors(
            in.readInt64("jobsFloor"), in.readInt64("callsFloor"), in.readInt64("staleFloor")),
        new Lease(in.readInt64("heardAt"), in.readInt64("ends"), in.readBoolean("lost")),
        List.of(NodeFields.strings(in, "pastBoots")));
  }
}
