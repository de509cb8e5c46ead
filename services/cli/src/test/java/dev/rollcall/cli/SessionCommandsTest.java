package dev.rollcall.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import dev.rollcall.cli.ask.CliContext;
import dev.rollcall.cli.ask.ProcProcesses;
import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.proto.v1.AdoptRequest;
import dev.rollcall.proto.v1.AdoptResponse;
import dev.rollcall.proto.v1.Adoption;
import dev.rollcall.proto.v1.Connection;
import dev.rollcall.proto.v1.Endpoint;
import dev.rollcall.proto.v1.ExplainRequest;
import dev.rollcall.proto.v1.ExplainResponse;
import dev.rollcall.proto.v1.JobStep;
import dev.rollcall.proto.v1.ListSessionsRequest;
import dev.rollcall.proto.v1.ListSessionsResponse;
import dev.rollcall.proto.v1.Outcome;
import dev.rollcall.proto.v1.PredictRequest;
import dev.rollcall.proto.v1.PredictResponse;
import dev.rollcall.proto.v1.Process;
import dev.rollcall.proto.v1.Session;
import dev.rollcall.proto.v1.SwitchRequest;
import dev.rollcall.proto.v1.SwitchResponse;
import dev.rollcall.proto.v1.WatchAdoptionsRequest;
import dev.rollcall.proto.v1.WatchAdoptionsResponse;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands about sessions: their words on the wire and on the terminal. */
class SessionCommandsTest {
  private static final Adoption ADOPTED =
      Adoption.newBuilder()
          .setAdoptionId("mi5-2k")
          .setNode("node2")
          .setUid(1001)
          .setService("sshd")
          .setOutcome(Outcome.OUTCOME_ADOPTED)
          .setJob(JobStep.newBuilder().setJobId(42).setStep("extern"))
          .setReason("newest-job")
          .setDoubt("gateway gate:7450 is unreachable")
          .setConnection(
              Connection.newBuilder()
                  .setLocal(Endpoint.newBuilder().setAddress("fd77::2").setPort(22))
                  .setRemote(Endpoint.newBuilder().setAddress("fd77::1").setPort(40000)))
          .setDecidedAt(Timestamp.newBuilder().setSeconds(1_795_003_200))
          .setTook(Duration.newBuilder().setNanos(3_900_000))
          .build();
  private static final Adoption DENIED =
      Adoption.newBuilder()
          .setAdoptionId("mi5-2j")
          .setNode("node2")
          .setUid(1002)
          .setService("sshd")
          .setOutcome(Outcome.OUTCOME_DENIED)
          .setReason("no-jobs")
          .setDecidedAt(Timestamp.newBuilder().setSeconds(1_795_003_199))
          .build();
  private static final String ADOPTED_JSON =
      """
      {"session":"mi5-2k","node":"node2","user":"alice","uid":1001,"service":"sshd",\
      "outcome":"adopted","job":42,"step":"extern","reason":"newest-job",\
      "would":null,"would_job":null,"doubt":"gateway gate:7450 is unreachable","local":"[fd77::2]:22","remote":"[fd77::1]:40000",\
      "decided_at":"2026-11-18T12:00:00Z","took_ms":3\
      """;

  @TempDir private Path folder = Path.of("");
  private final FakeRollcall fake = new FakeRollcall();

  @BeforeEach
  void listen() {
    fake.listenOn(folder.resolve("agent.sock"));
  }

  @AfterEach
  void close() {
    fake.close();
  }

  private Shell.Ran run(String... words) {
    var all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--socket", folder.resolve("agent.sock").toString()));
    var processes = new ProcProcesses(folder.resolve("proc"));
    return Shell.run(
        new CliContext(Shell.USERS, Optional.empty(), processes, Map.of()),
        all.toArray(String[]::new));
  }

  private static void assertPrinted(String text, Shell.Ran ran) {
    assertEquals(new Shell.Ran(0, text + System.lineSeparator(), ""), ran);
  }

  private static void assertFailed(ExitCode code, String line, Shell.Ran ran) {
    assertEquals(
        new Shell.Ran(code.status(), "", "rollcall: " + line + System.lineSeparator()), ran);
  }

  private String agent() {
    return "agent at " + folder.resolve("agent.sock");
  }

