package dev.rollcall.agent;

import dev.rollcall.agent.escape.Processes;
import dev.rollcall.linux.cgroup.CgroupMount;
import dev.rollcall.linux.cgroup.CgroupMounts;
import dev.rollcall.linux.cgroup.ProcessCgroups;
import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.port.PinnedProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

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
  public List<Integer> of(int uid) {
    return proc.ofUid(uid).stream().map(ProcessRef::pid).toList();
  }

  @Override
  public boolean kill(PinnedProcess process) throws IOException {
    return process instanceof Pidfd pidfd && pidfd.signal(SIGKILL);
  }
}
