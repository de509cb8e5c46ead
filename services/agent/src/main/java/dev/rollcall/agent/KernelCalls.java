package dev.rollcall.agent;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.agent.AgentConfig.Bpf;
import dev.rollcall.linux.calls.CallSourceConfig;
import dev.rollcall.linux.calls.CallSources;
import dev.rollcall.linux.cgroup.CgroupMount;
import dev.rollcall.linux.cgroup.CgroupMounts;
import dev.rollcall.linux.mount.Bpffs;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.port.CallSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** The calls that this node's kernel shows, by the best way there is. */
final class KernelCalls {
  private static final System.Logger LOG = System.getLogger(KernelCalls.class.getName());
  private static final Path PROC = Path.of("/proc");
  private static final String FIRST_PIDS = "pid:[4026531836]";
  private static final Path BPFFS = Path.of("/sys/fs/bpf");
  private static final Path CGROUPS = Path.of("/sys/fs/cgroup");
  private static final String NO_CGROUP2 = "no cgroup2 hierarchy is mounted, which bpf needs";

  private KernelCalls() {}

  /** Never fails: a kernel that shows nothing is named, once, and logins go on. */
  static CallSource open(AgentConfig config) {
    try {
      Optional<Path> cgroup = hook(config.cgroupRoot(), CgroupMounts.read(PROC));
      CallSourceConfig sources = sourceConfig(config, cgroup.orElse(CGROUPS));
      if (config.bpf() == Bpf.OFF) {
        return CallSources.withoutBpf(sources, INFO, "bpf is off");
      }
      if (!hasTheKernelsPids(PROC)) {
        LOG.log(
            WARNING,
            "this agent is in a pid namespace, where the kernel's pids of callers are others:"
                + " `rollcall ssh JOB` and `rollcall connect` from this node choose no job");
      }
      return cgroup.isPresent()
          ? CallSources.open(sources)
          : CallSources.withoutBpf(sources, WARNING, NO_CGROUP2);
    } catch (IOException e) {
      String reason = "this node's kernel shows no calls: " + e.getMessage();
      LOG.log(WARNING, reason);
      return new BlindCalls(reason);
    }
  }

  private static CallSourceConfig sourceConfig(AgentConfig config, Path cgroup) throws IOException {
    return new CallSourceConfig(
        bpfDirectory(config),
        cgroup,
        config.trustedNamespaces(),
        config.announcedPorts(),
        Set.copyOf(config.clusterPrefixes()),
        config.watchedServices().keySet(),
        PROC,
        new Proc(PROC)::ofUid);
  }

  /** Whether it is the first pid namespace, PROC_PID_INIT_INO of include/linux/proc_ns.h. */
  static boolean hasTheKernelsPids(Path proc) throws IOException {
    return Files.readSymbolicLink(proc.resolve("self/ns/pid")).toString().equals(FIRST_PIDS);
  }

  /** Programs for sockets are attached in cgroup2 alone: a root in a v1 hierarchy is none. */
  static Optional<Path> hook(Optional<Path> root, CgroupMounts mounts) {
    Optional<Path> v2 = mounts.v2().map(CgroupMount::point);
    return v2.map(point -> root.filter(path -> path.normalize().startsWith(point)).orElse(point));
  }

  private static Path bpfDirectory(AgentConfig config) throws IOException {
    if (config.bpfDirectory().isPresent()) {
      return config.bpfDirectory().get();
    }
    return Bpffs.holds(BPFFS) ? BPFFS.resolve("rollcall") : config.runDirectory().resolve("bpf");
  }
}
