package dev.rollcall.agent;

import dev.rollcall.agent.login.socket.SocketPeers;
import dev.rollcall.linux.cgroup.CgroupMount;
import dev.rollcall.linux.cgroup.CgroupMounts;
import dev.rollcall.linux.cgroup.ProcessCgroups;
import dev.rollcall.linux.process.PeerProcess;
import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.linux.process.ProcessStat;
import dev.rollcall.linux.process.ProcessStatus;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.port.PinnedProcess;
import dev.rollcall.port.Processes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/** Processes as /proc shows them. */
final class KernelProcesses implements Processes {
  private static final int SIGKILL = 9;
  private static final int MOST_BELOW = 1_000;
  private static final int MOST_THREADS_BELOW = 10_000;
  private static final String SYSTEMD_ON_V1 = "name=systemd";

  private final Path root = Path.of("/proc");
  private final Proc proc = new Proc(root);
  private final String within;

  private KernelProcesses(String within) {
    this.within = within;
  }

  /**
   * @param root where the node's own cgroups begin in the cgroup2 tree: others are not its
   *     processes
   */
  static KernelProcesses of(Optional<Path> root) throws IOException {
    Optional<CgroupMount> mount = CgroupMounts.read(Path.of("/proc")).v2();
    String within =
        mount.isPresent() && root.filter(each -> each.startsWith(mount.get().point())).isPresent()
            ? mount.get().pathOf(root.get())
            : "/";
    return new KernelProcesses(within.equals("/") ? "" : within);
  }

  @Override
  public Optional<Owned> pin(int pid) throws IOException {
    Optional<Pidfd> pinned = Pidfd.open(proc, pid);
    Optional<ProcessStatus> status = pinned.isEmpty() ? Optional.empty() : proc.status(pid);
    // What was read is of the pinned process if that lives now.
    if (status.isPresent() && pinned.get().alive()) {
      return Optional.of(
          new Owned(pinned.get(), status.get().realUid(), status.get().effectiveUid()));
    }
    pinned.ifPresent(Pidfd::close);
    return Optional.empty();
  }

  /** Pins the peer of a connected unix socket. */
  SocketPeers.Peer peer(int descriptor) throws IOException {
    PeerProcess peer =
        PeerProcess.of(proc, descriptor)
            .orElseThrow(() -> new IOException("the peer has exited or disconnected"));
    return new SocketPeers.Peer(peer, peer.uid());
  }

  @Override
  public Optional<Seen> see(int pid) throws IOException {
    Optional<ProcessStat> stat = proc.stat(pid).filter(each -> !each.zombie());
    Optional<ProcessStatus> status = stat.isEmpty() ? Optional.empty() : proc.status(pid);
    if (status.isEmpty()) {
      return Optional.empty();
    }
    try {
      String command = command(pid);
      Optional<String> cgroup = cgroup(pid);
      var process = new ProcessRef(pid, stat.get().startTime());
      // What was read is of this process if it runs now.
      if (cgroup.isEmpty() || !proc.runs(process)) {
        return Optional.empty();
      }
      return Optional.of(
          new Seen(
              process,
              stat.get().parent(),
              status.get().realUid(),
              status.get().effectiveUid(),
              command.strip(),
              cgroup.get(),
              Proc.startedAt(process)));
    } catch (NoSuchFileException ended) {
      return Optional.empty();
    } catch (IOException e) {
      if (proc.stat(pid).isEmpty()) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** A process may call itself anything: a name that is no text is one all the same. */
  private String command(int pid) throws IOException {
    return new String(Files.readAllBytes(root.resolve(pid + "/comm")), StandardCharsets.UTF_8);
  }

  /** On a hybrid machine systemd has its units in both. */
  private Optional<String> cgroup(int pid) throws IOException {
    ProcessCgroups cgroups = ProcessCgroups.read(root, pid);
    Optional<String> v2 = cgroups.in(ProcessCgroups.V2);
    if (v2.filter(path -> path.equals("/")).isPresent() && within.isEmpty()) {
      return cgroups.in(SYSTEMD_ON_V1).or(() -> v2);
    }
    return v2.filter(path -> path.startsWith(within + "/") || path.equals(within));
  }

  @Override
  public void forEach(IntPredicate uids, IntConsumer pids) {
    proc.forEach(uids, pids);
  }

  @Override
  public List<ProcessRef> below(ProcessRef process, int uid) {
    return runs(process)
        ? proc.below(process.pid(), MOST_BELOW, MOST_THREADS_BELOW).stream()
            .filter(pid -> proc.status(pid).filter(status -> status.realUid() == uid).isPresent())
            .flatMap(pid -> proc.ref(pid).stream())
            .toList()
        : List.of();
  }

  @Override
  public boolean runs(ProcessRef process) {
    return proc.runs(process);
  }

  @Override
  public boolean kill(PinnedProcess process) throws IOException {
    return process instanceof Pidfd pidfd && pidfd.signal(SIGKILL);
  }
}
