package dev.rollcall.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.proto.v1.GetRequest;
import dev.rollcall.proto.v1.GetResponse;
import dev.rollcall.proto.v1.Job;
import dev.rollcall.proto.v1.JobState;
import io.grpc.Status;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

  private Shell.Ran ssh(String... words) {
    var all = new ArrayList<>(List.of("ssh", "--socket", folder.resolve("agent.sock").toString()));
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
