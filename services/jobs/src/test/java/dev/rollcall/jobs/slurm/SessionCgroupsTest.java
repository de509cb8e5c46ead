package dev.rollcall.jobs.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.linux.cgroup.CgroupMount;
import dev.rollcall.linux.cgroup.CgroupMounts;
import dev.rollcall.model.JobId;
import dev.rollcall.port.SessionPlace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The directories of step daemons, as folders. */
class SessionCgroupsTest {
  private static final JobId JOB = new JobId(7);
  private static final String V1 = "/slurm/uid_1001/job_7";
  private static final String V2 = "/system.slice/slurmstepd.scope/job_7";

  @TempDir private Path folder = Path.of("");

  private CgroupMount v1(String controller) {
    return new CgroupMount(false, Set.of(controller), folder.resolve(controller), "/");
  }

  private void make(String... directories) throws IOException {
    for (String each : directories) {
      Files.createDirectories(folder.resolve(each));
    }
  }

  /** The daemon has put a process into the extern step. */
  private void take() throws IOException {
    Files.writeString(folder.resolve("freezer" + V1 + "/step_extern/cgroup.procs"), "4711\n");
  }

  private List<SessionPlace.Cgroup> find(Placement.Placed place) throws IOException {
    var cgroups =
        new SlurmCgroups(
            new CgroupMounts(
                List.of(
                    v1("freezer"),
                    v1("cpuset"),
                    v1("memory"),
                    v1("cpuacct"),
                    new CgroupMount(true, Set.of(), folder.resolve("v2"), "/"))));
    cgroups.learn(JOB, place);
    return new SessionCgroups(cgroups).of(JOB);
  }

  private List<SessionPlace.Cgroup> v1() throws IOException {
    return find(new Placement.Placed("freezer", V1, V1 + "/step_extern"));
  }

  private List<SessionPlace.Cgroup> v2() throws IOException {
    return find(new Placement.Placed("", V2, V2 + "/step_extern/user"));
  }

  private SessionPlace.Cgroup place(String hierarchy, String path) {
    String mount = hierarchy.isEmpty() ? "v2" : hierarchy;
    return new SessionPlace.Cgroup(hierarchy, folder.resolve(mount + path), path, false);
  }

  /** As Slurm 22.05.8 makes them, seen with jobacct_gather/cgroup and no cores constrained. */
  @Test
  void onV1AreThoseOfTheExternStepAndItsTask() throws IOException {
    make(
        "freezer" + V1 + "/step_extern",
        "freezer" + V1 + "/step_batch",
        "memory" + V1 + "/step_extern/task_1",
        "memory" + V1 + "/step_batch/task_0",
        "cpuacct" + V1 + "/step_extern/task_1",
        "cpuset/other");
    take();
    assertEquals(
        List.of(
            place("freezer", V1 + "/step_extern"),
            place("memory", V1 + "/step_extern/task_1"),
            place("cpuacct", V1 + "/step_extern/task_1")),
        v1());
  }

  @Test
  void onV1WithoutGatheringAreThoseOfTheExternStep() throws IOException {
    make(
        "freezer" + V1 + "/step_extern",
        "cpuset" + V1 + "/step_extern",
        "memory" + V1 + "/step_extern/other");
    take();
    assertEquals(
        List.of(
            place("freezer", V1 + "/step_extern"),
            place("cpuset", V1 + "/step_extern"),
            place("memory", V1 + "/step_extern")),
        v1());
  }

  /** Slurm 26.05.5 before the first session: the rest comes with that. */
  @Test
  void onV1NothingIsKnownBeforeTheDaemonHasTakenAProcess() throws IOException {
    make("freezer" + V1 + "/step_extern", "memory" + V1 + "/step_extern");
    Files.createFile(folder.resolve("freezer" + V1 + "/step_extern/cgroup.procs"));
    assertEquals(List.of(), v1());
    make("memory" + V1 + "/step_extern/task_0", "cpuacct" + V1 + "/step_extern/task_0");
    assertEquals(
        List.of(
            place("freezer", V1 + "/step_extern"),
            place("memory", V1 + "/step_extern/task_0"),
            place("cpuacct", V1 + "/step_extern/task_0")),
        v1());
  }

  @Test
  void whatNoReleaseMakesIsNotKnown() throws IOException {
    make(
        "freezer" + V1 + "/step_extern",
        "memory" + V1 + "/step_extern/task_0",
        "memory" + V1 + "/step_extern/task_1");
    take();
    assertEquals(List.of(), v1());
    make("cpuset" + V1 + "/step_extern");
    assertEquals(List.of(), find(new Placement.Placed("cpuset", V1, V1 + "/step_extern")));
    make("v2" + V2 + "/step_extern/user/task_0", "v2" + V2 + "/step_extern/user/task_1");
    assertEquals(List.of(), v2());
  }

  @Test
  void aJobWithoutAnExternStepHasNone() throws IOException {
    make("freezer" + V1, "memory" + V1 + "/step_extern");
    assertEquals(List.of(), v1());
  }

  @Test
  void onV2ItIsTheTaskOfTheExternStep() throws IOException {
    make("v2" + V2 + "/step_extern/slurm", "v2" + V2 + "/step_extern/user");
    assertEquals(List.of(), v2());
    make("v2" + V2 + "/step_extern/user/task_special");
    assertEquals(List.of(place("", V2 + "/step_extern/user/task_special")), v2());
    make("v2" + V2 + "/step_extern/user/task_3");
    assertEquals(List.of(place("", V2 + "/step_extern/user/task_3")), v2());
  }
}
