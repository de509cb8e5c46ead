package dev.rollcall.agent.login.socket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.agent.TestNode;
import dev.rollcall.agent.event.AdoptionRequested;
import dev.rollcall.agent.event.Deadline;
import dev.rollcall.agent.event.LoginOutcome;
import dev.rollcall.agent.event.Mover;
import dev.rollcall.agent.event.OfferAnswer;
import dev.rollcall.agent.event.Phase;
import dev.rollcall.agent.login.socket.RequestReader.BadRequestException;
import dev.rollcall.model.AdoptOptions;
import dev.rollcall.model.AdoptOptions.ActionAdoptFailure;
import dev.rollcall.model.AdoptOptions.ActionGenericFailure;
import dev.rollcall.model.AdoptOptions.ActionNoJobs;
import dev.rollcall.model.AdoptOptions.ActionUnknown;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.NamespaceType;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.Reason;
import dev.rollcall.model.allocation.Rlimit;
import dev.rollcall.model.allocation.SessionSetup;
import dev.rollcall.port.JobNamespaces;
import dev.rollcall.port.JobNamespaces.Namespace;
import dev.rollcall.proto.loginsocket.v1.EnvironmentVariable;
import dev.rollcall.proto.loginsocket.v1.LoginReply;
import dev.rollcall.testkit.jobs.FakeProcess;
import dev.rollcall.testkit.jobs.InMemoryJobs;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The frames that the module's own tests read too. */
class SocketContractTest {
  private static final Path CONTRACT =
      Path.of(System.getProperty("rollcall.home"), "services", "pam", "contract");

  private final FakeProcess process = new InMemoryJobs().start("sshd");

  /** Descriptors that are only numbers. */
  private record Numbers(List<Namespace> inOrder) implements JobNamespaces {
    @Override
    public void close() {}
  }

  private static byte[] bytes(String file) throws IOException {
    var hex = new StringBuilder();
    Files.readAllLines(CONTRACT.resolve(file))
        .forEach(line -> hex.append(line.replaceFirst("#.*", "").replace(" ", "")));
    return HexFormat.of().parseHex(hex);
  }

  private AdoptionRequested read(String file) throws IOException, BadRequestException {
    var complete =
        assertInstanceOf(Frame.Read.Complete.class, Frame.read(Buffer.buffer(bytes(file))));
    return new RequestReader(new NodeName("node2")).read(complete.message(), process, 0);
  }

  @Test
  void readsARequestOfTheAccountPhase() throws IOException, BadRequestException {
    assertEquals(
        new AdoptionRequested(
            Phase.ACCOUNT,
            process,
            "sshd",
            "alice",
            1001,
            "10.77.0.1",
            Optional.of(
                Connection.tcp(
                    new Endpoint(TestNode.HERE, 22), new Endpoint(TestNode.FAR, 40_001))),
            "",
            new AdoptOptions(
                ActionNoJobs.DENY,
                ActionUnknown.NEWEST,
                ActionAdoptFailure.DENY,
                ActionGenericFailure.DENY,
                false,
                false,
                true,
                false,
                false,
                "*"),
            new OfferAnswer.NotOffered(),
            Mover.MODULE,
            0,
            new Deadline(Duration.ofMillis(250).toNanos())),
        read("request.hex"));
  }

  @Test
  void readsARequestOfTheSessionPhase() throws IOException, BadRequestException {
    AdoptionRequested request = read("request-v6.hex");
    assertEquals(Phase.OPEN_SESSION, request.phase());
    assertEquals(
        Optional.of(
            Connection.tcp(Endpoint.parse("[fd77::2]:2222"), Endpoint.parse("[fd77::1]:65535"))),
        request.connection());
    assertEquals(ActionNoJobs.IGNORE, request.options().actionNoJobs());
    assertEquals(ActionUnknown.ALLOW, request.options().actionUnknown());
    assertEquals(ActionAdoptFailure.ALLOW, request.options().actionAdoptFailure());
  }

  @Test
  void readsARequestWithTheUsersChoice() throws IOException, BadRequestException {
    AdoptionRequested request = read("request-choice.hex");
    assertTrue(request.options().choose());
    assertEquals(new OfferAnswer.Chosen(new JobId(42)), request.offerAnswer());
  }

  @Test
  void writesAnOfferByTheNodesClock() throws IOException {
    var offered =
        new LoginOutcome.JobsOffered(
            List.of(
                job(57, 2026, 11, 20, 18, 2, JobState.OPEN),
                job(42, 2026, 11, 20, 17, 40, JobState.SUSPENDED)));
    assertArrayEquals(bytes("reply-choose.hex"), ReplyWriter.write(offered).frame().getBytes());
  }

  @Test
  void offersNoMoreJobsThanTheModuleHasRoomFor() throws IOException {
    List<Job> many =
        IntStream.range(0, 17)
            .mapToObj(each -> job(99 - each, 2026, 1, 1, 1, 1, JobState.OPEN))
            .toList();
    byte[] frame = ReplyWriter.write(new LoginOutcome.JobsOffered(many)).frame().getBytes();
    LoginReply reply = LoginReply.parseFrom(Arrays.copyOfRange(frame, 4, frame.length));
    assertEquals(16, reply.getOfferedJobsCount());
    assertEquals(84, reply.getOfferedJobs(15).getJobId());
  }

