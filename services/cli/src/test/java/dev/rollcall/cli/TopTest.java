package dev.rollcall.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Timestamp;
import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.cli.top.TopFrame;
import dev.rollcall.cli.top.TopSight;
import dev.rollcall.proto.v1.Adoption;
import dev.rollcall.proto.v1.Job;
import dev.rollcall.proto.v1.JobState;
import dev.rollcall.proto.v1.JobStep;
import dev.rollcall.proto.v1.ListNodesRequest;
import dev.rollcall.proto.v1.ListNodesResponse;
import dev.rollcall.proto.v1.ListRequest;
import dev.rollcall.proto.v1.ListResponse;
import dev.rollcall.proto.v1.ListSessionsRequest;
import dev.rollcall.proto.v1.ListSessionsResponse;
import dev.rollcall.proto.v1.Node;
import dev.rollcall.proto.v1.NodeState;
import dev.rollcall.proto.v1.Outcome;
import dev.rollcall.proto.v1.Session;
import io.grpc.Status;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TopTest {
  private static final Instant NOON = Instant.parse("2026-11-18T12:00:00Z");
  private static final Node NODE =
      Node.newBuilder()
          .setNode("node1")
          .setState(NodeState.NODE_STATE_CONNECTED)
          .setCallSource("sock_ops")
          .setVersion("0.1.0")
          .setJobs(1)
          .build();
  private static final Job JOB =
      Job.newBuilder()
          .setJobId(42)
          .setNode("node1")
          .setUid(1001)
          .setState(JobState.JOB_STATE_OPEN)
          .build();

  @TempDir private Path folder = Path.of("");
  private final FakeRollcall fake = new FakeRollcall();

  private static Session session(int number, boolean live) {
    return Session.newBuilder()
        .setLive(live)
        .setAdoption(
            Adoption.newBuilder()
                .setAdoptionId("mi5-" + number)
                .setUid(1001)
                .setOutcome(Outcome.OUTCOME_ADOPTED)
                .setReason("only-job")
                .setJob(JobStep.newBuilder().setJobId(42).setStep("extern"))
                .setDecidedAt(Timestamp.newBuilder().setSeconds(NOON.getEpochSecond() - number)))
        .build();
  }

  private static TopSight sight(int nodes, int jobs, int sessions) {
    return new TopSight(
        NOON,
        IntStream.range(0, nodes).mapToObj(_ -> NODE).toList(),
        IntStream.range(0, jobs).mapToObj(i -> JOB.toBuilder().setJobId(i + 1).build()).toList(),
        IntStream.range(0, sessions).mapToObj(i -> session(i, i == 0)).toList(),
        "");
  }

  private static List<String> frame(TopSight sight, int width, int height) {
    return new TopFrame(Shell.USERS).lines(sight, width, height);
  }

  @Test
  void aFrameTellsNodesJobsAndSessions() {
    assertEquals(
        List.of(
            "2026-11-18T12:00:00.000Z  nodes 1  jobs 1  sessions 1  decisions 0.2/s",
            "",
            "NODE   STATE      JOBS  CALLS BY  VERSION",
            "node1  connected  1     sock_ops  0.1.0",
            "",
            "JOB  NODE   USER   STATE  STARTED",
            "1    node1  alice  open   -",
            "",
            "SESSION  USER   JOB  OUTCOME  REASON    LIVE  FROM",
            "mi5-0    alice  42   adopted  only-job  yes   unknown",
            "mi5-1    alice  42   adopted  only-job  no    unknown"),
        frame(sight(1, 1, 2), 80, 24));
  }

  @Test
  void muchFitsIntoEveryTerminalAndWhatDoesNotIsCounted() {
    for (int height : List.of(1, 2, 5, 10, 24, 60)) {
      for (int width : List.of(1, 20, 80, 200)) {
        List<String> lines = frame(sight(1_000, 1_000, 1_000), width, height);
        assertTrue(lines.size() <= height, () -> lines.size() + " lines in " + height);
        assertTrue(lines.stream().allMatch(line -> line.length() <= width), lines::toString);
      }
    }
    List<String> usual = frame(sight(1_000, 1_000, 1_000), 80, 24);
    assertEquals(24, usual.size());
    assertEquals(
        3, usual.stream().filter(line -> line.startsWith("... and ")).count(), usual::toString);
  }

  @Test
  void lostNodesAndWhatIsMissingAreSaid() {
    var lost = NODE.toBuilder().setState(NodeState.NODE_STATE_LOST).build();
    var sight =
        new TopSight(NOON, List.of(NODE, lost), List.of(), List.of(), "sessions: not served");
    List<String> lines = frame(sight, 80, 24);
    assertTrue(lines.get(0).contains("nodes 2 (1 lost)"), lines.get(0));
    assertEquals("! sessions: not served", lines.get(1));
  }

  @BeforeEach
  void listen() {
    fake.listenOn(folder.resolve("agent.sock"));
  }

  @AfterEach
  void close() {
    fake.close();
  }

  private void answer() {
    fake.answer(ListNodesRequest.class, ListNodesResponse.newBuilder().addNodes(NODE).build());
    fake.answer(ListRequest.class, ListResponse.newBuilder().addJobs(JOB).build());
    fake.answer(
        ListSessionsRequest.class,
        ListSessionsResponse.newBuilder().addSessions(session(1, true)).build());
  }

  @Test
  void onceIsOneFrame() {
    answer();
    Shell.Ran ran =
        new Shell().run("top", "--once", "--socket", folder.resolve("agent.sock").toString());
    assertEquals(0, ran.status(), ran.err());
    assertTrue(ran.out().contains("node1  connected"), ran.out());
    assertTrue(ran.out().contains("mi5-1"), ran.out());
  }

  @Test
  void onceCanBeJson() {
    answer();
    String socket = folder.resolve("agent.sock").toString();
    String out = new Shell().run("top", "--once", "--json", "--socket", socket).out();
    assertTrue(out.contains("\"nodes\":[{\"node\":\"node1\""), out);
    assertTrue(out.contains("\"live\":true"), out);
    assertEquals(
        ExitCode.USAGE.status(), new Shell().run("top", "--json", "--socket", socket).status());
  }

  @Test
  void withoutAGatewayTheRestIsShown() {
    answer();
    fake.answer(ListNodesRequest.class, Status.UNAVAILABLE.withDescription("no gateway"));
    Shell.Ran ran =
        new Shell().run("top", "--once", "--socket", folder.resolve("agent.sock").toString());
    assertEquals(0, ran.status(), ran.err());
    assertTrue(ran.out().contains("! nodes: no gateway"), ran.out());
    assertTrue(ran.out().contains("mi5-1"), ran.out());
  }

  @Test
  void withoutAnAgentThereIsAnError() {
    Shell.Ran ran = new Shell().run("top", "--once", "--socket", folder.resolve("none").toString());
    assertEquals(ExitCode.UNAVAILABLE.status(), ran.status());
    assertEquals("", ran.out());
  }

  @Test
  void tooOftenIsRefused() {
    assertEquals(ExitCode.USAGE.status(), new Shell().run("top", "--every", "1ms").status());
  }

  @Test
  void qEndsItAndTheTerminalIsAsBefore() throws IOException, InterruptedException {
    answer();
    String[] parts = inATerminal("q", false).split("=====\\r?\\n", -1);
    assertEquals(parts[0].strip(), parts[2].strip(), "stty -g before and after");
    assertTrue(parts[1].startsWith("\033[?1049h"), parts[1]);
    assertTrue(parts[1].contains("node1"), parts[1]);
    assertTrue(parts[1].stripTrailing().endsWith("\033[?1049l"), parts[1]);
  }

  @Test
  void ctrlCEndsItAndTheTerminalIsAsBefore() throws IOException, InterruptedException {
    answer();
    String[] parts = inATerminal("\003", false).split("=====\\r?\\n", -1);
    assertEquals(parts[0].strip(), parts[2].strip(), "stty -g before and after");
    assertTrue(parts[1].contains("\033[?1049l"), parts[1]);
  }

  @Test
  void theLastFrameStaysWhileTheAgentIsAway() throws IOException, InterruptedException {
    answer();
    String said = inATerminal("q", true);
    int away = said.indexOf("! no agent is running here: there is no socket");
    assertTrue(away >= 0, said);
    assertTrue(said.indexOf("mi5-1", away) >= 0, said);
    assertTrue(said.contains("\033[?1049l"), said);
  }

  /**
   * What was on a terminal of script(1) until a key was pressed, once a frame was there. A test run
   * in the background has SIGINT ignored, and whoever it starts, too; env(1) undoes that.
   *
   * @param without whether the agent's socket is removed then, and the key waits for the next frame
   */
  private String inATerminal(String key, boolean without) throws IOException, InterruptedException {
    String top =
        "%s -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED -cp '%s' dev.rollcall.cli.Main top --socket %s"
            .formatted(
                ProcessHandle.current().info().command().orElseThrow(),
                System.getProperty("java.class.path"),
                folder.resolve("agent.sock"));
    String script = "trap : INT; stty -g; echo =====; " + top + "; echo =====; stty -g";
    Process process =
        new ProcessBuilder("env", "--default-signal=INT", "script", "-qec", script, "/dev/null")
            .redirectErrorStream(true)
            .start();
    try (var in = process.getInputStream();
        var keys = process.getOutputStream()) {
      var said = new StringBuilder();
      byte[] some = new byte[4_096];
      boolean pressed = false;
      boolean removed = !without;
      for (int read = in.read(some); read >= 0; read = in.read(some)) {
        said.append(new String(some, 0, read, StandardCharsets.ISO_8859_1));
        if (!removed && said.indexOf("mi5-1") >= 0) {
          Files.delete(folder.resolve("agent.sock"));
          removed = true;
        }
        if (!pressed && said.indexOf(without ? "! no agent" : "mi5-1") >= 0) {
          keys.write(key.getBytes(StandardCharsets.ISO_8859_1));
          keys.flush();
          pressed = true;
        }
      }
      var _ = process.waitFor();
      return said.toString();
    } finally {
      process.destroyForcibly();
    }
  }
}
