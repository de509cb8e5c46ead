package dev.rollcall.linux.calls;

import dev.rollcall.linux.bpf.RingThread;
import dev.rollcall.linux.calls.TrustedNamespaces.Owner;
import dev.rollcall.linux.net.DiagSocket;
import dev.rollcall.model.ClusterPrefixes;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Protocol;
import dev.rollcall.port.CallSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * Reads the calls that the sock_ops program recorded in connect(). An answer needs two things that
 * agree: the record of the connection, and the very socket that was recorded, still held by a
 * process. UDP has no connect() to record and is answered by sock_diag.
 */
public final class SockOpsCalls implements CallSource {
  public static final String NAME = "sock_ops";

  private final CallMaps maps;
  private final SockOpsHook hook;
  private final TrustedNamespaces namespaces;
  private final Map<TrustedNamespace, Long> ids;
  private final PushedPrefixes prefixes;
  private final SockDiagCalls datagrams;
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock(); // write: to close
  private @Nullable RingThread reader;
  private boolean closed;

  private SockOpsCalls(
      CallMaps maps,
      SockOpsHook hook,
      TrustedNamespaces namespaces,
      Map<TrustedNamespace, Long> ids,
      PushedPrefixes prefixes,
      SockDiagCalls datagrams) {
    this.maps = maps;
    this.hook = hook;
    this.namespaces = namespaces;
    this.ids = ids;
    this.prefixes = prefixes;
    this.datagrams = datagrams;
  }

  /**
   * Attaches the program, or takes over what an earlier agent left.
   *
   * @throws IOException naming what the kernel or this process lacks
   */
  public static SockOpsCalls open(CallSourceConfig config) throws IOException {
    return open(config, CallLimits.DEFAULT, ProgramVariant.ALL);
  }

  static SockOpsCalls open(
      CallSourceConfig config, CallLimits limits, List<ProgramVariant> variants)
      throws IOException {
    List<AutoCloseable> opened = new ArrayList<>();
    try {
      java.nio.file.Path pins = CallPins.prepare(config.bpfDirectory());
      CallMaps maps = CallMaps.open(pins, limits, config.trackedPorts(), config.watchedPorts());
      opened.add(maps);
      TrustedNamespaces namespaces = TrustedNamespaces.open(config.trustedNamespaces());
      opened.add(namespaces);
      Announced announced = new Announced(maps);
      announced.announce(config.trackedPorts(), limits.common());
      PushedPrefixes prefixes =
          PushedPrefixes.open(
              maps.prefixes(), config.clusterPrefixes(), namespaces::onLink, System::nanoTime);
      SockOpsHook hook = SockOpsHook.attach(pins, config, maps, limits, variants);
      opened.add(hook);
      Map<TrustedNamespace, Long> ids = new HashMap<>();
      for (TrustedNamespace namespace : namespaces.all()) {
        ids.put(namespace, namespace.id(hook.variant().netns()));
      }
      announced.trust(ids.values());
      return new SockOpsCalls(
          maps, hook, namespaces, ids, prefixes, SockDiagCalls.of(namespaces, config));
    } catch (IOException | RuntimeException e) {
      closeAll(opened.reversed(), e);
      throw e;
    }
  }

  private static void closeAll(List<AutoCloseable> opened, Exception cause) {
    for (AutoCloseable one : opened) {
      try {
        one.close();
      } catch (Exception e) {
        cause.addSuppressed(e);
      }
    }
  }

  @Override
  public boolean announces() {
    return true;
  }

  @Override
  public String name() {
    return NAME;
  }

  /** Which program the verifier took, for people. */
  public String variant() {
    return hook.variant().toString();
  }

  @Override
  public Sighting find(Connection connection) {
    lock.readLock().lock();
    try {
      if (closed) {
        return new Sighting.NotSeen("the source of calls is closed");
      }
      return connection.protocol() == Protocol.UDP
          ? datagrams.find(connection)
          : findRecorded(connection);
    } catch (IOException | UncheckedIOException e) {
      return new Sighting.NotSeen("the kernel could not be asked: " + e.getMessage());
    } finally {
      lock.readLock().unlock();
    }
  }

  private Sighting findRecorded(Connection connection) throws IOException {
    return switch (namespaces.owner(connection.local().address())) {
      case Owner.Nobody(String reason) -> new Sighting.NotSeen(reason);
      case Owner.One(TrustedNamespace namespace) -> findIn(namespace, connection);
    };
  }

  private Sighting findIn(TrustedNamespace namespace, Connection connection) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment key = arena.allocate(CallLayout.KEY_SIZE, 8);
      MemorySegment value = arena.allocate(CallLayout.VALUE_SIZE, 8);
      CallRecord.putKey(key, java.util.Objects.requireNonNull(ids.get(namespace)), connection);
      if (!maps.calls().lookUp(key, value)) {
        return new Sighting.NotSeen("no call " + connection + " is recorded in " + namespace);
      }
      Optional<DiagSocket> socket = namespace.sockets().find(connection);
      if (socket.isEmpty()) {
        return new Sighting.NotSeen("the call " + connection + " is over");
      }
      if (socket.get().cookie() != CallRecord.socketCookie(value)) {
        return new Sighting.NotSeen("the socket of " + connection + " is not the one recorded");
      }
      return new Sighting.Seen(CallRecord.seen(connection, value));
    }
  }

  @Override
  public void announce(Listener listener) {
    lock.writeLock().lock();
    try {
      if (reader != null || closed) {
        throw new IllegalStateException("calls are pushed already, or the source is closed");
      }
      reader = RingThread.start("rollcall-calls", maps.ring(), new RingReader(maps, listener));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      lock.writeLock().unlock();
    }
  }

  @Override
  public long withheld() {
    return opened(0L, () -> new Counters(maps.counters()).get(CallLayout.WITHHELD));
  }

  @Override
  public Optional<WatchedCalls> watchedCalls() {
    return Optional.of(opened(WatchedCalls.NONE, () -> new WatchedMap(maps).read()));
  }

  @Override
  public void forget(PortCalls calls) {
    boolean _ = opened(false, () -> new WatchedMap(maps).remove(calls));
  }

  @Override
  public void pushTo(ClusterPrefixes nodes) {
    boolean _ = opened(false, () -> prefixes.name(nodes));
  }

  @Override
  public void refresh() {
    boolean _ = opened(false, prefixes::refresh);
  }

  @Override
  public boolean leavesOut(Connection call) {
    return call.protocol() == Protocol.TCP
        && opened(
            false,
            () ->
                new Announced(maps).tracks(call.remote().port())
                    && !prefixes.has(call.remote().address()));
  }

  /** Reads or writes the maps, if they are still open. */
  private <T> T opened(T otherwise, KernelAction<T> action) {
    lock.readLock().lock();
    try {
      return closed ? otherwise : action.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      lock.readLock().unlock();
    }
  }

  private interface KernelAction<T> {
    T run() throws IOException;
  }

  /** Ends the telling. The kernel goes on recording, for the next agent. */
  @Override
  public void close() {
    RingThread ending = stop();
    if (ending != null) {
      ending.end(); // without the lock: its listener may be asking find()
    }
    lock.writeLock().lock();
    try {
      if (!closed) {
        closed = true;
        hook.close();
        namespaces.close();
        maps.close();
      }
    } finally {
      lock.writeLock().unlock();
    }
  }

  private @Nullable RingThread stop() {
    lock.writeLock().lock();
    try {
      RingThread ending = reader;
      reader = null;
      return ending;
    } finally {
      lock.writeLock().unlock();
    }
  }
}