  @Nested
  class Why {
    @Test
    void tellsAllThatADecisionWasMadeFrom() {
      fake.answer(ExplainRequest.class, ExplainResponse.newBuilder().setAdoption(ADOPTED).build());
      assertPrinted(
          """
          session  mi5-2k
          node     node2
          user     alice
          service  sshd
          call     [fd77::1]:40000 to [fd77::2]:22
          outcome  adopted into job 42, step extern
          reason   newest-job: several jobs, and the caller is not known: the newest
          doubt    gateway gate:7450 is unreachable
          decided  2026-11-18T12:00:00.000Z, within 3 ms\
          """,
          run("why", "mi5-2k"));
      assertEquals(
          ExplainRequest.newBuilder().setAdoptionId("mi5-2k").build(), fake.requests.remove());
    }

    @Test
    void printsJson() {
      fake.answer(ExplainRequest.class, ExplainResponse.newBuilder().setAdoption(ADOPTED).build());
      assertPrinted(ADOPTED_JSON + ",\"jobs_now\":[]}", run("why", "mi5-2k", "--json"));
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        value = {
          "57 | in job 57, moved there from job 42",
          "42 57 | in jobs 42, 57, some of it moved there from job 42"
        })
    void saysWhereASessionIsNow(String jobs, String where) {
      var told = ExplainResponse.newBuilder().setAdoption(ADOPTED);
      for (String job : jobs.split(" ", -1)) {
        told.addJobsNow(Long.parseLong(job));
      }
      fake.answer(ExplainRequest.class, told.build());
      assertTrue(
          run("why")
              .out()
              .contains(
                  "outcome  adopted into job 42, step extern\nnow      " + where + "\nreason   "));
    }

    /** No test runs in a session that Rollcall let in: ROLLCALL_ADOPTION is not set. */
    @Test
    void withoutAnIdAsksForTheLastSession() {
      fake.answer(ExplainRequest.class, ExplainResponse.newBuilder().setAdoption(DENIED).build());
      assertEquals(0, run("why").status());
      assertEquals(ExplainRequest.getDefaultInstance(), fake.requests.remove());
    }

    @Test
    void saysWhatIsNotKnown() {
      fake.answer(ExplainRequest.class, ExplainResponse.newBuilder().setAdoption(DENIED).build());
      assertPrinted(
          """
          session  mi5-2j
          node     node2
          user     bob
          service  sshd
          call     unknown: no connection was found for it
          outcome  denied
          reason   no-jobs: the user had no job on this node
          decided  2026-11-18T11:59:59.000Z, within 0 ms\
          """,
          run("why", "mi5-2j"));
    }

    @Test
    void namesASessionThatIsNotRemembered() {
      fake.answer(
          ExplainRequest.class,
          Status.NOT_FOUND.withDescription("no adoption 'x' is remembered on this node"));
      assertFailed(
          ExitCode.NOT_FOUND,
          "not found by the " + agent() + ": no adoption 'x' is remembered on this node",
          run("why", "x"));
    }
  }

  @Nested
  class Sessions {
    @Test
    void areListedWithTheirJobsAndWhetherTheyLive() {
      fake.answer(ListSessionsRequest.class, both());
      assertPrinted(
          """
          SESSION  USER   JOB   OUTCOME  REASON      FROM             DECIDED                   LIVE
          mi5-2k   alice  42    adopted  newest-job  [fd77::1]:40000  2026-11-18T12:00:00.000Z  yes
          mi5-2j   bob    none  denied   no-jobs     unknown          2026-11-18T11:59:59.000Z  no\
          """,
          run("sessions", "--user", "alice", "--job", "42"));
      assertEquals(
          ListSessionsRequest.newBuilder().setUid(1001).setJobId(42).build(),
          fake.requests.remove());
    }

    @Test
    void areListedInTheJobToWhichTheyWereMoved() {
      fake.answer(
          ListSessionsRequest.class,
          ListSessionsResponse.newBuilder()
              .addSessions(Session.newBuilder().setAdoption(ADOPTED).setLive(true).addJobsNow(57))
              .build());
      assertPrinted(
          """
          SESSION  USER   JOB           OUTCOME  REASON      FROM             DECIDED                   LIVE
          mi5-2k   alice  57 (from 42)  adopted  newest-job  [fd77::1]:40000  2026-11-18T12:00:00.000Z  yes\
          """,
          run("sessions"));
    }

