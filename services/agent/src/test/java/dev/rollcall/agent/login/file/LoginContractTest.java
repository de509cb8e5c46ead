package dev.rollcall.agent.login.file;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.MessageLite;
import dev.rollcall.agent.login.file.UserFile.Expected;
import dev.rollcall.agent.login.file.UserFile.Own;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.allocation.EnvironmentAllowList;
import dev.rollcall.model.allocation.Rlimit;
import dev.rollcall.model.allocation.SessionSetup;
import dev.rollcall.port.SessionPlace;
import dev.rollcall.proto.login.v1.Ask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The files that the module's own tests read too. */
class LoginContractTest {
  private static final String BOOT = "5e1dca1f-6f4b-4c1b-9d4c-000000000001";
  private static final int ALICE = 2001;
  private static final Instant EARLY = Instant.ofEpochSecond(1_795_248_000);

  /** As many as the module reads, and their bounds (login.options). */
  private static final int MOST_JOBS = 512;

  private static final int MOST_BYTES = 64 * 1024;

  private static void isGolden(String file, MessageLite message) throws IOException {
    Path golden = Path.of(System.getProperty("rollcall.home"), "services", "pam", "contract", file);
    var hex = new StringBuilder();
    Files.readAllLines(golden)
        .forEach(line -> hex.append(line.replaceFirst("#.*", "").replace(" ", "")));
    assertEquals(hex.toString(), HexFormat.of().formatHex(message.toByteArray()));
  }

  private static Own own(long id, JobState state, Instant start, Ask ask) {
    return new Own(new Job(new JobId(id), ALICE, ALICE, start, state), ask);
  }

  private static JobFile files() {
    return new JobFile(BOOT, new EnvironmentAllowList(List.of("SLURM_*", "TMPDIR")), true);
  }

  private static SessionPlace place(Map<String, String> environment, String hierarchy) {
    String path = "/rollcall.scope/job_41/step_extern/user";
    var cgroups = new ArrayList<SessionPlace.Cgroup>();
    for (String each : List.of(hierarchy, "memory")) {
      cgroups.add(new SessionPlace.Cgroup(each, Path.of("/sys/fs/cgroup/" + each + path), path));
    }
    var setup =
        new SessionSetup(
            new LinkedHashMap<>(environment),
            OptionalInt.of(0),
            List.of(
                new Rlimit(Rlimit.Resource.NOFILE, 1024, 4096),
                new Rlimit(Rlimit.Resource.MEMLOCK, 0, Rlimit.UNLIMITED)),
            Map.of());
    return new SessionPlace(cgroups, setup, new SessionPlace.Container(List.of(), Map.of(), true));
  }

  private static SessionPlace contained(List<Path> files, Map<String, String> environment) {
    SessionPlace place = place(Map.of(), "freezer");
    return new SessionPlace(
        place.cgroups(),
        place.setup(),
        new SessionPlace.Container(files, environment, /* userNamespace= */ false));
  }

  private static final Job JOB = new Job(new JobId(41), ALICE, 0, EARLY, JobState.OPEN);

  @Test
  void writesANode() throws IOException {
    isGolden(
        "login-node.hex",
        new NodeFacts(BOOT, "cluster", "node1", Optional.empty(), "").file(Ask.ASK_UNSPECIFIED));
    isGolden(
        "login-node-slurm.hex",
        new NodeFacts(
                BOOT,
                "cluster",
                "node1",
                Optional.of(Path.of("/var/spool/slurmd")),
                "https://hpc.example/ssh")
            .file(Ask.ASK_AUDIT_ONLY));
  }

