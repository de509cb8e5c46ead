package dev.rollcall.jobs.own;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.jobs.tree.Hierarchy;
import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.CgroupMount;
import dev.rollcall.linux.cgroup.CgroupMounts;
import dev.rollcall.linux.cgroup.JobPath;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.JobId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process whose pid was in the list of a cgroup, and where it is once it is pinned. */
class SignalsTest {
  @TempDir private Path proc;

  private Process process;
  private int pid;
  private Hierarchy hierarchy;
  private Signals signals;

  @BeforeEach
  void start() throws IOException {
    process = new ProcessBuilder("sleep", "600").start();
    pid = Math.toIntExact(process.pid());
    Path own = Files.createDirectory(proc.resolve(Integer.toString(pid)));
    Files.createSymbolicLink(own.resolve("stat"), Path.of("/proc", "" + pid, "stat"));
    CgroupMount mount = CgroupMounts.read(Path.of("/proc")).v2().orElseThrow();
    var scope = new CgroupDirectory(mount.point().resolve("node").resolve("rollcall.scope"));
    hierarchy = new Hierarchy("", mount, scope);
    var tree = new JobTree(List.of(hierarchy), new JobPath("/node/rollcall.scope"), false);
    signals = new Signals(tree, new Proc(proc));
  }

  @AfterEach
  void end() {
    process.destroyForcibly();
  }

  /** Whether SIGKILL to what was listed in job 1 ends the process, which is in this cgroup. */
  private boolean killed(String cgroup) throws IOException, InterruptedException {
    Path shown = proc.resolve(Integer.toString(pid)).resolve("cgroup");
    Files.writeString(shown, "0::" + cgroup + "\n");
    signals.kill(pid, hierarchy.job(new JobId(1)));
    // What SIGKILL ends is a zombie before kill(2) returns to its sender, or soon after.
    return process.waitFor(300, TimeUnit.MILLISECONDS);
  }

  @Test
  void aProcessThatIsNotInTheCgroupAnyMoreIsLeftAlone() throws Exception {
    String job = hierarchy.pathOf(hierarchy.job(new JobId(1)));
    assertFalse(killed("/"), "another process with this pid");
    assertFalse(killed(job + "0"), "a process of job 10");
    assertFalse(killed(job.substring(0, job.lastIndexOf('/'))), "a process above the job");
    assertTrue(killed(job + "/step_extern/user/session_1"));
  }

  @Test
  void aProcessRightInTheCgroupIsEnded() throws Exception {
    assertTrue(killed(hierarchy.pathOf(hierarchy.job(new JobId(1)))));
  }
}