    @Test
    void areThoseThatLiveIfAskedFor() {
      fake.answer(ListSessionsRequest.class, both());
      assertPrinted(
          "[" + ADOPTED_JSON + ",\"live\":true,\"jobs_now\":[42]}]",
          run("sessions", "--live", "--json"));
    }

    private static ListSessionsResponse both() {
      return ListSessionsResponse.newBuilder()
          .addSessions(Session.newBuilder().setAdoption(ADOPTED).setLive(true).addJobsNow(42))
          .addSessions(Session.newBuilder().setAdoption(DENIED))
          .build();
    }

    @Test
    void ofAUserThatIsNotThereAreNotFound() {
      assertFailed(
          ExitCode.NOT_FOUND, "no user is named 'carol'", run("sessions", "--user", "carol"));
    }
  }

  @Nested
  class Watch {
    @Test
    void printsALineForEachDecision() {
      fake.answer(
          WatchAdoptionsRequest.class,
          WatchAdoptionsResponse.newBuilder().setAdoption(ADOPTED).build());
      assertPrinted(
          "2026-11-18T12:00:00.000Z  mi5-2k  alice  from [fd77::1]:40000  adopted into job 42, step"
              + " extern  newest-job: gateway gate:7450 is unreachable",
          run("watch", "--uid", "1001"));
      assertEquals(WatchAdoptionsRequest.newBuilder().setUid(1001).build(), fake.requests.remove());
      assertPrinted(ADOPTED_JSON + "}", run("watch", "--json", "--count", "1"));
    }

    @Test
    void needsACountThatIsOne() {
      assertFailed(ExitCode.USAGE, "--count 0 is not at least 1", run("watch", "--count", "0"));
    }
  }

  @Nested
  class Switch {
    private static final String HERE = "0::/rollcall/job_41/step_extern/session_1\n";
    private final int self = (int) ProcessHandle.current().pid();

    private void process(int pid, int uid, int session, String cgroup, String name)
        throws IOException {
      Path process = Files.createDirectories(folder.resolve("proc").resolve(Integer.toString(pid)));
      Files.writeString(
          process.resolve("stat"),
          "%d (%s) S 1 1 %d 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 %d 0\n"
              .formatted(pid, name, session, pid * 10L));
      Files.writeString(
          process.resolve("status"),
          // A process chooses its name. The kernel leaves a carriage return in it.
          "Name:\tx\rUid:\t7\t7\t7\t7\nUid:\t%1$d\t%1$d\t%1$d\t%1$d\nGid:\t1\t1\t1\t1\n"
              .formatted(uid));
      Files.writeString(process.resolve("cgroup"), cgroup);
    }

    @BeforeEach
    void aSession() throws IOException {
      process(self, 1001, 7, HERE, "java");
      process(11, 0, 6, HERE, "sshd");
      process(12, 1001, 7, HERE, "ba) sh");
      process(13, 1001, 8, HERE.replace("41", "40"), "other");
    }

    @Test
    void movesTheSessionsOwnProcessesAndSaysWhatStays() {
      fake.answer(AdoptRequest.class, AdoptResponse.getDefaultInstance());
      assertPrinted(
          """
          moved into job 42: 12 (ba) sh)
          not moved: 11 (sshd): it is not yours
          Processes that they start from now on are in job 42. Their variables (SLURM_JOB_ID), rlimits and \
          private directories are still those from before.\
          """,
          run("switch", "42"));
      assertEquals(
          AdoptRequest.newBuilder()
              .setJobId(42)
              .setProcess(Process.newBuilder().setPid(12).setStartTime(120))
              .build(),
          fake.requests.remove());
      assertTrue(fake.requests.isEmpty());
    }

    @Test
    void printsJson() {
      fake.answer(AdoptRequest.class, AdoptResponse.getDefaultInstance());
      assertPrinted(
          """
          {"job":42,"moved":[{"pid":12,"start_time":120,"command":"ba) sh"}],\
          "left":[{"pid":11,"start_time":110,"command":"sshd","why":"it is not yours"}]}\
          """,
          run("switch", "42", "--json"));
    }

    @Test
    void movesNothingIntoAJobThatIsNotTheUsers() {
      fake.answer(
          AdoptRequest.class,
          Status.NOT_FOUND.withDescription("you have no such job on this node"));
      assertFailed(
          ExitCode.NOT_FOUND,
          "not found by the " + agent() + ": you have no such job on this node",
          run("switch", "42"));
    }

