package dev.rollcall.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Timestamp;
import dev.rollcall.cli.ask.CliContext;
import dev.rollcall.cli.ask.SystemUsers;
import dev.rollcall.proto.v1.AdoptRequest;
import dev.rollcall.proto.v1.AdoptResponse;
import dev.rollcall.proto.v1.BeginRequest;
import dev.rollcall.proto.v1.BeginResponse;
import dev.rollcall.proto.v1.Caller;
import dev.rollcall.proto.v1.CallerAnswer;
import dev.rollcall.proto.v1.ChooseForCallRequest;
import dev.rollcall.proto.v1.ChooseForCallResponse;
import dev.rollcall.proto.v1.EndRequest;
import dev.rollcall.proto.v1.EndResponse;
import dev.rollcall.proto.v1.IdentifyRequest;
import dev.rollcall.proto.v1.IdentifyResponse;
import dev.rollcall.proto.v1.Job;
import dev.rollcall.proto.v1.JobState;
import dev.rollcall.proto.v1.JobStep;
import dev.rollcall.proto.v1.ListedProcess;
import dev.rollcall.proto.v1.Process;
import dev.rollcall.proto.v1.UnknownCaller;
import dev.rollcall.proto.v1.UnreachableCaller;
import io.grpc.Status;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The words that the program in C has are the same as in Java: what the agent is asked, what is
 * printed for each answer, and the exit status.
 */
class BriefContractTest {
  private static final String WHOIS = "whois 10.0.0.1:40312 10.0.0.2:22";
  private static final Timestamp TIME =
      Timestamp.newBuilder().setSeconds(1_795_003_200).setNanos(120_000_000).build();

  private static final Caller CALLER =
      Caller.newBuilder()
          .setCluster("one")
          .setNode("node1")
          .setJob(JobStep.newBuilder().setJobId(7).setStep("batch"))
          .setUid(65534)
          .setProcess(Process.newBuilder().setPid(4711).setStartTime(123_456))
          .setCalledAt(TIME)
          .build();

  private static final Job JOB =
      Job.newBuilder()
          .setJobId(7)
          .setNode("node1")
          .setUid(1)
          .setGid(2001)
          .setState(JobState.JOB_STATE_OPEN)
          .setStartedAt(TIME)
          .setBatchId("901[3]")
          .build();

  @TempDir private Path folder = Path.of("");
  private final FakeRollcall fake = new FakeRollcall();
  private final CliContext outside = new CliContext(new SystemUsers(), Optional.empty());

  @BeforeEach
  void listen() {
    fake.listenOn(socket());
  }

  @AfterEach
  void close() {
    fake.close();
  }

  private Path socket() {
    return folder.resolve("agent.sock");
  }

  private List<String> words(String line) {
    var words = new ArrayList<>(Arrays.asList(line.split(" ", -1)));
    words.replaceAll(word -> word.equals("EMPTY") ? "" : word.replace('_', ' '));
    words.addAll(List.of("--socket", socket().toString()));
    return words;
  }

  /** Runs both, compares all that is seen of them, and returns it. */
  private Shell.Ran both(String line) throws Exception {
    return both(words(line));
  }

  private Shell.Ran both(List<String> words) throws Exception {
    Shell.Ran java = Shell.run(outside, words.toArray(String[]::new));
    List<Object> asked = new ArrayList<>();
    fake.requests.drainTo(asked);
    Shell.Ran brief = new BriefProgram(folder).run(words);
    List<Object> briefly = new ArrayList<>();
    fake.requests.drainTo(briefly);
    assertEquals(java, brief, () -> String.join(" ", words));
    assertEquals(asked, briefly, () -> String.join(" ", words));
    return java;
  }

  /** Both with this environment. */
  private BeginRequest begunWith(Map<String, String> environment) throws Exception {
    answers(BeginRequest.class, BeginResponse.newBuilder().setJob(JOB).build());
    List<String> words = words("job begin 7 --uid 65534 --gid 1 --batch-environment");
    var with = new CliContext(outside.users(), outside.plan(), outside.ownProcesses(), environment);
    Shell.Ran java = Shell.run(with, words.toArray(String[]::new));
    var inJava = (BeginRequest) fake.requests.poll(20, TimeUnit.SECONDS);
    ProcessBuilder command = new BriefProgram(folder).command(words);
    command.environment().clear();
    command.environment().putAll(environment);
    assertEquals(java, new BriefProgram(folder).run(command));
    assertEquals(inJava, fake.requests.poll(20, TimeUnit.SECONDS));
    assertEquals(0, java.status(), java.err());
    return Objects.requireNonNull(inJava);
  }