  @Test
  void writesAUser() throws IOException {
    var jobs =
        List.of(
            own(41, JobState.OPEN, EARLY, Ask.ASK_UNSPECIFIED),
            own(40, JobState.SUSPENDED, EARLY.plusSeconds(300).plusNanos(1), Ask.ASK_UNSPECIFIED),
            own(JobId.LARGEST, JobState.CLOSING, Instant.EPOCH, Ask.ASK_USER_NAMESPACE),
            own(7, JobState.BEGINNING, Instant.EPOCH.minusNanos(1), Ask.ASK_UNSPECIFIED));
    var expected = new ArrayList<Expected>();
    // More than there is room for: the latest are kept.
    for (int i = 0; i < UserFile.CALLERS - 1; i++) {
      expected.add(
          new Expected(
              Connection.tcp(Endpoint.parse("10.77.0.2:22"), Endpoint.parse("10.77.0.1:1")),
              Optional.of(new JobId(41)),
              false,
              1,
              1));
    }
    expected.add(
        new Expected(
            Connection.tcp(Endpoint.parse("10.77.0.2:22"), Endpoint.parse("10.77.0.1:40001")),
            Optional.of(new JobId(41)),
            false,
            1_000_000_000_000L,
            1_150_000_000_000L));
    expected.add(
        new Expected(
            Connection.tcp(Endpoint.parse("[fd77::2]:2222"), Endpoint.parse("[fd77::1]:65535")),
            Optional.of(new JobId(40)),
            true,
            -1,
            -1));
    var file = UserFile.of(BOOT, ALICE, jobs, Optional.of(new JobId(40)), expected);
    assertEquals(UserFile.CALLERS, file.getCallersCount());
    var builder = file.toBuilder();
    while (builder.getCallersCount() > 2) {
      builder.removeCallers(0);
    }
    isGolden("login-user.hex", builder.build());
  }

  @Test
  void aUserWithMoreJobsThanThereIsRoomForIsAskedAbout() throws IOException {
    List<Own> jobs =
        LongStream.rangeClosed(1, MOST_JOBS + 1)
            .mapToObj(id -> own(id, JobState.OPEN, EARLY, Ask.ASK_UNSPECIFIED))
            .toList();
    int uid = Integer.parseUnsignedInt("4294967294");
    isGolden("login-user-too-many.hex", UserFile.of(BOOT, uid, jobs, Optional.empty(), List.of()));
    var most = UserFile.of(BOOT, uid, jobs.subList(0, MOST_JOBS), Optional.empty(), List.of());
    assertEquals(MOST_JOBS, most.getJobsCount());
    assertEquals(Ask.ASK_UNSPECIFIED, most.getAsk());
  }

  @Test
  void aJobThatBeganBeforeTimeIsAskedAbout() {
    var file =
        UserFile.of(
            BOOT,
            ALICE,
            List.of(own(41, JobState.OPEN, Instant.MIN, Ask.ASK_UNSPECIFIED)),
            Optional.empty(),
            List.of());
    assertEquals(Ask.ASK_OUT_OF_BOUNDS, file.getJobs(0).getAsk());
  }

  @Test
  void writesAJob() throws IOException {
    var environment = Map.of("SLURM_JOB_ID", "41", "TMPDIR", "/tmp", "OTHER", "not allowed");
    isGolden("login-job.hex", files().of(JOB, Optional.of(place(environment, "freezer"))));
  }

  @Test
  void writesAJobWhoseSessionsHaveNoLeaf() throws IOException {
    String path = "/slurm/uid_2001/job_41/step_extern";
    var cgroup =
        new SessionPlace.Cgroup("freezer", Path.of("/sys/fs/cgroup/freezer" + path), path, false);
    isGolden(
        "login-job-slurm.hex",
        files()
            .of(
                JOB,
                Optional.of(
                    new SessionPlace(
                        List.of(cgroup), SessionSetup.NONE, SessionPlace.Container.NONE))));
  }

  @Test
  void theNamespacesOfAJobAreNamedInTheOrderOfJoining() {
    List<Path> namespaces =
        List.of(
            Path.of("/run/rollcall/containers/41/ipc"), Path.of("/run/rollcall/containers/41/mnt"));
    var file =
        files()
            .of(
                JOB,
                Optional.of(contained(namespaces, Map.of("XDG_RUNTIME_DIR", "/run/rollcall"))));
    assertEquals(Ask.ASK_UNSPECIFIED, file.getAsk());
    assertEquals(
        namespaces.stream().map(Path::toString).toList(),
        List.copyOf(file.getNamespaceFilesList()));
    assertEquals(1, file.getNamespaceEnvironmentCount());
    assertEquals("XDG_RUNTIME_DIR", file.getNamespaceEnvironment(0).getName());
    assertEquals("/run/rollcall", file.getNamespaceEnvironment(0).getValue());
  }

