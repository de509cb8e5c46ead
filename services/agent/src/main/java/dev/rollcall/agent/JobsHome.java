package dev.rollcall.agent;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.CgroupMount;
import dev.rollcall.linux.cgroup.CgroupMounts;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.linux.systemd.AgentLeaf;
import dev.rollcall.linux.systemd.JobScope;
import dev.rollcall.linux.systemd.ScopeSettings.Use;
import dev.rollcall.linux.systemd.SliceName;
import dev.rollcall.linux.systemd.SystemBus;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Finds the place of the jobs' cgroups on this node. In v2 that is a scope of systemd, where it
 * runs the node, and the agent itself moves into a leaf of its own. With v1, and below a {@code
 * cgroup_root}, the directories are Rollcall's own: systemd delegates nothing there.
 *
 * @param root the directory that gets the scope's; absent: the mount
 */
record JobsHome(Optional<Path> root, Optional<JobScope> scope) implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(JobsHome.class.getName());

  /**
   * @throws IOException if systemd does not give the scope, unless the configuration allows to go
   *     on
   */
  static JobsHome open(AgentConfig config) throws IOException {
    var proc = new Proc(Path.of("/proc"));
    Optional<CgroupMount> v2 = v2(config, proc.root());
    if (config.cgroupRoot().isPresent() || v2.isEmpty()) {
      if (v2.isEmpty() && config.scope().use() == Use.ON) {
        throw new IOException("systemd: on needs cgroup v2, which does not contain the jobs here");
      }
      return new JobsHome(
          config.cgroupRoot().map(root -> root.resolve(slice(config))), Optional.empty());
    }
    var bus = SystemBus.at(SystemBus.address(environment("DBUS_SYSTEM_BUS_ADDRESS")));
    JobScope scope = JobScope.open(config.scope(), config.scopeName().text(), v2.get(), proc, bus);
    settle(new AgentLeaf(v2.get(), proc), scope);
    return new JobsHome(
        Optional.ofNullable(scope.directory().path().getParent()), Optional.of(scope));
  }

  /** Empty: v1 defines the jobs. */
  private static Optional<CgroupMount> v2(AgentConfig config, Path proc) throws IOException {
    CgroupMounts mounts = CgroupMounts.read(proc);
    return JobTree.choosesV2(config.tree(config.cgroupRoot(), proc), mounts)
        ? mounts.v2()
        : Optional.empty();
  }

  private static Path slice(AgentConfig config) {
    return config.scope().slice().orElse(SliceName.ROOT).path();
  }

  private static Optional<String> environment(String name) {
    return Optional.ofNullable(System.getenv(name));
  }

  /** An agent that cannot move does its work where it is. */
  private static void settle(AgentLeaf leaf, JobScope scope) {
    try {
      CgroupDirectory in =
          leaf.enter(environment("INVOCATION_ID"), scope.keeper().map(_ -> scope.directory()));
      LOG.log(INFO, "jobs are in {0}, the agent is in {1}", scope.directory(), in);
    } catch (IOException e) {
      LOG.log(WARNING, "the agent stays in the cgroup it was started in: {0}", e.getMessage());
    }
  }

  @Override
  public void close() {
    scope.ifPresent(JobScope::close);
  }
}