  @Test
  void theBatchSystemsVariablesAreGivenAlike() throws Exception {
    Map<String, String> wanted = new TreeMap<>();
    wanted.put("SLURM_JOB_ID", "7");
    wanted.put("SLURMD_NODENAME", "n1");
    wanted.put("HIP_VISIBLE_DEVICES", "0,1");
    wanted.put("TMPDIR", "/scratch/7 ~");
    wanted.put("ROLLCALL_BATCH_ID", "901[3]");
    wanted.put("SLURM_EMPTY", "");
    wanted.put("SLURM_A", "x".repeat(4_096));
    wanted.put("GPU_DEVICE_ORDINAL", "0");
    wanted.put("ZE_AFFINITY_MASK", "0");
    wanted.put("ROLLCALL_LEFT_OUT", "CUDA_VISIBLE_DEVICES SLURM_C SLURM_D");
    Map<String, String> all = new TreeMap<>(wanted);
    all.put("PATH", "/usr/bin:/bin");
    all.put("LD_LIBRARY_PATH", "/tmp");
    all.put("SLURM_CONF", "/etc/slurm/slurm.conf");
    all.put("SLURM_SCRIPT_CONTEXT", "prolog_slurmd");
    all.put("CUDA_VISIBLE_DEVICES", "x".repeat(4_097));
    all.put("SLURM_C", "a\nb");
    all.put("SLURM_D", "\u007f");
    all.put("SLURM_lower", "1");
    all.put("OTHER", "1");
    assertEquals(wanted, begunWith(all).getAllocation().getEnvironmentMap());
    assertFalse(begunWith(Map.of("OTHER", "1")).hasAllocation());
  }

  @Test
  void ofManyVariablesTheSameAreGiven() throws Exception {
    Map<String, String> many = new TreeMap<>();
    for (int i = 0; i < 60; i++) {
      many.put("SLURM_V" + i, "1");
      many.put("SLURM_V" + i + "_X", "1");
    }
    assertEquals(41, begunWith(many).getAllocation().getEnvironmentCount());
    many.replaceAll((name, value) -> name.repeat(80));
    assertTrue(begunWith(many).getAllocation().getEnvironmentCount() < 20);
  }

  private void answers(Class<?> request, Object answer) {
    fake.answer(request, answer);
  }

  private void identified(CallerAnswer.Builder answer) {
    answers(IdentifyRequest.class, IdentifyResponse.newBuilder().setAnswer(answer).build());
  }

  @Test
  void aCallerIsPrintedAlike() throws Exception {
    for (Caller caller :
        List.of(
            CALLER,
            CALLER.toBuilder().clearJob().setUid(0).build(),
            CALLER.toBuilder().clearJob().setJob(JobStep.newBuilder().setJobId(8)).build(),
            CALLER.toBuilder().setUid(-2).setCalledAt(TIME.toBuilder().setNanos(1)).build(),
            CALLER.toBuilder().clearCalledAt().setNode("a\u001b[2Jb\"c\\").build(),
            Caller.getDefaultInstance())) {
      identified(CallerAnswer.newBuilder().setFound(caller));
      for (String each :
          List.of(
              WHOIS,
              WHOIS + " --json",
              "whois --udp 10.0.0.1:0 10.0.0.2:65535",
              "whois [fd77::1]:22 [::1]:1 --timeout=30")) {
        assertEquals(0, both(each).status());
      }
    }
  }

  @Test
  void whoIsNotFoundIsToldAlike() throws Exception {
    identified(CallerAnswer.newBuilder().setUnknown(UnknownCaller.newBuilder().setReason("gone")));
    assertEquals(4, both(WHOIS).status());
    assertEquals(4, both("whois [fd77::1]:22 [::1]:1 --udp --json").status());
    identified(
        CallerAnswer.newBuilder()
            .setUnreachable(UnreachableCaller.newBuilder().setReason("a\u202eb\n\n\tc é %")));
    assertEquals(5, both(WHOIS).status());
    identified(CallerAnswer.newBuilder());
    assertEquals(1, both(WHOIS).status());
  }

