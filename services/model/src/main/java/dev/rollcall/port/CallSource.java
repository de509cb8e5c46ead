package dev.rollcall.port;

import dev.rollcall.model.CgroupIds;
import dev.rollcall.model.ClusterPrefixes;
import dev.rollcall.model.Connection;
import dev.rollcall.model.SeenCall;
import java.util.List;
import java.util.Optional;

/**
 * Reports the calls made on this node, in trusted network namespaces only. Methods may be called
 * from any thread.
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

    /** Calls of any user were lost that should have been reported. */
    void lost(long calls);

    /**
     * A call of a user over the rate was not told, and its ends are those of a call that was: who
     * was told to have made it may not be trusted any more. Other calls stand.
     *
     * @param connection as the caller's end sees it
     */
    void withdrawn(Connection connection);

    /**
     * Connections to announced ports of this node stand, wherever they come from: logins may follow
     * within the second. Told a few times a second at most, whatever comes.
     */
    void arrived();
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

  /** Whether it tells calls to announced ports, and does not only look for those asked about. */
  default boolean announces() {
    return false;
  }

  /**
   * How many calls were not told because their users were over the rate; never less than before.
   */
  long withheld();

  /**
   * Calls of the processes of a cgroup to a watched port.
   *
   * @param number so far
   */
  record PortCalls(CgroupIds cgroups, int port, long number) {}

  /**
   * The calls to watched ports.
   *
   * @param uncounted calls that are in none, for lack of room; never less than before
   */
  record WatchedCalls(List<PortCalls> calls, long uncounted) {
    public static final WatchedCalls NONE = new WatchedCalls(List.of(), 0);
  }

  /**
   * Reads the calls to watched ports: microseconds for each cgroup. Absent if it cannot count them
   * (sock_diag).
   */
  default Optional<WatchedCalls> watchedCalls() {
    return Optional.empty();
  }

  /** Makes room. The cgroup is counted from 0 if it calls again. */
  default void forget(PortCalls calls) {}

  /**
   * From now on calls to these addresses are told, too, unless the site named all. Blocks for
   * milliseconds; fails with an {@link java.io.UncheckedIOException}, and then has to be repeated
   * by {@link #refresh}.
   */
  default void pushTo(ClusterPrefixes nodes) {}

  /** Takes up changes of the node's interfaces. To be called now and then; fails as above. */
  default void refresh() {}

  /** Whether calls with this far end are not told, because nothing says that it is a node. */
  default boolean leavesOut(Connection call) {
    return false;
  }

  @Override
  void close();
}
