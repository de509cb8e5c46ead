package dev.rollcall.agent.login.caller;

import dev.rollcall.model.CallerAnswer.Unknown;
import java.net.InetAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Addresses that no node has, as a gateway answered a moment ago: of a login from there the caller
 * is unknown, and the gateway is not asked again. One from which a caller is pushed is no longer
 * such an address. Not thread-safe: on the event loop of logins.
 */
public final class NodelessAddresses {
  /** A node that has just begun, and whose calls are not pushed, is unknown for so long. */
  static final Duration VALID = Duration.ofSeconds(5);

  static final int MOST = 256;

  private record Entry(Unknown answer, long expiresNanos) {}

  private final LinkedHashMap<InetAddress, Entry> entries = new LinkedHashMap<>();
  private final LongSupplier nanoClock;

  /**
   * @param nanoClock {@link System#nanoTime}
   */
  public NodelessAddresses(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** Keeps an answer, if it says that no node has the address. The oldest makes room for it. */
  public void keep(InetAddress address, Unknown answer) {
    entries.remove(address);
    if (!answer.noNode()) {
      return;
    }
    if (entries.size() >= MOST) {
      entries.pollFirstEntry();
    }
    entries.put(address, new Entry(answer, nanoClock.getAsLong() + VALID.toNanos()));
  }

  public void forget(InetAddress address) {
    entries.remove(address);
  }

  public Optional<Unknown> find(InetAddress address) {
    Entry entry = entries.get(address);
    if (entry == null) {
      return Optional.empty();
    }
    if (entry.expiresNanos() - nanoClock.getAsLong() > 0) {
      return Optional.of(entry.answer());
    }
    entries.remove(address);
    return Optional.empty();
  }
}
