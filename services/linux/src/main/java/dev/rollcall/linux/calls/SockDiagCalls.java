package dev.rollcall.linux.calls;

import dev.rollcall.linux.calls.SocketHolder.Holders;
import dev.rollcall.linux.calls.TrustedNamespaces.Owner;
import dev.rollcall.linux.cgroup.CgroupMount;
import dev.rollcall.linux.cgroup.CgroupMounts;
import dev.rollcall.linux.cgroup.ProcessCgroups;
import dev.rollcall.linux.net.DiagSocket;
import dev.rollcall.linux.net.SockDiag;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.CgroupIds;
import dev.rollcall.model.Connection;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.Protocol;
import dev.rollcall.model.SeenCall;
import dev.rollcall.port.CallSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds current calls with sock_diag, without BPF: the process that has the socket at the local
 * end. It knows less: nothing is announced; the process is the one that holds the socket, not the
 * one that called connect(); the uid is the one that made the socket; and the time is that of the
 * question. Where no candidate holds the socket the caller is not seen, rather than guessed.
 */
public final class SockDiagCalls implements CallSource {
  public static final String NAME = "sock_diag";

  /** Of one port, and so of one search for their processes. */
  private static final int MOST_SENDERS = 16;

  /** Of one user. Of a user with more, the oldest that holds a socket is not known. */
  static final int MOST_PROCESSES = 4_096;

  private final TrustedNamespaces namespaces;
  private final CallerProcesses callers;
  private final Path proc;
  private final Optional<CgroupMount> freezer;
  private final SocketHolder holders;

  private SockDiagCalls(
      TrustedNamespaces namespaces,
      CallerProcesses callers,
      Path proc,
      Optional<CgroupMount> freezer) {
    this.namespaces = namespaces;
    this.callers = callers;
    this.proc = proc;
    this.freezer = freezer;
    this.holders =
        new SocketHolder(new Proc(proc), SocketHolder.MOST_DESCRIPTORS, System::nanoTime);
  }

  public static SockDiagCalls open(CallSourceConfig config) throws IOException {
    TrustedNamespaces namespaces = TrustedNamespaces.open(config.trustedNamespaces());
    try {
      return of(namespaces, config);
    } catch (IOException | RuntimeException e) {
      namespaces.close();
      throw e;
    }
  }

  static SockDiagCalls of(TrustedNamespaces namespaces, CallSourceConfig config)
      throws IOException {
    return new SockDiagCalls(
        namespaces,
        config.callers(),
        config.proc(),
        CgroupMounts.read(config.proc()).v1("freezer"));
  }

  @Override
  public String name() {
    return NAME;
  }

  /**
   * Takes microseconds, some 20 more for each process of the node, and at most half a second for
   * the descriptors of the user's.
   */
  @Override
  public Sighting find(Connection connection) {
    try {
      return switch (namespaces.owner(connection.local().address())) {
        case Owner.Nobody(String reason) -> new Sighting.NotSeen(reason);
        case Owner.One(TrustedNamespace namespace) -> findIn(namespace, connection);
      };
    } catch (IOException | UncheckedIOException e) {
      return new Sighting.NotSeen("the kernel could not be asked: " + e.getMessage());
    }
  }

  private Sighting findIn(TrustedNamespace namespace, Connection connection) throws IOException {
    if (connection.protocol() == Protocol.UDP) {
      return sender(namespace, connection);
    }
    if (namespace.sockets().listening(connection.local())) {
      return new Sighting.NotSeen(connection.local() + " accepts: it did not call");
    }
    Optional<DiagSocket> found = namespace.sockets().find(connection);
    return found.isEmpty() ? none(namespace, connection) : holder(List.of(found.get()), connection);
  }

  private static Sighting none(TrustedNamespace namespace, Connection connection) {
    return new Sighting.NotSeen("no socket " + connection + " is open in " + namespace);
  }

  /** Of datagrams the kernel keeps no record: the sender is known if all that can be it are one. */
  private Sighting sender(TrustedNamespace namespace, Connection connection) throws IOException {
    Optional<List<DiagSocket>> found = namespace.sockets().senders(connection);
    if (found.isEmpty()) {
      return new Sighting.NotSeen(
          "more than %d UDP sockets are bound to port %d, and so they are not searched"
              .formatted(SockDiag.MOST_ON_PORT, connection.local().port()));
    }
    List<DiagSocket> senders = found.get();
    if (senders.isEmpty()) {
      return none(namespace, connection);
    }
    long owners =
        senders.stream().map(each -> List.of(each.uid(), each.cgroup2())).distinct().count();
    if (owners > 1 || senders.size() > MOST_SENDERS) {
      return several(senders.size(), connection);
    }
    return holder(senders, connection);
  }

  private static Sighting several(int senders, Connection connection) {
    return new Sighting.NotSeen(
        "%d sockets can send from %s, and they belong to several users or cgroups"
            .formatted(senders, connection.local()));
  }

  /**
   * The process of the first of these sockets of one user, if those of all of them are known and in
   * the same cgroups.
   */
  private Sighting holder(List<DiagSocket> sockets, Connection connection) throws IOException {
    DiagSocket first = sockets.getFirst();
    List<ProcessRef> candidates = callers.ofUser(first.uid(), MOST_PROCESSES + 1);
    if (candidates.size() > MOST_PROCESSES) {
      return new Sighting.NotSeen(
          "uid %d has more than %d processes, and so they are not searched for the one that called"
              .formatted(first.uid(), MOST_PROCESSES));
    }
    Holders found = holders.of(sockets.stream().map(DiagSocket::inode).toList(), candidates);
    if (found.ended().isPresent()) {
      return new Sighting.NotSeen(
          "the search of the processes of uid %d for the one that called ended after %s"
              .formatted(first.uid(), found.ended().get()));
    }
    List<ProcessRef> processes = new ArrayList<>();
    Set<CgroupIds> cgroups = new HashSet<>();
    for (DiagSocket socket : sockets) {
      ProcessRef process = found.byInode().get(socket.inode());
      if (process == null) {
        return sockets.size() > 1
            ? several(sockets.size(), connection)
            : new Sighting.NotSeen(
                "socket %d of uid %d is held by none of %d candidate processes"
                    .formatted(socket.inode(), socket.uid(), candidates.size()));
      }
      processes.add(process);
      cgroups.add(new CgroupIds(socket.cgroup2(), freezerOf(process)));
    }
    return cgroups.size() > 1
        ? several(sockets.size(), connection)
        : new Sighting.Seen(
            new SeenCall(
                connection,
                processes.getFirst(),
                first.uid(),
                cgroups.iterator().next(),
                Instant.now()));
  }

  /** The v1 cgroup the process is in now; 0 if there is no such hierarchy. */
  private long freezerOf(ProcessRef process) throws IOException {
    if (freezer.isEmpty()) {
      return 0;
    }
    CgroupMount mount = freezer.get();
    Optional<String> path = ProcessCgroups.read(proc, process.pid()).in("freezer");
    try {
      return path.isEmpty()
          ? 0
          : (Long) Files.getAttribute(mount.directoryOf(path.get()), "unix:ino");
    } catch (IllegalArgumentException e) {
      throw new IOException("the name of its cgroup is not valid text: " + e.getMessage(), e);
    }
  }

  /** Never tells: sock_diag knows of sockets when it is asked. */
  @Override
  public void announce(Listener listener) {}

  @Override
  public long withheld() {
    return 0;
  }

  @Override
  public void close() {
    namespaces.close();
  }
}
