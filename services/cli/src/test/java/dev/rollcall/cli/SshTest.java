package dev.rollcall.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Timestamp;
import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.proto.v1.GetRequest;
import dev.rollcall.proto.v1.GetResponse;
import dev.rollcall.proto.v1.Job;
import dev.rollcall.proto.v1.JobState;
import dev.rollcall.proto.v1.ListRequest;
import dev.rollcall.proto.v1.ListResponse;
import io.grpc.Status;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SshTest {
  @TempDir private Path folder = Path.of("");
  private final Shell shell = new Shell();
  private final FakeRollcall fake = new FakeRollcall();

  @BeforeEach
  void listen() {
    fake.listenOn(folder.resolve("agent.sock"));
  }

  @AfterEach
  void close() {
    fake.close();
  }

  private static Job on(String node, JobState state, boolean stale) {
    return Job.newBuilder().setJobId(42).setNode(node).setState(state).setStale(stale).build();
  }

  private void runsOn(Job... jobs) {
    fake.answer(GetRequest.class, GetResponse.newBuilder().addAllJobs(List.of(jobs)).build());
  }

  private String socket() {
    return folder.resolve("agent.sock").toString();
  }

  private Shell.Ran ssh(String... words) {
    var all = new ArrayList<>(List.of("ssh", "--socket", socket()));
    all.addAll(List.of(words));
    return shell.run(all.toArray(String[]::new));
  }

  private String becomes(String node, String rest) {
    return "exec 'ssh' '-o' 'ControlPath=none' '-o'"
        + " 'ProxyCommand='\\''/opt/rollcall/bin/rollcall'\\'' connect --job 42 --socket"
        + " '\\''"
        + folder.resolve("agent.sock")
        + "'\\'' %h %p' '"
        + node
        + "'"
        + rest
        + "\n";
  }

  @Test
  void itBecomesAnSshToTheFirstNodeOnWhichTheJobIsOpen() {
    runsOn(
        on("n1", JobState.JOB_STATE_OPEN, /* stale= */ true),
        on("n2", JobState.JOB_STATE_CLOSING, /* stale= */ false),
        on("n4", JobState.JOB_STATE_OPEN, /* stale= */ false),
        on("n3", JobState.JOB_STATE_OPEN, /* stale= */ false));
    assertEquals(new Shell.Ran(0, "", ""), ssh("42"));
    assertEquals(List.of(becomes("n3", "")), shell.plans);
  }

  private static Job listed(long number, String id, String name, long start) {
    return Job.newBuilder()
        .setJobId(number)
        .setBatchId(id)
        .setName(name)
        .setNode("n1")
        .setState(JobState.JOB_STATE_OPEN)
        .setStartedAt(Timestamp.newBuilder().setSeconds(start))
        .build();
  }

  @ParameterizedTest
  @CsvSource({
    "42.0, 42",
    "42.batch, 42",
    "42.server.site, 42",
    "62_1, 63",
    "62_1.0, 63",
    "64+1, 65",
    "901[3], 3445496560",
    "901[3].server, 3445496560",
    "latest, 65",
    "name-Train, 63"
  })
  void aJobIsFoundByTheWordsOfItsUser(String word, long number) {
    Job closing =
        listed(99, "", "train", 9).toBuilder().setState(JobState.JOB_STATE_CLOSING).build();
    fake.answer(
        ListRequest.class,
        ListResponse.newBuilder()
            .addJobs(listed(62, "62_2", "train", 1))
            .addJobs(listed(63, "62_1", "train", 2))
            .addJobs(listed(65, "64+1", "other", 3))
            .addJobs(listed(3445496560L, "901[3]", "", 2))
            .addJobs(closing)
            .build());
    runsOn(on("n1", JobState.JOB_STATE_OPEN, /* stale= */ false));
    assertEquals(new Shell.Ran(0, "", ""), ssh(word));
    assertTrue(shell.plans.getFirst().contains(" connect --job " + number + " "), word);
    String host = "job-" + word;
    new Shell().run("connect", "--find", "--socket", socket(), host, "22");
    assertEquals(
        List.of(number, number),
        fake.requests.stream()
            .filter(GetRequest.class::isInstance)
            .map(get -> ((GetRequest) get).getJobId())
            .toList());
  }

  @Test
  void aWordThatNamesNoJobIsRefusedWithTheCommandThatShowsTheNumber() {
    fake.answer(
        ListRequest.class,
        ListResponse.newBuilder()
            .addJobs(listed(7, "62_1", "", 1))
            .addJobs(listed(8, "62_1", "", 1))
            .build());
    String unknown =
        "rollcall: the agent at %s knows no job '%s' of yours. Give its number: rollcall jobs shows"
            + " it, and in Slurm squeue -o \"%%i %%A\"\n";
    for (String words :
        List.of("ssh 62_2", "ps 62_2", "usage 62_2", "job end 62_2", "connect --job 62_2 n1 22")) {
      var all = new ArrayList<>(List.of(words.split(" ")));
      all.addAll(List.of("--socket", socket()));
      assertEquals(
          new Shell.Ran(4, "", unknown.formatted(socket(), "62_2")),
          shell.run(all.toArray(String[]::new)));
    }
    assertEquals(new Shell.Ran(4, "", unknown.formatted(socket(), "name-x")), ssh("name-x"));
    assertEquals(
        new Shell.Ran(2, "", "rollcall: several jobs are listed as 62_1: [7, 8]\n"), ssh("62_1"));
  }

  @Test
  void theNodeMayBeNamedAndWordsForSshFollow() {
    runsOn(
        on("n1", JobState.JOB_STATE_OPEN, /* stale= */ false),
        on("n2", JobState.JOB_STATE_OPEN, /* stale= */ false));
    assertEquals(0, ssh("42", "n2").status());
    assertEquals(0, ssh("42", "n2", "--", "-L", "8888:localhost:8888").status());
    assertEquals(0, ssh("42", "--", "echo", "it's").status());
    assertEquals(
        List.of(
            becomes("n2", ""),
            becomes("n2", " '-L' '8888:localhost:8888'"),
            becomes("n1", " 'echo' 'it'\\''s'")),
        shell.plans);
  }

  @Test
  void withoutSuchAJobThereIsNoSsh() {
    runsOn();
    assertEquals(ExitCode.NOT_FOUND.status(), ssh("42").status());
    fake.answer(GetRequest.class, GetResponse.newBuilder().setRestriction("one node only").build());
    assertTrue(ssh("42").err().endsWith(" knows no job 42 of yours: one node only\n"));
    runsOn(on("n1", JobState.JOB_STATE_SUSPENDED, /* stale= */ false));
    assertEquals(
        new Shell.Ran(1, "", "rollcall: job 42 accepts no sessions: it is suspended on n1\n"),
        ssh("42"));
    assertEquals(
        new Shell.Ran(4, "", "rollcall: job 42 does not run on n2, but on n1\n"), ssh("42", "n2"));
    fake.answer(GetRequest.class, Status.UNAVAILABLE.withDescription("no"));
    assertEquals(ExitCode.UNAVAILABLE.status(), ssh("42").status());
    assertEquals(
        new Shell.Ran(
            2, "", "rollcall: 'n2' is one argument too many: arguments for ssh follow --\n"),
        ssh("42", "n1", "n2"));
    assertEquals(List.of(), shell.plans);
  }
}
