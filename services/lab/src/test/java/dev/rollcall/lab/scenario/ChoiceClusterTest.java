package dev.rollcall.lab.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.demo.OpenJobs;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.lab.tree.SourceTree;
import dev.rollcall.testkit.process.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A user with several jobs, called by none of them, is asked by a real sshd which one is meant. */
@Tag("cluster")
@ExtendWith(OnStage.class)
class ChoiceClusterTest {
  private static final String TELL =
      "grep ^0:: /proc/self/cgroup; echo $SLURM_JOB_ID $ROLLCALL_REASON";
  private static final String QUESTION =
      "You have several jobs here; for which of them is this session?";

  private static final String BY_KEY =
      "-p " + SecondSshd.PORT + " -o StrictHostKeyChecking=no -o LogLevel=ERROR node2";

  private final Path module =
      SourceTree.DISTRIBUTION.resolve("lib/security").resolve("pam_rollcall.so");

  /** What became of a login, and what was asked meanwhile. */
  private record Login(String place, String job, List<String> questions) {
    long asked() {
      return questions.stream().filter(line -> line.contains("Number of the line")).count();
    }
  }

  /**
   * @param answers lines that alice types
   */
  private Login login(Stage stage, String methods, String options, String answers)
      throws IOException {
    Path questions = stage.node1().file("/home/alice/questions");
    Files.deleteIfExists(questions);
    try (var _ = SecondSshd.start(stage.node2(), methods, "", module, options)) {
      stage
          .node1()
          .shell(User.ALICE, "printf '%s' > ~/answers".formatted(answers))
          .outOrThrow("answers");
      Result said =
          stage.node1().exec(User.ALICE, SecondSshd.ssh("node2", TELL).toArray(String[]::new));
      List<String> lines = said.outOrThrow("ssh: " + stage.cluster().logs()).lines().toList();
      return new Login(
          Storm.place(stage.node2().below(lines.getFirst())),
          lines.getLast(),
          Files.exists(questions) ? Files.readAllLines(questions) : List.of());
    }
  }

  private static OpenJobs twoJobs(Stage stage) {
    stage.awaitConnection();
    return stage.begin(2, User.ALICE, stage.node2());
  }

  @ParameterizedTest
  @ValueSource(strings = {"keyboard-interactive", "publickey,keyboard-interactive"})
  void theJobThatIsChosenIsEntered(String methods, Stage stage) throws IOException {
    try (var jobs = twoJobs(stage)) {
      // Slower than the module's patience with the agent: nothing of it waits for a person.
      Login login = login(stage, methods, "choose=1", "slowly 2\\n");
      assertEquals("job " + jobs.oldest(), login.place());
      assertEquals(jobs.oldest() + " chosen-job", login.job());
      assertTrue(login.questions().getFirst().endsWith(QUESTION), login.questions()::toString);
      assertTrue(
          login.questions().get(1).matches("  1\\) job " + jobs.newest() + ", since 20[0-9: -]+"),
          login.questions()::toString);
      assertTrue(
          login.questions().get(2).startsWith("  2) job " + jobs.oldest() + ", since 20"),
          login.questions()::toString);
      assertEquals(1, login.asked());
    }
  }

  @Test
  void aNumberThatIsNoneOfThemAsksAgain(Stage stage) throws IOException {
    try (var jobs = twoJobs(stage)) {
      Login login = login(stage, "keyboard-interactive", "choose=1", "999999\\nthe second\\n2\\n");
      assertEquals("job " + jobs.oldest(), login.place());
      assertEquals(jobs.oldest() + " chosen-job", login.job());
      assertEquals(3, login.asked());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"\\n", "999998\\n999997\\n-1\\n2\\n"})
  void whoChoosesNoneEntersWhatThePamLineSays(String answers, Stage stage) throws IOException {
    try (var jobs = twoJobs(stage)) {
      Login login = login(stage, "keyboard-interactive", "choose=1", answers);
      assertEquals("job " + jobs.newest(), login.place());
      assertEquals(jobs.newest() + " caller-elsewhere", login.job());
      assertEquals(answers.equals("\\n") ? 1 : 3, login.asked());
    }
  }

