package dev.rollcall.linux.calls;

import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.bpf.BpfMap;
import dev.rollcall.linux.bpf.BpfSet;
import dev.rollcall.model.ClusterPrefixes;
import dev.rollcall.model.Prefix;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Writes to the program's map which remote addresses calls are told of: those that are configured,
 * or else those on-link and those that the cluster's gateways named. A prefix that is not named any
 * more stays for an hour, and so do those that the map had before: a call to nobody costs a
 * message, and a gateway that has just started does not know all nodes. Thread-safe.
 */
final class PushedPrefixes {
  /** Loopback and link-local calls never leave the node. */
  static final List<Prefix> NEVER =
      List.of(
          Prefix.parse("127.0.0.0/8"),
          Prefix.parse("169.254.0.0/16"),
          Prefix.parse("::1/128"),
          Prefix.parse("fe80::/10"));

  /** How long a prefix stays that is not named any more. */
  static final Duration KEEP = Duration.ofHours(1);

  private static final byte NO = 0;
  private static final byte YES = 1;

  /** Reads the prefixes of the node's own interfaces. */
  interface OnLink {
    Set<Prefix> read() throws IOException;
  }

  private final BpfMap map;
  private final Set<Prefix> configured;
  private final OnLink onLink;
  private final LongSupplier nanoClock;
  private Set<Prefix> named = Set.of();
  private final Map<Prefix, Long> leaving = new HashMap<>(); // to when it leaves
  private Set<Prefix> written = Set.of();

  private PushedPrefixes(
      BpfMap map, Set<Prefix> configured, OnLink onLink, LongSupplier nanoClock) {
    this.map = map;
    this.configured = configured;
    this.onLink = onLink;
    this.nanoClock = nanoClock;
  }

  /**
   * Writes what is known, beside what the map has.
   *
   * @param configured all there are; if empty, the others
   */
  static PushedPrefixes open(
      BpfMap map, Set<Prefix> configured, OnLink onLink, LongSupplier nanoClock)
      throws IOException {
    var opened = new PushedPrefixes(map, configured, onLink, nanoClock);
    Set<Prefix> found = new HashSet<>();
    for (ByteBuffer key : new BpfSet(map).keys()) {
      byte[] address = new byte[16];
      key.order(ByteOrder.nativeOrder()).get(CallLayout.PREFIX_ADDRESS, address);
      found.add(Prefix.ofMapped(address, key.getInt(0)));
    }
    NEVER.forEach(found::remove);
    opened.named = found;
    opened.name(new ClusterPrefixes(Set.of()));
    return opened;
  }

  /** Takes the prefixes that a gateway names now. As many as may be named stay when they leave. */
  synchronized boolean name(ClusterPrefixes prefixes) throws IOException {
    long end = nanoClock.getAsLong() + KEEP.toNanos();
    Set<Prefix> before = named;
    named = prefixes.all();
    leaving.keySet().removeAll(named);
    before.stream()
        .filter(prefix -> !named.contains(prefix) && leaving.size() < ClusterPrefixes.MOST)
        .forEach(prefix -> leaving.put(prefix, end));
    return refresh();
  }

  /**
   * Takes up what changed at the interfaces, and lets go what has left. A microsecond if nothing.
   *
   * @return whether the map has others than before
   */
  synchronized boolean refresh() throws IOException {
    long now = nanoClock.getAsLong();
    leaving.values().removeIf(end -> now - end >= 0);
    Set<Prefix> wanted = new HashSet<>(configured);
    if (configured.isEmpty()) {
      wanted.addAll(onLink.read());
      wanted.addAll(named);
      wanted.addAll(leaving.keySet());
    }
    boolean changed = !wanted.equals(written);
    if (changed) {
      Map<ByteBuffer, Byte> keys = new HashMap<>();
      wanted.forEach(prefix -> keys.put(key(prefix), YES));
      NEVER.forEach(prefix -> keys.put(key(prefix), NO));
      new BpfSet(map).become(keys);
      written = wanted;
    }
    return changed;
  }

  /** Whether calls to the address are told, as the program decides it. */
  boolean has(InetAddress address) throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment key = arena.allocate(CallLayout.PREFIX_KEY_SIZE, 8);
      MemorySegment value = arena.allocate(1);
      Prefix one = new Prefix(address, address.getAddress().length * 8);
      key.copyFrom(MemorySegment.ofArray(key(one).array()));
      return map.lookUp(key, value) && value.get(ValueLayout.JAVA_BYTE, 0) == YES;
    }
  }

  private static ByteBuffer key(Prefix prefix) {
    return ByteBuffer.allocate(CallLayout.PREFIX_KEY_SIZE)
        .order(ByteOrder.nativeOrder())
        .putInt(0, prefix.mappedLength())
        .put(CallLayout.PREFIX_ADDRESS, prefix.mapped());
  }
}