  private static Job job(
      long id, int year, int month, int day, int hour, int minute, JobState state) {
    Instant started =
        LocalDateTime.of(year, month, day, hour, minute).atZone(ZoneId.systemDefault()).toInstant();
    return new Job(new JobId(id), 1001, 1001, started, state);
  }

  @Test
  void writesTheReplyOfAnAdoption() throws IOException {
    var environment = new LinkedHashMap<String, String>();
    environment.put("SLURM_JOB_ID", "42");
    environment.put("TMPDIR", "/tmp");
    var answer =
        new LoginOutcome.Adopted(
            "1",
            Reason.CALLER_JOB,
            new JobId(42),
            "",
            "/rollcall.scope/job_42/step_extern/user/session_1",
            new SessionSetup(environment, OptionalInt.empty(), List.of(), Map.of()),
            JobNamespaces.NONE);
    assertArrayEquals(bytes("reply.hex"), ReplyWriter.write(answer).frame().getBytes());
  }

  @Test
  void writesTheReplyThatLeavesTheMoveToTheModule() throws IOException {
    var join =
        new LoginOutcome.Join(
            "7-1", Reason.NEWEST_JOB, new JobId(42), "the caller on node1 is in no job");
    assertArrayEquals(bytes("reply-join.hex"), ReplyWriter.write(join).frame().getBytes());
  }

  @Test
  void writesTheReplyOfASessionWithEverything() throws IOException {
    var environment = new LinkedHashMap<String, String>();
    environment.put("SLURM_JOB_ID", "42");
    var answer =
        new LoginOutcome.Adopted(
            "1",
            Reason.ONLY_JOB,
            new JobId(42),
            "freezer",
            "/job_42/step_extern/user/session_1",
            new SessionSetup(
                environment,
                OptionalInt.of(0),
                List.of(
                    new Rlimit(Rlimit.Resource.NOFILE, 256, 1024),
                    new Rlimit(Rlimit.Resource.MEMLOCK, 0, Rlimit.UNLIMITED)),
                Map.of()),
            new Numbers(
                List.of(
                    new Namespace(NamespaceType.IPC, 7), new Namespace(NamespaceType.MOUNT, 9))));
    assertArrayEquals(bytes("reply-session.hex"), ReplyWriter.write(answer).frame().getBytes());
  }

  @Test
  void writesTheReplyOfARefusal() throws IOException {
    var answer =
        new LoginOutcome.Denied("", Reason.NO_JOBS, "you have no active jobs on this node");
    assertArrayEquals(bytes("reply-denied.hex"), ReplyWriter.write(answer).frame().getBytes());
  }

  private static LoginReply reply(Map<String, String> environment, List<String> leftOut)
      throws IOException {
    var answer =
        new LoginOutcome.Adopted(
            "1",
            Reason.ONLY_JOB,
            new JobId(42),
            "",
            "/job_42",
            new SessionSetup(
                new LinkedHashMap<>(environment), OptionalInt.empty(), List.of(), Map.of()),
            JobNamespaces.NONE);
    ReplyWriter.Written written = ReplyWriter.write(answer);
    assertEquals(leftOut, written.leftOut());
    byte[] frame = written.frame().getBytes();
    return LoginReply.parseFrom(Arrays.copyOfRange(frame, 4, frame.length));
  }

  @Test
  void leavesOutAVariableThatIsTooLongRatherThanCutIt() throws IOException {
    var environment = new LinkedHashMap<String, String>();
    environment.put("FITS", "x".repeat(4_096));
    environment.put("LONG", "x".repeat(4_097));
    environment.put("N".repeat(128), "");
    environment.put("LAST", "1");
    LoginReply reply = reply(environment, List.of("LONG", "N".repeat(128)));
    assertEquals(
        List.of("FITS", "", "", "", "LAST"),
        reply.getEnvironmentList().stream().map(EnvironmentVariable::getName).toList());
  }

  @Test
  void fillsAReplyAndNoMore() throws IOException {
    var environment = new LinkedHashMap<String, String>();
    for (int each = 10; each < 60; each++) {
      environment.put("SLURM_" + each, "x".repeat(1_000));
    }
    var leftOut = new ArrayList<String>();
    for (int each = 39; each < 60; each++) {
      leftOut.add("SLURM_" + each);
    }
    assertEquals(29, reply(environment, leftOut).getEnvironmentCount());
  }

  @Test
  void sendsNoMoreVariablesThanTheModuleHasRoomFor() throws IOException {
    var environment = new LinkedHashMap<String, String>();
    for (int each = 10; each < 59; each++) {
      environment.put("SLURM_" + each, "");
    }
    assertEquals(48, reply(environment, List.of("SLURM_58")).getEnvironmentCount());
  }

  @Test
  void cutsALongMessageBetweenCharacters() {
    assertEquals("aé", ReplyWriter.cut("aéé", 4));
    assertEquals("aéé", ReplyWriter.cut("aéé", 5));
    assertEquals("", ReplyWriter.cut("😀", 3));
  }
}
