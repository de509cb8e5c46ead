package dev.rollcall.lab.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.lab.tree.SourceTree;
import dev.rollcall.testkit.process.Result;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Root runs a step of a user's job from a shell on a terminal. */
@Tag("cluster")
@ExtendWith(OnStage.class)
class StepClusterTest {
  private static final String STEP =
      "tty; id -un; grep -c /job_%1$d/ /proc/self/cgroup;"
          + " ls /proc/self/fd | xargs; env | cut -d= -f1 | sort | xargs";

  private static final String SHELL =
      "tty; exec 7</etc/shadow; export AWS_SECRET=x ROLLCALL_TOKEN_FILE=x; %s job run --job %d"
          + " -- sh -c '%s'; echo status $?";

  @Test
  void aStepHasNothingOfRootsShell(Stage stage) {
    try (var jobs = stage.begin(1, User.ALICE, stage.node2())) {
      List<String> shown = onTerminal(stage, jobs.oldest());
      assertTrue(shown.getFirst().startsWith("/dev/pts/"), shown::toString);
      assertNotEquals(shown.getFirst(), shown.get(1));
      assertEquals("alice", shown.get(2));
      assertNotEquals("0", shown.get(3), "the step is in its job");
      assertEquals("0 1 2 3", shown.get(4), "with the one by which ls reads");
      assertTrue(
          shown
              .get(5)
              .matches(
                  "HOME LOGNAME( OLDPWD)? PATH PWD ROLLCALL_JOB_ID ROLLCALL_STEP_ID SHELL( SHLVL)?"
                      + " TERM USER( _)?"),
          shown.get(5));
      assertEquals("status 0", shown.get(6));
    }
  }

  /** All nodes of this machine are in its IPC namespace. */
  @Test
  void systemVMemoryOfAStepIsNamedAfterTheJob(Stage stage) {
    String id;
    try (var jobs = stage.begin(1, User.ALICE, stage.node2())) {
      String job = Long.toString(jobs.oldest());
      String made =
          rollcall(stage, "job", "run", "--job", job, "--", "ipcmk", "--shmem", "4096")
              .outOrThrow("ipcmk");
      id = made.strip().replaceFirst(".* ", "");
      assertEquals(0, rollcall(stage, "node", "clean", "--job", "987654").exit());
    }
    try {
      Result clean = rollcall(stage, "node", "clean", "--job", "987654");
      assertEquals(
          "user alice without a job: shared memory " + id + " (4096 bytes)\n", clean.out());
      assertEquals(1, clean.exit());
    } finally {
      stage.node2().exec(User.ROOT, "ipcrm", "--shmem-id", id).outOrThrow("ipcrm");
    }
    assertEquals(0, rollcall(stage, "node", "clean", "--job", "987654").exit());
  }

  private static Result rollcall(Stage stage, String... words) {
    List<String> command =
        new ArrayList<>(
            List.of(
                "env",
                "JAVA_HOME=" + System.getProperty("java.home"),
                SourceTree.ROOT.resolve("deploy/target/rollcall/bin/rollcall").toString()));
    command.addAll(List.of(words));
    return stage.node2().exec(User.ROOT, command.toArray(String[]::new));
  }

  private static List<String> onTerminal(Stage stage, long job) {
    String rollcall = SourceTree.ROOT.resolve("deploy/target/rollcall/bin/rollcall").toString();
    String shell = SHELL.formatted(rollcall, job, STEP.formatted(job));
    return stage
        .node2()
        .exec(
            User.ROOT,
            "env",
            "-i",
            "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
            "TERM=vt100",
            "JAVA_HOME=" + System.getProperty("java.home"),
            "script",
            "-qec",
            shell,
            "/dev/null")
        .outOrThrow("script")
        .lines()
        .toList();
  }
}
