package dev.rollcall.testkit.calls;

import dev.rollcall.model.CgroupIds;
import dev.rollcall.model.ClusterPrefixes;
import dev.rollcall.model.Connection;
import dev.rollcall.model.SeenCall;
import dev.rollcall.port.CallSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** A call table that tests fill. */
public final class FakeCallSource implements CallSource {
  private final Map<Connection, SeenCall> table = new ConcurrentHashMap<>();
  private final CopyOnWriteArrayList<Listener> listeners = new CopyOnWriteArrayList<>();
  private volatile Consumer<Connection> finding = _ -> {};
  private volatile ClusterPrefixes nodes = new ClusterPrefixes(Set.of());
  private final Map<CgroupIds, PortCalls> watched = new ConcurrentHashMap<>();
  private volatile boolean leavesOut;
  private volatile boolean closed;

  /** A process called an announced port: it is in the table, and the listener is told. */
  public void call(SeenCall call) {
    callQuietly(call);
    listeners.forEach(listener -> listener.called(call));
  }

  /** A process called another port: it is in the table only. */
  public void callQuietly(SeenCall call) {
    table.put(call.connection(), call);
  }

  /** The processes of a cgroup called a watched port so often; it has one such port. */
  public void counted(PortCalls calls) {
    watched.put(calls.cgroups(), calls);
  }

  @Override
  public Optional<WatchedCalls> watchedCalls() {
    return Optional.of(new WatchedCalls(List.copyOf(watched.values()), 3));
  }

  @Override
  public void forget(PortCalls calls) {
    watched.remove(calls.cgroups());
  }

  /** So many calls should have been told, and were not. */
  public void lose(long calls) {
    listeners.forEach(listener -> listener.lost(calls));
  }

  /** A user over the rate has called with the ends of a call that was told. */
  public void withdraw(Connection connection) {
    listeners.forEach(listener -> listener.withdrawn(connection));
  }

  /** Somebody's connection to an announced port stands. */
  public void arrive() {
    listeners.forEach(Listener::arrived);
  }

  /** From now on this runs before a call is looked up. */
  public void beforeFind(Consumer<Connection> step) {
    finding = step;
  }

  /** The nodes to which it was last told to push. */
  public ClusterPrefixes nodes() {
    return nodes;
  }

  /** From now on no address is of a node. */
  public void leaveAllOut() {
    leavesOut = true;
  }

  /** Each address is of a node again. */
  public void pushAll() {
    leavesOut = false;
  }

  @Override
  public void pushTo(ClusterPrefixes to) {
    nodes = to;
  }

  @Override
  public boolean leavesOut(Connection call) {
    return leavesOut;
  }

  public boolean closed() {
    return closed;
  }

  @Override
  public String name() {
    return "sock_ops";
  }

  @Override
  public Sighting find(Connection connection) {
    finding.accept(connection);
    SeenCall call = table.get(connection);
    return call == null
        ? new Sighting.NotSeen("no such call in the table")
        : new Sighting.Seen(call);
  }

  @Override
  public void announce(Listener listener) {
    listeners.add(listener);
  }

  @Override
  public long withheld() {
    return 0;
  }

  @Override
  public void close() {
    closed = true;
  }
}
