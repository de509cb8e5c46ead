package dev.rollcall.agent;

import dev.rollcall.agent.outside.Execs;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.CgroupMount;
import dev.rollcall.linux.cgroup.CgroupMounts;
import dev.rollcall.linux.execs.ExecWatch;
import dev.rollcall.linux.execs.Fence;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reports programs that start outside the jobs' scope, as BPF sees them. */
final class KernelExecs implements Execs {
  private final AgentConfig config;
  private final Supplier<Optional<Path>> scope;
  private @Nullable ExecWatch watch;
  private ExecWatch.@Nullable Listener listener;

  /** The id of the scope's cgroup, which the kernel leaves out. */
  private long scopeId;

  /**
   * @param scope the cgroup2 directory in which all jobs are; absent: they are elsewhere. Slurm's
   *     is known when a job is here, and may be another one later
   */
  KernelExecs(AgentConfig config, Supplier<Optional<Path>> scope) {
    this.config = config;
    this.scope = scope;
  }

  @Override
  public synchronized void open(ExecWatch.Listener to) throws IOException {
    if (config.bpf() == AgentConfig.Bpf.OFF) {
      throw new IOException("bpf is off");
    }
    CgroupMount mount =
        CgroupMounts.read(Path.of("/proc"))
            .v2()
            .orElseThrow(() -> new IOException("cgroup2 is not mounted"));
    Path jobs = scope.get().orElseThrow(() -> new NotYetException("no job is in the cgroup2 tree"));
    scopeId = new CgroupDirectory(jobs).id();
    watch = ExecWatch.open(Fence.of(mount.point(), config.cgroupRoot(), jobs), to);
    listener = to;
  }

  @Override
  public synchronized void watch(Set<Integer> uids) throws IOException {
    if (!uids.isEmpty()) {
      reopen();
    }
    if (watch != null) {
      watch.watch(uids);
    }
  }

  /** Another scope has another id, though it has the same path. */
  private void reopen() throws IOException {
    Optional<Path> now = scope.get();
    ExecWatch.Listener to = listener;
    if (to != null && now.isPresent() && new CgroupDirectory(now.get()).id() != scopeId) {
      close();
      open(to);
    }
  }

  @Override
  public synchronized void close() {
    if (watch != null) {
      watch.close();
      watch = null;
    }
  }
}
