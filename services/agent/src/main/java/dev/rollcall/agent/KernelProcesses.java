package dev.rollcall.agent;

import dev.rollcall.agent.outside.Processes;
import dev.rollcall.linux.cgroup.CgroupMount;
import dev.rollcall.linux.cgroup.CgroupMounts;
import dev.rollcall.linux.cgroup.ProcessCgroups;
import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.linux.process.ProcessStat;
import dev.rollcall.linux.process.ProcessStatus;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.port.PinnedProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/** Processes as /proc shows them. */
final class KernelProcesses implements Processes {
  private static final int SIGKILL = 9;
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
  public Optional<Standing> look(int pid) throws IOException {
    Optional<Pidfd> pinned = Pidfd.open(proc, pid);
    if (pinned.isEmpty()) {
      return Optional.empty();
    }
    Pidfd process = pinned.get();
    try {
      Optional<Integer> uid = proc.effectiveUid(pid);
      Optional<String> cgroup = cgroup(pid);
      String command = command(pid);
      if (uid.isPresent() && cgroup.isPresent() && process.alive()) {
        return Optional.of(new Standing(process, uid.get(), command.strip(), cgroup.get()));
      }
    } catch (IOException ended) {
      // below
    }
    process.close();
    return Optional.empty();
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
  public boolean kill(PinnedProcess process) throws IOException {
    return process instanceof Pidfd pidfd && pidfd.signal(SIGKILL);
  }
}
