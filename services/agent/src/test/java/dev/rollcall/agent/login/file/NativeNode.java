package dev.rollcall.agent.login.file;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.rollcall.jobs.container.ContainersConfig;
import dev.rollcall.jobs.own.EndRules;
import dev.rollcall.jobs.own.NativeJobs;
import dev.rollcall.jobs.own.NativeJobsConfig;
import dev.rollcall.jobs.tree.TreeConfig;
import dev.rollcall.jobs.tree.TreeConfig.Choice;
import dev.rollcall.linux.cgroup.BoundedWait;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.CgroupMounts;
import dev.rollcall.linux.cgroup.CgroupRemoval;
import dev.rollcall.linux.systemd.ScopeName;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.allocation.EnvironmentAllowList;
import dev.rollcall.port.Jobs.BeginResult;
import dev.rollcall.port.Jobs.JobSpec;
import dev.rollcall.proto.login.v1.Ask;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** A node's jobs in real cgroups of their own, with the files of logins. Leaves no cgroup. */
final class NativeNode implements AutoCloseable {
  private static final List<String> V1 =
      List.of("freezer", "memory", "cpuacct", "pids", "cpu", "cpuset", "blkio", "devices");
  private static final AtomicInteger NUMBER = new AtomicInteger();

  final NativeJobs jobs;
  final LoginFiles files;
  final Path login;
  private final Choice choice;
  private final List<CgroupDirectory> roots = new ArrayList<>();

  /** What this machine has. */
  static List<Choice> choices() throws IOException {
    CgroupMounts mounts = CgroupMounts.read(Path.of("/proc"));
    List<Choice> here = new ArrayList<>();
    mounts.v2().ifPresent(_ -> here.add(Choice.V2));
    mounts.v1("memory").ifPresent(_ -> here.add(Choice.V1));
    return here;
  }

  /**
   * @param run the files of logins are in its directory {@code login}
   */
  NativeNode(Choice choice, Path run) throws IOException {
    this.choice = choice;
    this.login = run.resolve("login");
    CgroupMounts mounts = CgroupMounts.read(Path.of("/proc"));
    String name =
        "rollcall-login-test-%d-%d"
            .formatted(ProcessHandle.current().pid(), NUMBER.incrementAndGet());
    if (choice == Choice.V2) {
      roots.add(new CgroupDirectory(mounts.v2().orElseThrow().point().resolve(name)));
    } else {
      for (String controller : V1) {
        mounts
            .v1(controller)
            .map(mount -> new CgroupDirectory(mount.point().resolve(name)))
            .filter(root -> !roots.contains(root))
            .ifPresent(roots::add);
      }
    }
    for (CgroupDirectory root : roots) {
      root.create();
    }
    String boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    var tree = new TreeConfig(Optional.of(roots.getFirst().path()), choice, Path.of("/proc"));
    jobs = NativeJobs.open(config(tree, run.resolve("state"), boot));
    files =
        new LoginFiles(
            new LoginDirectory(login),
            new NodeFacts(boot, "test", "node1", Optional.empty(), ""),
            new JobFile(boot, EnvironmentAllowList.DEFAULTS, true),
            () -> Ask.ASK_UNSPECIFIED,
            System::nanoTime,
            new SimpleMeterRegistry().counter("failures"));
    jobs.listen(job -> files.changed(job, jobs.sessionPlace(job.id())));
    files.begin();
  }

  private static NativeJobsConfig config(TreeConfig tree, Path state, String boot) {
    return new NativeJobsConfig(
        tree,
        state,
        boot,
        NativeJobsConfig.Site.OPEN,
        EndRules.DEFAULTS,
        new ContainersConfig(
            Optional.empty(),
            Map.of(),
            "node1",
            boot,
            state.resolve("run"),
            state,
            _ -> "",
            _ -> {}),
        uid -> uid);
  }

  Job begin(long id, int uid) {
    var spec = new JobSpec(new JobId(id), uid, uid, Instant.EPOCH);
    return assertInstanceOf(BeginResult.Begun.class, jobs.begin(spec)).job();
  }

  /** The job's directory in the hierarchy that identifies it. */
  CgroupDirectory job(long id) {
    return roots.getFirst().child(ScopeName.ONLY.text()).child("job_" + id);
  }

  /** The processes in any of the node's cgroups. */
  List<Integer> pids() throws IOException {
    List<Integer> pids = new ArrayList<>();
    for (CgroupDirectory root : roots) {
      pids.addAll(root.pidsBelow());
    }
    return pids;
  }

  @Override
  public void close() throws IOException {
    for (Job job : jobs.list()) {
      jobs.end(job.id(), Duration.ofSeconds(20));
    }
    jobs.close();
    files.close();
    for (CgroupDirectory root : roots) {
      CgroupRemoval.remove(root, BoundedWait.of(Duration.ofSeconds(20)));
    }
  }

  @Override
  public String toString() {
    return choice.toString();
  }
}
