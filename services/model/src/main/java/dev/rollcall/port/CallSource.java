package dev.rollcall.port;

import dev.rollcall.model.Connection;
import dev.rollcall.model.SeenCall;

/**
 * What this node's kernel knows of the calls made on it, in trusted network namespaces only.
 * Methods may be called from any thread.
 */
public interface CallSource extends AutoCloseable {
  /** How a look-up ends. */
  sealed interface Sighting {
    record Seen(SeenCall call) implements Sighting {}

    /**
     * @param reason for people: what was looked at and what was missing
     */
    record NotSeen(String reason) implements Sighting {}
  }

  /** What is told of calls to announced ports, on a thread of the source. */
  interface Listener {
    void called(SeenCall call);

    /** Calls that should have been told were not: the ring was full or a user over the limit. */
    void lost(long calls);
  }

  /** {@code sock_ops} or {@code sock_diag}. */
  String name();

  /**
   * Finds who made this call. Does not block; microseconds.
   *
   * @param connection as the caller's end sees it, which is on this node
   */
  Sighting find(Connection connection);

  /**
   * Starts telling calls to announced ports. A source that cannot tell (sock_diag) never does.
   * Called once.
   */
  void announce(Listener listener);

  @Override
  void close();
}