  @Test
  void aKeyIsNotAskedAnything(Stage stage) throws IOException {
    try (var jobs = twoJobs(stage);
        var _ = SecondSshd.start(stage.node2(), "publickey", "", module, "choose=1")) {
      // With a terminal: sshd shows there what it kept of a conversation that could not ask.
      Result said =
          stage
              .node1()
              .exec(
                  User.ALICE,
                  "ssh",
                  "-tt",
                  "-p",
                  SecondSshd.PORT,
                  "-o",
                  "StrictHostKeyChecking=no",
                  "node2",
                  TELL);
      String out = said.outOrThrow("ssh: " + stage.cluster().logs());
      assertTrue(out.contains(jobs.newest() + " caller-elsewhere"), out);
      assertFalse((out + said.err()).contains("several jobs"), out);
    }
  }

  @Test
  void variablesThatTheUserSendsChooseNoJob(Stage stage) throws IOException {
    try (var jobs = twoJobs(stage);
        var _ = SecondSshd.start(stage.node2(), "publickey", "", module)) {
      String sent =
          "SENT=%1$d SLURM_JOB_ID=%1$d SLURM_JOBID=%1$d ROLLCALL_JOB_ID=%1$d ROLLCALL_JOB=%1$d"
              .formatted(jobs.oldest());
      List<String> said =
          bothStreams(
                  stage,
                  "ssh -o 'SetEnv=%s' %s 'grep ^0:: /proc/self/cgroup; echo $SENT $SLURM_JOB_ID'"
                      .formatted(sent, BY_KEY))
              .lines()
              .toList();
      assertEquals(jobs.oldest() + " " + jobs.newest(), said.getLast());
      assertEquals("job " + jobs.newest(), Storm.place(stage.node2().below(said.getFirst())));
    }
  }

  @Test
  void aShellShowsThatItsJobIsAGuess(Stage stage) throws IOException {
    String guess = "this session is in job ";
    try (var jobs = twoJobs(stage);
        var _ = SecondSshd.start(stage.node2(), "publickey", "", module)) {
      String shell = bothStreams(stage, "echo exit | ssh -tt " + BY_KEY);
      assertTrue(shell.contains(guess + jobs.newest() + ", the newest of your jobs here"), shell);
      assertTrue(shell.contains("rollcall switch --next JOB"), shell);
      assertEquals(shell.indexOf(guess), shell.lastIndexOf(guess), shell);
      for (String silent :
          List.of(
              "ssh -tt " + BY_KEY + " echo done",
              "ssh " + BY_KEY + " echo done",
              "echo '-ls /etc/hostname' | sftp -b - "
                  + BY_KEY.replace("-p", "-P")
                  + " && echo done",
              "scp " + BY_KEY.replace("-p", "-P") + ":/etc/passwd /dev/null && echo done")) {
        String out = bothStreams(stage, silent);
        assertTrue(out.contains("done"), silent + ": " + out);
        assertFalse(out.contains("rollcall"), silent + ": " + out);
      }
    }
  }

  private static String bothStreams(Stage stage, String command) {
    return stage
        .node1()
        .shell(User.ALICE, "{ " + command + "; } 2>&1")
        .outOrThrow("ssh: " + stage.cluster().logs());
  }

  @Test
  void nobodyIsAskedWithoutTheOption(Stage stage) throws IOException {
    try (var jobs = twoJobs(stage)) {
      Login login = login(stage, "keyboard-interactive", "", "2\\n");
      assertEquals(jobs.newest() + " caller-elsewhere", login.job());
      assertEquals(List.of(), login.questions());
    }
  }
}