    @Test
    void choosesForTheNextSessionsAndTakesItBack() {
      fake.answer(SwitchRequest.class, SwitchResponse.getDefaultInstance());
      assertPrinted(
          "your next sessions on this node enter job 42, until it ends",
          run("switch", "--next", "42"));
      assertEquals(SwitchRequest.newBuilder().setJobId(42).build(), fake.requests.remove());
      assertPrinted("{\"next\":null}", run("switch", "--none", "--json"));
      assertEquals(SwitchRequest.getDefaultInstance(), fake.requests.remove());
    }

    @Test
    void needsOneOfItsThreeForms() {
      String line = "switch ID, switch --next ID, or switch --none?";
      assertFailed(ExitCode.USAGE, line, run("switch"));
      assertFailed(ExitCode.USAGE, line, run("switch", "42", "--none"));
      assertFailed(ExitCode.USAGE, line, run("switch", "--next"));
    }
  }

  @Nested
  class Explain {
    @Test
    void tellsWhatWouldHappenAndWhatIsNotKnown() {
      fake.answer(
          PredictRequest.class,
          PredictResponse.newBuilder()
              .setNode("node2")
              .setOutcome(Outcome.OUTCOME_ADOPTED)
              .setJobId(42)
              .setReason("newest-job")
              .setDoubt("the caller is known only after a connection is made")
              .addCallersJobs(41)
              .addCallersJobs(42)
              .setOptionsSeen(true)
              .build());
      assertPrinted(
          """
          alice logging in to node2 now: adopted into job 42
          reason: newest-job: several jobs, and the caller is not known: the newest
          not known yet: the caller is known only after a connection is made
          a connection from one of these jobs enters that job: 41, 42
          by the PAM options of the last login there\
          """,
          run("explain", "alice", "node2"));
      assertEquals(
          PredictRequest.newBuilder().setUid(1001).setNode("node2").build(),
          fake.requests.remove());
    }

    @Test
    void printsJson() {
      fake.answer(
          PredictRequest.class,
          PredictResponse.newBuilder()
              .setNode("node2")
              .setOutcome(Outcome.OUTCOME_DENIED)
              .setReason("no-jobs")
              .setMessage("you have no active jobs on this node")
              .build());
      assertPrinted(
          """
          {"user":"+1002","node":"node2","outcome":"denied","job":null,"reason":"no-jobs",\
          "doubt":null,"message":"you have no active jobs on this node","callers_jobs":[],\
          "options_seen":false,"only_watched":null}\
          """,
          run("explain", "+1002", "--json"));
    }

    @Test
    void saysByWhichRuleNothingOfItIsEnforced() {
      fake.answer(
          PredictRequest.class,
          PredictResponse.newBuilder()
              .setNode("node9")
              .setOutcome(Outcome.OUTCOME_DENIED)
              .setReason("no-jobs")
              .setMessage("you have no active jobs on this node")
              .setOnlyWatched("/etc/rollcall/audit_only.yaml: users has alice")
              .build());
      assertPrinted(
          """
          alice logging in to node9 now: denied
          not enforced: the session would be left as it is, by /etc/rollcall/audit_only.yaml: users has alice on node9
          reason: no-jobs: the user had no job on this node
          the user reads: you have no active jobs on this node
          by the defaults of the PAM options: no login has shown others yet\
          """,
          run("explain", "alice", "node9"));
    }

    @Test
    void saysThatTheOtherNodeIsNotReached() {
      fake.answer(
          PredictRequest.class,
          Status.FAILED_PRECONDITION.withDescription("node node9 is not connected"));
      assertFailed(
          ExitCode.FAILED,
          "refused by the " + agent() + ": node node9 is not connected",
          run("explain", "alice", "node9"));
    }
  }

  @Nested
  class WithoutAnAgent {
    @Test
    void eachSaysThatNobodyIsThere() {
      for (String words : List.of("why", "explain alice", "sessions", "watch", "switch --none")) {
        var all = new ArrayList<>(List.of(words.split(" ")));
        all.addAll(List.of("--socket", folder.resolve("none.sock").toString()));
        Shell.Ran ran = new Shell().run(all.toArray(String[]::new));
        assertEquals(ExitCode.UNAVAILABLE.status(), ran.status(), ran.toString());
        assertTrue(ran.err().contains("none.sock"), ran.err());
        assertEquals(1, ran.err().lines().count(), ran.err());
      }
    }
  }
}
