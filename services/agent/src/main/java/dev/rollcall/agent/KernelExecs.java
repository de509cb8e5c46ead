package dev.rollcall.agent;

import dev.rollcall.agent.outside.Execs;
import dev.rollcall.linux.cgroup.CgroupMount;
import dev.rollcall.linux.cgroup.CgroupMounts;
import dev.rollcall.linux.execs.ExecWatch;
import dev.rollcall.linux.execs.Fence;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Programs begun outside the jobs' scope, as BPF tells them. */
final class KernelExecs implements Execs {
  private final AgentConfig config;
  private final Optional<Path> scope;
  private @Nullable ExecWatch watch;

  /**
   * @param scope the cgroup2 directory in which all jobs are; absent: they are elsewhere
   */
  KernelExecs(AgentConfig config, Optional<Path> scope) {
    this.config = config;
    this.scope = scope;
  }

  @Override
  public void open(Listener listener) throws IOException {
    if (config.bpf() == AgentConfig.Bpf.OFF) {
      throw new IOException("bpf is off");
    }
    CgroupMount mount =
        CgroupMounts.read(Path.of("/proc"))
            .v2()
            .orElseThrow(() -> new IOException("cgroup2 is not mounted"));
    Path jobs = scope.orElseThrow(() -> new IOException("jobs are not in the cgroup2 tree"));
    watch =
        ExecWatch.open(
            Fence.of(mount.point(), config.cgroupRoot(), jobs),
            new ExecWatch.Listener() {
              @Override
              public void begun(int pid, int uid) {
                listener.begun(pid, uid);
              }

              @Override
              public void lost(long execs) {
                listener.lost(execs);
              }
            });
  }

  @Override
  public void watch(Set<Integer> uids) throws IOException {
    if (watch != null) {
      watch.watch(uids);
    }
  }

  @Override
  public void close() {
    if (watch != null) {
      watch.close();
    }
  }
}