  private static Ask ofContained(List<Path> files, Map<String, String> environment) {
    return files().of(JOB, Optional.of(contained(files, environment))).getAsk();
  }

  @Test
  void aContainerThatDoesNotFitIsAskedAbout() {
    Path longest = Path.of("/" + "x".repeat(254));
    Map<String, String> four = Map.of("A", "", "B", "", "C", "", "D", "y".repeat(1_024));
    List<Path> eight = Collections.nCopies(8, longest);
    assertEquals(Ask.ASK_UNSPECIFIED, ofContained(eight, four));
    assertEquals(Ask.ASK_OUT_OF_BOUNDS, ofContained(Collections.nCopies(9, longest), four));
    assertEquals(Ask.ASK_OUT_OF_BOUNDS, ofContained(List.of(Path.of("/" + "x".repeat(255))), four));
    Map<String, String> five = new LinkedHashMap<>(four);
    five.put("E", "");
    assertEquals(Ask.ASK_OUT_OF_BOUNDS, ofContained(eight, five));
    assertEquals(Ask.ASK_OUT_OF_BOUNDS, ofContained(eight, Map.of("A", "y".repeat(1_025))));
    assertEquals(Ask.ASK_OUT_OF_BOUNDS, ofContained(eight, Map.of("x".repeat(128), "")));
  }

  @Test
  void anEnvironmentThatIsNotKnownYetIsAskedForWhileTheAgentLives() {
    SessionPlace known = place(Map.of("SLURM_JOB_ID", "41"), "freezer");
    var unknown =
        new SessionPlace(
            known.cgroups(),
            known.setup(),
            SessionPlace.Container.NONE,
            /* environmentKnown= */ false);
    var file = files().of(JOB, Optional.of(unknown));
    assertEquals(Ask.ASK_ENVIRONMENT, file.getAsk());
    assertEquals(2, file.getCgroupsCount());
    assertEquals("SLURM_JOB_ID", file.getEnvironment(0).getName());
  }

  @Test
  void aJobThatDoesNotFitIsAskedAbout() {
    String tooLong = String.join("", Collections.nCopies(40, "x"));
    assertEquals(
        Ask.ASK_OUT_OF_BOUNDS, files().of(JOB, Optional.of(place(Map.of(), tooLong))).getAsk());
    Map<String, String> many = new LinkedHashMap<>();
    for (int i = 0; i < 43; i++) {
      many.put("SLURM_" + i, "x");
    }
    assertEquals(
        Ask.ASK_OUT_OF_BOUNDS, files().of(JOB, Optional.of(place(many, "freezer"))).getAsk());
    many.remove("SLURM_0");
    many.replaceAll((_, _) -> String.join("", Collections.nCopies(1024, "x")));
    var most = files().of(JOB, Optional.of(place(many, "freezer")));
    assertEquals(42, most.getEnvironmentCount());
    assertEquals(true, most.getSerializedSize() < MOST_BYTES);
    many.replaceAll((name, _) -> name.equals("SLURM_1") ? "é".repeat(2_048) : "x");
    var inParts = files().of(JOB, Optional.of(place(many, "freezer")));
    assertEquals(Ask.ASK_OUT_OF_BOUNDS, inParts.getAsk());
    many.keySet().removeAll(List.of("SLURM_2", "SLURM_3", "SLURM_4"));
    inParts = files().of(JOB, Optional.of(place(many, "freezer")));
    assertEquals(42, inParts.getEnvironmentCount());
    assertEquals("SLURM_1", inParts.getEnvironment(0).getName());
    assertEquals("", inParts.getEnvironment(3).getName());
    assertEquals("é".repeat(512), inParts.getEnvironment(3).getValue());
  }
}
