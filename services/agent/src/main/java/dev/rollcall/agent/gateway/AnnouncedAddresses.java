package dev.rollcall.agent.gateway;

import java.net.InetAddress;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The addresses that the node sends when it connects: those on the interfaces of the trusted
 * namespaces, without loopback and link-local ones. Thread-safe.
 */
public final class AnnouncedAddresses {
  private final Supplier<Set<InetAddress>> reader;
  private volatile Set<InetAddress> last = Set.of();
  private volatile Runnable listener = () -> {};

  /**
   * @param reader reads them; may fail with an {@link java.io.UncheckedIOException}
   */
  public AnnouncedAddresses(Supplier<Set<InetAddress>> reader) {
    this.reader = reader;
  }

  /** Reads them. Also has to be called periodically, so that a change is noticed. */
  public synchronized Set<InetAddress> read() {
    Set<InetAddress> before = last;
    last = reader.get();
    if (!last.equals(before)) {
      listener.run();
    }
    return last;
  }

  /** As read last. Does not block. */
  Set<InetAddress> last() {
    return last;
  }

  /**
   * @param changed runs on the thread that reads
   */
  void listen(Runnable changed) {
    listener = changed;
  }
}