  @Test
  void whatTheAgentRefusesIsToldAlike() throws Exception {
    for (Status.Code code : Status.Code.values()) {
      if (code == Status.Code.OK) {
        continue;
      }
      for (Object description : List.of("", "root only: é, 100 % + \"x\"", "long ".repeat(400))) {
        Status status = code.toStatus();
        answers(
            IdentifyRequest.class,
            description.equals("") ? status : status.withDescription(description.toString()));
        both(WHOIS);
      }
    }
  }

  @Test
  void aJobBeginsAlike() throws Exception {
    for (Job job :
        List.of(
            JOB,
            JOB.toBuilder().setUser("ann").setStale(true).build(),
            JOB.toBuilder().setUid(4_000_001).setState(JobState.JOB_STATE_BEGINNING).build(),
            JOB.toBuilder().setStateValue(77).clearStartedAt().build())) {
      answers(BeginRequest.class, BeginResponse.newBuilder().setJob(job).build());
      for (String each :
          List.of(
              "job begin 7 --user daemon",
              "job begin --uid 1 7 --json",
              "job begin --uid=4000001 --gid=4000002 4294967295",
              "job begin --user daemon --gid 0 7")) {
        assertEquals(0, both(each).status());
      }
    }
  }

  @Test
  void aJobEndsAlike() throws Exception {
    var left =
        ListedProcess.newBuilder()
            .setProcess(Process.newBuilder().setPid(12).setStartTime(34))
            .setStep("0")
            .setCommand("sleep\u0007 \u009b 9\u2028");
    for (EndResponse end :
        List.of(
            EndResponse.newBuilder().setClean(true).setKilled(3).build(),
            EndResponse.newBuilder().addRemaining(left).addRemaining(left).build(),
            EndResponse.newBuilder()
                .setReason("x\ny")
                .addAllRemaining(IntStream.range(0, 5_000).mapToObj(_ -> left.build()).toList())
                .build(),
            EndResponse.newBuilder().setReason("r".repeat(9_000)).build())) {
      answers(EndRequest.class, end);
      for (String each :
          List.of(
              "job end 7",
              "job end --wait 0 7 --json",
              "job end 7 --wait 1500ms --grace=2m",
              "job end 7 --message EMPTY --grace 0",
              "job end 7 --user daemon",
              "job end --uid=4000001 7",
              "job end 7 --message we_must_stop_é")) {
        assertEquals(end.getClean() ? 0 : 1, both(each).status());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"exec >/dev/full", "exec >&-", "trap '' PIPE; exec > >(:); wait $!"})
  void anOutputThatIsCutHidesNoJobThatIsStillEnding(String output) throws Exception {
    answers(EndRequest.class, EndResponse.newBuilder().setReason("it stays").build());
    assertEquals(new Shell.Ran(1, "", ""), withOutput(output, "job end 7"));
    answers(EndRequest.class, EndResponse.newBuilder().setClean(true).build());
    boolean readerIsGone = output.contains("PIPE");
    assertEquals(
        readerIsGone
            ? new Shell.Ran(0, "", "")
            : new Shell.Ran(1, "", "rollcall: the output could not be written to its end\n"),
        withOutput(output, "job end 7"));
  }

  private Shell.Ran withOutput(String output, String line) throws Exception {
    var brief = new BriefProgram(folder);
    ProcessBuilder command = brief.command(words(line));
    command.command().addAll(0, List.of("bash", "-c", output + "; exec \"$@\"", "bash"));
    return brief.run(command);
  }

  /** The agent did not adopt the process, but its next call is the job's: nothing has failed. */
  @Test
  void aCallOfAJobThatIsElsewhereEndsWell() throws Exception {
    answers(AdoptRequest.class, Status.NOT_FOUND.withDescription("not here"));
    answers(ChooseForCallRequest.class, ChooseForCallResponse.getDefaultInstance());
    try (var far = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread.startVirtualThread(() -> {
        try {
          far.accept().close();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      });
      List<String> words = words("connect 127.0.0.1 " + far.getLocalPort() + " --job 42");
      assertEquals(new Shell.Ran(0, "", ""), new BriefProgram(folder).run(words));
    }
  }

  @Test
  void aCallThatCannotBeMadeIsToldAlike() throws Exception {
    int port;
    try (var nobody = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = nobody.getLocalPort();
    }
    String connect = "connect 127.0.0.1 " + port;
    assertEquals(5, both(connect).status());
    assertEquals(4, both("connect no.such.host.invalid 22").status());
    answers(AdoptRequest.class, AdoptResponse.getDefaultInstance());
    assertEquals(5, both(connect + " --job 42 --within 5s").status());
    answers(AdoptRequest.class, Status.PERMISSION_DENIED.withDescription("not yours"));
    assertEquals(3, both(connect + " --job=42").status());
    answers(AdoptRequest.class, Status.NOT_FOUND.withDescription("not here"));
    answers(ChooseForCallRequest.class, Status.NOT_FOUND.withDescription("nor elsewhere"));
    assertEquals(4, both(connect + " --job 42").status());
  }

  @Test
  void anAgentThatIsAwayIsToldAlike() throws Exception {
    fake.close();
    for (String line : List.of(WHOIS, "job end 7", "connect --job 7 node2 22")) {
      assertEquals(5, both(words(line)).status());
      var none = new ArrayList<>(words(line));
      none.set(none.size() - 1, folder.resolve("none.sock").toString());
      assertEquals(5, both(none).status());
    }
  }

  /** As one does where a user has too many connections. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anAgentThatHangsUpIsToldAlike(boolean reads) throws Exception {
    assertEquals(5, bothWith(WHOIS, reads, "").status());
  }

  /** After the answer the agent closes the connection. */
  @ParameterizedTest
  @CsvSource({
    "5, 00", // within the length
    "5, 000000040a", // within the frame
    "1, 00000000",
    "1, ffffffff",
    "1, 00100401",
    "1, 485454502f312e3120343030", // HTTP/1.1 400
    "1, 00000004ffffffff",
    "1, 0000000312050807", // an end that is cut
    "1, 000000060a0208ff1200", // a message that is cut
    "1, 000000021200", // a success without a message
    "1, 000000020a00000000021200", // a message, and its end in another frame
    "1, 000000070a030a01081200", // a cut answer in its message
    "1, 000000090a050a030a01081200", // a cut caller
    "1, 0000000b0a070a050a031a01081200", // a cut job
    "1, 0000000b0a070a050a032a01081200", // a cut process
    "1, 0000000b0a070a050a033201081200", // a cut time
  })
  void anAnswerThatCannotBeReadIsReportedAlike(int status, String answer) throws Exception {
    Shell.Ran ran = bothWith(WHOIS, true, answer);
    assertEquals(status, ran.status());
    assertEquals("", ran.out());
  }

  /** A broken job in the answer was read as job 0 of root, which had begun. */
  @ParameterizedTest
  @CsvSource({
    "job begin 7 --uid 1 --gid 1, 000000070a030a01081200", // a cut job
    "job begin 7 --uid 1 --gid 1 --json, 000000090a050a033a01081200", // a cut time
    "job end 7, 000000070a031201081200", // a cut process
    "job end 7 --json, 000000090a0512030a01081200", // its cut pid
  })
  void aJobIsNotReadFromABrokenAnswer(String line, String answer) throws Exception {
    Shell.Ran ran = bothWith(line, true, answer);
    assertEquals(1, ran.status());
    assertEquals("", ran.out());
    assertTrue(ran.err().endsWith(": its answer cannot be read\n"), ran::err);
  }

  private Shell.Ran bothWith(String line, boolean reads, String answer) throws Exception {
    Path rude = folder.resolve("rude.sock");
    var words = new ArrayList<>(words(line));
    words.set(words.size() - 1, rude.toString());
    try (var listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      listening.bind(UnixDomainSocketAddress.of(rude));
      var hangingUp =
          Thread.ofVirtual()
              .start(() -> {
                for (int i = 0; i < 2; i++) {
                  try (var connection = listening.accept()) {
                    if (reads) {
                      connection.read(ByteBuffer.allocate(65_536));
                    }
                    connection.write(ByteBuffer.wrap(HexFormat.of().parseHex(answer)));
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                }
              });
      Shell.Ran ran = both(words);
      hangingUp.join();
      return ran;
    }
  }

  @Test
  void aSilentAgentIsGivenUpAlike() throws Exception {
    assertEquals(5, both(WHOIS + " --timeout 1").status());
  }

  /** While it waits for the agent, which is after all that it loads. */
  @Test
  void itTakesLessThanFourMegabytes() throws Exception {
    java.lang.Process waiting = new BriefProgram(folder).command(words(WHOIS)).start();
    try {
      assertNotNull(fake.requests.poll(20, TimeUnit.SECONDS), "it does not ask");
      String status = Files.readString(Path.of("/proc/" + waiting.pid() + "/status"));
      Matcher most = Pattern.compile("VmHWM:\\s+([0-9]+) kB").matcher(status);
      assertTrue(most.find(), status);
      assertTrue(Integer.parseInt(most.group(1)) < 4_096, status);
    } finally {
      waiting.destroyForcibly();
    }
  }

  /** One place says what is wrong with a command line, and has what few scripts ask for. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "whois",
        "whois --help",
        "whois 10.0.0.1:1",
        "whois 10.0.0.1:1 [::1]:1",
        "whois 10.0.0.1:1 10.0.0.2:65536",
        "whois 10.0.0.1:+1 10.0.0.2:2",
        "whois [::ffff:10.0.0.1]:1 [::1]:2",
        "whois 10.0.0.1:1 10.0.0.2:2 10.0.0.3:3",
        "whois 10.0.0.1:1 10.0.0.2:2 --json --json",
        "whois 10.0.0.1:1 10.0.0.2:2 --json=true",
        "whois 10.0.0.1:1 10.0.0.2:2 --gateway gate:1",
        "whois 10.0.0.1:1 10.0.0.2:2 --timeout 0",
        "whois 10.0.0.1:1 10.0.0.2:2 --user root",
        "whois 10.0.0.1:1 -- 10.0.0.2:2",
        "whois @words",
        "job begin 7",
        "job begin 0 --user root",
        "job begin 07 --user root",
        "job begin 4294967296 --user root",
        "job begin 7 --user no_such_user",
        "job begin 7 --user 1",
        "job begin 7 --user 0 --gid 1",
        "job begin 7 --uid daemon",
        "job begin 7 --uid 4000001",
        "job begin 7 --uid 4294967295 --gid 1",
        "job begin 7 --user daemon --uid 1",
        "job end 7 --user no_such_user",
        "job end 7 --user 1",
        "job end 7 --uid 0",
        "job end 7 --uid -1",
        "job end 7 --uid 1 --user daemon",
        "job begin 7 --user root --gid 4294967295",
        "job begin 7 --user root --memory-max 4G",
        "job end 7 --wait 11m",
        "job end 7 --wait -1",
        "job end 7 --grace forever",
        "job end 7 8",
        "connect node",
        "connect node 0",
        "connect node 65536",
        "connect node 22 --job 0",
        "connect node 22 --within 0",
        "jobs",
        "job list"
      })
  void whatItDoesNotUnderstandIsLeftToJava(String line) throws Exception {
    List<String> words = words(line);
    Shell.Ran brief = new BriefProgram(folder).run(words);
    assertEquals(
        new Shell.Ran(BriefProgram.LEFT_TO_JAVA, "no|" + String.join("|", words) + "|", ""), brief);
    assertEquals(0, fake.requests.size());
  }

  @Test
  void aTableThatJavaMeasuresIsLeftToJava() throws Exception {
    identified(CallerAnswer.newBuilder().setFound(CALLER.toBuilder().setNode("nö")));
    assertEquals(BriefProgram.LEFT_TO_JAVA, new BriefProgram(folder).run(words(WHOIS)).status());
  }

  @ParameterizedTest
  @ValueSource(strings = {"ROLLCALL_GATEWAY", "ROLLCALL_CLI_OPTS"})
  void whatTheEnvironmentAsksForIsJavas(String name) throws IOException, InterruptedException {
    var program = new BriefProgram(folder);
    ProcessBuilder command = program.command(words(WHOIS));
    command.environment().put(name, "gate:1");
    assertEquals(BriefProgram.LEFT_TO_JAVA, program.run(command).status());
    assertFalse(fake.requests.iterator().hasNext());
    answers(EndRequest.class, EndResponse.newBuilder().setClean(true).build());
    ProcessBuilder withEmpty = program.command(words("job end 7"));
    withEmpty.environment().put(name, "");
    assertEquals(0, program.run(withEmpty).status());
  }
}
