package dev.rollcall.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import dev.rollcall.cli.ask.CliContext;
import dev.rollcall.cli.ask.ProcProcesses;
import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.proto.v1.Allocation;
import dev.rollcall.proto.v1.BeginRequest;
import dev.rollcall.proto.v1.BeginResponse;
import dev.rollcall.proto.v1.BeginStepRequest;
import dev.rollcall.proto.v1.BeginStepResponse;
import dev.rollcall.proto.v1.Caller;
import dev.rollcall.proto.v1.CallerAnswer;
import dev.rollcall.proto.v1.Connection;
import dev.rollcall.proto.v1.CpuMax;
import dev.rollcall.proto.v1.DeviceRules;
import dev.rollcall.proto.v1.DeviceRulesKind;
import dev.rollcall.proto.v1.EndRequest;
import dev.rollcall.proto.v1.EndResponse;
import dev.rollcall.proto.v1.Endpoint;
import dev.rollcall.proto.v1.GetUsageRequest;
import dev.rollcall.proto.v1.GetUsageResponse;
import dev.rollcall.proto.v1.HugetlbMax;
import dev.rollcall.proto.v1.IdentifyProcessRequest;
import dev.rollcall.proto.v1.IdentifyProcessResponse;
import dev.rollcall.proto.v1.IdentifyRequest;
import dev.rollcall.proto.v1.IdentifyResponse;
import dev.rollcall.proto.v1.IncidentKind;
import dev.rollcall.proto.v1.IoMax;
import dev.rollcall.proto.v1.IssueTokenRequest;
import dev.rollcall.proto.v1.IssueTokenResponse;
import dev.rollcall.proto.v1.Job;
import dev.rollcall.proto.v1.JobIncident;
import dev.rollcall.proto.v1.JobState;
import dev.rollcall.proto.v1.JobStep;
import dev.rollcall.proto.v1.Leftover;
import dev.rollcall.proto.v1.LeftoverKind;
import dev.rollcall.proto.v1.LimitRequest;
import dev.rollcall.proto.v1.LimitResponse;
import dev.rollcall.proto.v1.Limits;
import dev.rollcall.proto.v1.ListLeftoversRequest;
import dev.rollcall.proto.v1.ListLeftoversResponse;
import dev.rollcall.proto.v1.ListNodesRequest;
import dev.rollcall.proto.v1.ListNodesResponse;
import dev.rollcall.proto.v1.ListOutsideProcessesRequest;
import dev.rollcall.proto.v1.ListOutsideProcessesResponse;
import dev.rollcall.proto.v1.ListProcessesRequest;
import dev.rollcall.proto.v1.ListProcessesResponse;
import dev.rollcall.proto.v1.ListRequest;
import dev.rollcall.proto.v1.ListResponse;
import dev.rollcall.proto.v1.ListedProcess;
import dev.rollcall.proto.v1.Node;
import dev.rollcall.proto.v1.NodeOutsideProcesses;
import dev.rollcall.proto.v1.NodeProcesses;
import dev.rollcall.proto.v1.NodeState;
import dev.rollcall.proto.v1.OutsideAttribution;
import dev.rollcall.proto.v1.OutsideOrigin;
import dev.rollcall.proto.v1.OutsidePlan;
import dev.rollcall.proto.v1.OutsideProcess;
import dev.rollcall.proto.v1.PredictRequest;
import dev.rollcall.proto.v1.PredictResponse;
import dev.rollcall.proto.v1.Process;
import dev.rollcall.proto.v1.ProcessAnswer;
import dev.rollcall.proto.v1.ProcessInJob;
import dev.rollcall.proto.v1.ProcessInNoJob;
import dev.rollcall.proto.v1.Protocol;
import dev.rollcall.proto.v1.ResumeRequest;
import dev.rollcall.proto.v1.ResumeResponse;
import dev.rollcall.proto.v1.Rlimit;
import dev.rollcall.proto.v1.SetDevicesRequest;
import dev.rollcall.proto.v1.SetDevicesResponse;
import dev.rollcall.proto.v1.SilentNode;
import dev.rollcall.proto.v1.SuspendRequest;
import dev.rollcall.proto.v1.SuspendResponse;
import dev.rollcall.proto.v1.UnknownCaller;
import dev.rollcall.proto.v1.UnknownProcess;
import dev.rollcall.proto.v1.UnreachableCaller;
import dev.rollcall.proto.v1.Usage;
import dev.rollcall.proto.v1.UsageKind;
import dev.rollcall.proto.v1.UsageRecord;
import dev.rollcall.proto.v1.WatchUsageRequest;
import dev.rollcall.proto.v1.WatchUsageResponse;
import io.grpc.Status;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Each command's words on the wire and on the terminal, whole. */
class CommandsTest {
  private static final Timestamp NOON = Timestamp.newBuilder().setSeconds(1_795_003_200).build();
  private static final Process SLEEP =
      Process.newBuilder().setPid(4711).setStartTime(123_456).build();
  private static final Job JOB =
      Job.newBuilder()
          .setJobId(7)
          .setNode("node1")
          .setUid(1001)
          .setGid(2001)
          .setState(JobState.JOB_STATE_OPEN)
          .setStartedAt(NOON)
          .build();

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

  /** Adds the fake's socket. */
  private Shell.Ran run(String... words) {
    var all = new java.util.ArrayList<>(List.of(words));
    int end = all.indexOf("--");
    all.addAll(
        end < 0 ? all.size() : end, List.of("--socket", folder.resolve("agent.sock").toString()));
    return shell.run(all.toArray(String[]::new));
  }

  private static Shell.Ran printed(String... lines) {
    return new Shell.Ran(0, String.join("\n", lines) + "\n", "");
  }

  private static Shell.Ran failed(ExitCode code, String line) {
    return new Shell.Ran(code.status(), "", "rollcall: " + line + "\n");
  }

  @Nested
  class NodeClean {
    private static final Leftover PROCESS =
        Leftover.newBuilder()
            .setJobId(7)
            .setKind(LeftoverKind.LEFTOVER_KIND_PROCESS)
            .setName("4711 (sleep)")
            .build();

    @TempDir private Path proc = Path.of("");

    private Shell.Ran run(String... words) {
      var all = new java.util.ArrayList<>(List.of(words));
      all.addAll(List.of("--socket", folder.resolve("agent.sock").toString()));
      var outside =
          new CliContext(Shell.USERS, Optional.empty(), new ProcProcesses(proc), Map.of());
      return Shell.run(outside, all.toArray(String[]::new));
    }

    private void systemV(String file, String... lines) throws IOException {
      Path folder = Files.createDirectories(proc.resolve("sysvipc"));
      Files.writeString(folder.resolve(file), String.join("\n", lines) + "\n");
    }

    @Test
    void namesSystemVObjectsOfUsersWithoutAJob() throws IOException {
      left();
      fake.answer(ListRequest.class, ListResponse.newBuilder().addJobs(JOB).build());
      fake.answer(PredictRequest.class, PredictResponse.newBuilder().setNode("here").build());
      systemV(
          "shm",
          "       key      shmid perms       size  cpid  lpid nattch   uid   gid  cuid  cgid rss",
          "         0          5   600  209715200    12    12      0  1001  2001  1002  2002   0",
          "         0          6   600       4096    12    12      1  1002  2002  1002  2002   0",
          "         0          7   600       4096    12    12      0  1001  2001  1001  2001   0",
          "         0          8   600       4096    12    12      0     0     0     0     0   0",
          "         0          9   600       4096    12    12      0    26    26    26    26   0");
      systemV(
          "sem",
          "       key      semid perms      nsems   uid   gid  cuid  cgid      otime",
          "1627390977         32   666          3  1002  2002  1002  2002          0");
      systemV(
          "msg",
          "       key      msqid perms     cbytes       qnum lspid lrpid   uid   gid  cuid  cgid",
          "         0         64   644         20          1    12     0     0     0  4444  2002");
      assertEquals(
          new Shell.Ran(
              ExitCode.FAILED.status(),
              """
              user bob without a job: shared memory 5 (209715200 bytes)
              user bob without a job: semaphore set 32 (3 semaphores)
              user 4444 without a job: message queue 64 (20 bytes)
              """,
              ""),
          run("node", "clean", "--job", "7"));
      assertTrue(
          fake.requests.contains(ListRequest.newBuilder().setNode("here").build()),
          "the agent's own list, not the gateway's");
      Shell.Ran json = run("node", "clean", "--json");
      assertTrue(
          json.out()
              .startsWith(
                  "{\"clean\":false,\"left\":[],\"left_by_users\":[{\"user\":\"bob\",\"kind\":\"shared"
                      + " memory\",\"name\":\"5 (209715200 bytes)\"},"),
          json.out());
    }

    private void left(Leftover... all) {
      fake.answer(
          ListLeftoversRequest.class,
          ListLeftoversResponse.newBuilder().addAllLeftovers(List.of(all)).build());
    }

    @Test
    void succeedsWhereNothingIsLeft() {
      left();
      assertEquals(
          printed("nothing of job 7 is left on this node"), run("node", "clean", "--job", "7"));
      assertEquals(ListLeftoversRequest.newBuilder().setJobId(7).build(), fake.requests.remove());
      assertEquals(printed("no job is ending on this node"), run("node", "clean"));
      assertEquals(ListLeftoversRequest.getDefaultInstance(), fake.requests.remove());
      assertEquals(
          printed("{\"clean\":true,\"left\":[],\"left_by_users\":[]}"),
          run("node", "clean", "--job", "7", "--json"));
    }

    @Test
    void failsAndNamesWhatIsLeft() {
      left(
          PROCESS,
          Leftover.newBuilder()
              .setJobId(7)
              .setKind(LeftoverKind.LEFTOVER_KIND_CGROUP)
              .setName("/sys/fs/cgroup/rollcall.scope/job_7")
              .build());
      assertEquals(
          new Shell.Ran(
              ExitCode.FAILED.status(),
              "job 7: process 4711 (sleep)\njob 7: cgroup /sys/fs/cgroup/rollcall.scope/job_7\n",
              ""),
          run("node", "clean", "--job", "7"));
      left(PROCESS);
      assertEquals(
          new Shell.Ran(
              ExitCode.FAILED.status(),
              "{\"clean\":false,\"left\":[{\"job\":7,\"kind\":\"process\",\"name\":\"4711"
                  + " (sleep)\"}],\"left_by_users\":[]}\n",
              ""),
          run("node", "clean", "--job", "7", "--wait", "300ms", "--json"));
      assertTrue(fake.requests.size() >= 3, "it asks again while it waits");
    }

    @Test
    void doesNotPassWhereTheAgentDoesNotAnswer() {
      fake.answer(ListLeftoversRequest.class, Status.UNAVAILABLE.withDescription("no"));
      assertEquals(ExitCode.UNAVAILABLE.status(), run("node", "clean", "--job", "7").status());
    }
  }

  @Nested
  class JobLimits {
    private final Limits limits =
        Limits.newBuilder()
            .setCpus("0-3")
            .setMemoryMax(4L << 30)
            .setSwapMax(0)
            .setCpuWeight(50)
            .setCpuMax(CpuMax.newBuilder().setQuotaUs(150_000).setPeriodUs(100_000))
            .setPidsMax(512)
            .addIoMax(IoMax.newBuilder().setMajor(8).setReadBytes(1_048_576))
            .addHugetlbMax(HugetlbMax.newBuilder().setPageSize("2MB").setBytes(4L << 20))
            .build();

    @Test
    void areGivenWithTheBeginOfAJob() {
      fake.answer(BeginRequest.class, BeginResponse.newBuilder().setJob(JOB).build());
      assertEquals(
          printed("job 7 of alice is open on node1"),
          run(
              Arrays.stream(
                      ("job begin 7 --user alice --start 2026-11-18T12:00:00Z --cpus 0-3"
                              + " --memory-max 4G --swap-max 0 --cpu-weight 50 --cpu-max 150000/100000"
                              + " --pids-max 512 --io-max 8:0:rbps=1048576 --hugetlb-max 2MB=4M --env"
                              + " A=b=c --rlimit nofile=1024:4096 --device-allow c_195:*_rw")
                          .split(" "))
                  .map(word -> word.replace('_', ' '))
                  .toArray(String[]::new)));
      assertEquals(
          Allocation.newBuilder()
              .setLimits(limits)
              .setDevices(
                  DeviceRules.newBuilder()
                      .setKind(DeviceRulesKind.DEVICE_RULES_KIND_ALLOW_LIST)
                      .addRules("c 195:* rw"))
              .putEnvironment("A", "b=c")
              .addRlimits(Rlimit.newBuilder().setResource("nofile").setSoft(1024).setHard(4096))
              .build(),
          ((BeginRequest) fake.requests.remove()).getAllocation());
    }

    @Test
    void areChangedAndTold() {
      fake.answer(LimitRequest.class, LimitResponse.newBuilder().setLimits(limits).build());
      assertEquals(
          printed(
              "job 7 has cpus 0-3, memory_max 4294967296, swap_max 0, cpu_weight 50, cpu_max"
                  + " 150000/100000, pids_max 512, io_max [8:0:rbps=1048576], hugetlb_max"
                  + " {2MB=4194304}"),
          run("job", "limit", "7", "--memory-max", "max"));
      assertEquals(
          LimitRequest.newBuilder()
              .setJobId(7)
              .setLimits(Limits.newBuilder().setMemoryMax(Long.MAX_VALUE))
              .build(),
          fake.requests.remove());
      fake.answer(LimitRequest.class, LimitResponse.getDefaultInstance());
      assertEquals(
          printed("{\"job\":7,\"step\":\"0\",\"limits\":{}}"),
          run("job", "limit", "7", "--step", "0", "--json"));
    }

    @Test
    void rulesAboutDevicesAreChangedAndTold() {
      fake.answer(SetDevicesRequest.class, SetDevicesResponse.getDefaultInstance());
      assertEquals(
          printed("job 7 may open all devices but c 195:* rw"),
          run("job", "devices", "7", "--device-deny", "c 195:* rw"));
      assertEquals(
          SetDevicesRequest.newBuilder()
              .setJobId(7)
              .setDevices(
                  DeviceRules.newBuilder()
                      .setKind(DeviceRulesKind.DEVICE_RULES_KIND_DENY_LIST)
                      .addRules("c 195:* rw"))
              .build(),
          fake.requests.remove());
      fake.answer(SetDevicesRequest.class, SetDevicesResponse.getDefaultInstance());
      assertEquals(
          printed("{\"job\":7,\"step\":\"0\",\"kind\":\"open\",\"rules\":[]}"),
          run("job", "devices", "7", "--step", "0", "--device-all", "--json"));
      assertEquals(
          failed(ExitCode.USAGE, "one of --device-allow, --device-deny and --device-all is needed"),
          run("job", "devices", "7"));
    }

    @Test
    void thatCannotBeAreRefusedBeforeAnybodyIsAsked() {
      for (List<String> bad :
          List.of(
              List.of("--memory-max", "4GB", "4GB"),
              List.of("--memory-max", "-1", "-1"),
              List.of("--memory-max", "0", "memory.max 0 is below 1"),
              List.of("--pids-max", "x", "x"),
              List.of("--cpus", "3-1", "3-1"),
              List.of("--cpu-weight", "0", "cpu.weight 0 is not within 1 to 10000"),
              List.of("--cpu-max", "10", "cpu quota 10 is below 1000 us"),
              List.of("--io-max", "8:0", "8:0"),
              List.of("--hugetlb-max", "2", "'2' is not SIZE=BYTES such as 2MB=512M"),
              List.of("--hugetlb-max", "2=1", "'2' is not a page size"))) {
        Shell.Ran ran = run("job", "limit", "7", bad.get(0), bad.get(1));
        assertEquals(ExitCode.USAGE.status(), ran.status(), bad.toString());
        assertTrue(ran.err().contains(bad.get(2)), ran.err());
      }
      Shell.Ran both =
          run(
              "job",
              "begin",
              "7",
              "--user",
              "alice",
              "--device-allow",
              "c 1:3 r",
              "--device-deny",
              "c 1:5 r");
      assertEquals(
          failed(ExitCode.USAGE, "--device-allow and --device-deny cannot be used together"), both);
      assertEquals(0, fake.requests.size());
    }
  }

  @Nested
  class JobBegin {
    @Test
    void asksWithTheUsersNumbersAndTellsWhereTheJobIs() {
      fake.answer(BeginRequest.class, BeginResponse.newBuilder().setJob(JOB).build());
      assertEquals(
          printed("job 7 of alice is open on node1"),
          run("job", "begin", "7", "--user", "alice", "--start", "2026-11-18T12:00:00Z"));
      assertEquals(
          BeginRequest.newBuilder()
              .setJobId(7)
              .setUid(1001)
              .setGid(2001)
              .setStartedAt(NOON)
              .build(),
          fake.requests.remove());
    }

    @Test
    void asksForTheChosenContainer() {
      fake.answer(BeginRequest.class, BeginResponse.newBuilder().setJob(JOB).build());
      run("job", "begin", "7", "--user", "alice", "--container", "strict");
      assertEquals("strict", ((BeginRequest) fake.requests.remove()).getContainer());
    }

    @Test
    void takesNumbersThatThisMachineDoesNotKnow() {
      fake.answer(BeginRequest.class, BeginResponse.newBuilder().setJob(JOB).build());
      run("job", "begin", "7", "--uid", "4294967294", "--gid", "5");
      assertEquals(
          BeginRequest.newBuilder().setJobId(7).setUid(-2).setGid(5).build(),
          fake.requests.remove());
    }

    @Test
    void asksForTheGroupOfAUserThatThisMachineDoesNotKnow() {
      assertEquals(
          failed(ExitCode.USAGE, "uid 1999 is not known here: give its group with --gid"),
          run("job", "begin", "7", "--uid", "1999"));
    }

    /** Student numbers, for example. */
    @Test
    void aNameOfDigitsIsAName() {
      fake.answer(BeginRequest.class, BeginResponse.newBuilder().setJob(JOB).build());
      run("job", "begin", "7", "--user", "1002");
      assertEquals(
          BeginRequest.newBuilder().setJobId(7).setUid(2109).setGid(3109).build(),
          fake.requests.remove());
      run("job", "begin", "7", "--uid", "1002");
      assertEquals(
          BeginRequest.newBuilder().setJobId(7).setUid(1002).setGid(2002).build(),
          fake.requests.remove());
      assertEquals(
          failed(ExitCode.NOT_FOUND, "no user is named '1001'; --uid is for numbers"),
          run("job", "begin", "7", "--user", "1001"));
      assertEquals(
          failed(ExitCode.USAGE, "--user and --uid exclude each other"),
          run("job", "begin", "7", "--user", "1002", "--uid", "1002"));
      assertEquals(failed(ExitCode.USAGE, "--user or --uid is needed"), run("job", "begin", "7"));
    }

    @Test
    void namesAUserThatIsNotThere() {
      assertEquals(
          failed(ExitCode.NOT_FOUND, "no user is named 'carol'"),
          run("job", "begin", "7", "--user", "carol"));
    }

    @Test
    void refusesTheUidThatMeansNobody() {
      assertEquals(
          failed(ExitCode.USAGE, "uid 4294967295 is not within 0 to 4294967294"),
          run("job", "begin", "7", "--uid", "4294967295", "--gid", "1"));
    }

    @Test
    void printsTheJobAsJson() {
      fake.answer(BeginRequest.class, BeginResponse.newBuilder().setJob(JOB).build());
      assertEquals(
          printed(
              """
              {"job":7,"batch_id":null,"name":null,"node":"node1","user":"alice","uid":1001,"gid":2001,"state":"open",\
              "started_at":"2026-11-18T12:00:00Z","stale":false}\
              """),
          run("job", "begin", "7", "--user", "alice", "--json"));
    }
  }

  @Nested
  class JobEnd {
    @Test
    void namesTheOwner() {
      fake.answer(EndRequest.class, EndResponse.newBuilder().setClean(true).build());
      for (String each : List.of("", "--user alice", "--user 1002", "--uid 0")) {
        List<String> words = new java.util.ArrayList<>(List.of("job", "end", "7"));
        words.addAll(List.of(each.split(" ")));
        words.removeIf(String::isEmpty);
        assertEquals(0, run(words.toArray(String[]::new)).status());
      }
      List<Object> uids = new java.util.ArrayList<>();
      fake.requests.forEach(asked -> {
        EndRequest end = (EndRequest) asked;
        uids.add(end.hasUid() ? end.getUid() : "any");
      });
      assertEquals(List.of("any", 1001, 2109, 0), uids);
    }

    @Test
    void tellsHowManyWereKilled() {
      fake.answer(EndRequest.class, EndResponse.newBuilder().setClean(true).setKilled(3).build());
      assertEquals(
          printed("job 7 has ended, processes killed: 3"), run("job", "end", "7", "--wait", "4"));
      assertEquals(
          EndRequest.newBuilder()
              .setJobId(7)
              .setWait(Duration.newBuilder().setSeconds(4))
              .setMessage("job 7 is ending")
              .build(),
          fake.requests.remove());
    }

    @Test
    void saysTheGraceAndTheMessage() {
      fake.answer(EndRequest.class, EndResponse.newBuilder().setClean(true).build());
      run("job", "end", "7", "--grace", "1500ms", "--message", "maintenance", "--wait", "2m");
      assertEquals(
          EndRequest.newBuilder()
              .setJobId(7)
              .setWait(Duration.newBuilder().setSeconds(120))
              .setGrace(Duration.newBuilder().setSeconds(1).setNanos(500_000_000))
              .setMessage("maintenance")
              .build(),
          fake.requests.remove());
      assertEquals(
          new Shell.Ran(2, "", "rollcall: --grace 660s is not within 0 to 10m\n"),
          run("job", "end", "7", "--grace", "11m"));
      assertTrue(run("job", "end", "7", "--wait", "soon").err().contains("'soon' is not a time"));
    }

    @Test
    void failsAndNamesWhatIsLeftWhenTheNodeIsNotClean() {
      var left =
          ListedProcess.newBuilder()
              .setProcess(SLEEP)
              .setStep("extern")
              .setCommand("sle\033ep")
              .build();
      fake.answer(
          EndRequest.class,
          EndResponse.newBuilder()
              .addRemaining(left)
              .setReason("left: 4711 (sleep, D in nfs_wait)")
              .build());
      assertEquals(
          new Shell.Ran(
              1,
              "job 7 is still ending after 60s, processes left: 4711 (sle?ep);"
                  + " left: 4711 (sleep, D in nfs_wait)\n",
              ""),
          run("job", "end", "7"));
      assertTrue(
          run("job", "end", "7", "--json").out().contains("\"clean\":false"), "and for programs");
    }
  }

  @Nested
  class JobSuspendAndResume {
    @Test
    void tellTheStateThatWasReached() {
      fake.answer(SuspendRequest.class, SuspendResponse.newBuilder().setJob(JOB).build());
      fake.answer(ResumeRequest.class, ResumeResponse.newBuilder().setJob(JOB).build());
      assertEquals(printed("job 7 is suspended on node1"), run("job", "suspend", "7"));
      assertEquals(SuspendRequest.newBuilder().setJobId(7).build(), fake.requests.remove());
      assertEquals(printed("job 7 is open on node1"), run("job", "resume", "7"));
      assertEquals(ResumeRequest.newBuilder().setJobId(7).build(), fake.requests.remove());
      assertTrue(run("job", "resume", "7", "--json").out().startsWith("{\"job\":7,"));
    }

    @Test
    void nameTheProcessesThatStopLater() {
      fake.answer(
          SuspendRequest.class,
          SuspendResponse.newBuilder().setJob(JOB).setWaiting("12 (cat, D in x)").build());
      assertEquals(
          printed(
              "job 7 is suspended on node1; FUSE servers of its owner do not answer, and these"
                  + " processes stop when they leave the kernel: 12 (cat, D in x)"),
          run("job", "suspend", "7"));
      assertTrue(
          run("job", "suspend", "7", "--json").out().contains("\"waiting\":\"12 (cat, D in x)\""));
    }
  }

  @Nested
  class JobRun {
    private final BeginStepResponse step =
        BeginStepResponse.newBuilder()
            .setStep(JobStep.newBuilder().setJobId(7).setStep("0"))
            .setUid(1001)
            .setGid(2001)
            .addProcsFiles("/sys/fs/cgroup/it's/cgroup.procs")
            .build();

    @Test
    void handsTheLauncherTheCommandsThatBecomeTheStep() {
      fake.answer(BeginStepRequest.class, step);
      assertEquals(
          new Shell.Ran(0, "", ""),
          run("job", "run", "--job", "7", "--step", "0", "--", "sh", "-c", "echo 'a b'"));
      assertEquals(
          BeginStepRequest.newBuilder().setJobId(7).setStep("0").build(), fake.requests.remove());
      assertEquals(
          List.of(
              """
              export ROLLCALL_JOB_ID='7'
              export ROLLCALL_STEP_ID='0'
              export USER='alice'
              export LOGNAME='alice'
              export HOME='/home/alice'
              export SHELL='/bin/sh'
              exec '/opt/rollcall/lib/container/rollcall-step' \
              --procs '/sys/fs/cgroup/it'\\''s/cgroup.procs' --uid 1001 \
              --keep ROLLCALL_JOB_ID --keep ROLLCALL_STEP_ID --keep USER --keep LOGNAME \
              --keep HOME --keep SHELL -- \
              setpriv --reuid=1001 --regid=2001 --init-groups --inh-caps=-all -- \
              'sh' '-c' 'echo '\\''a b'\\'''
              """),
          shell.plans);
    }

    @Test
    void givesTheStepTheJobsEnvironmentAndRlimits() {
      fake.answer(
          BeginStepRequest.class,
          step.toBuilder()
              .putEnvironment("CUDA_VISIBLE_DEVICES", "0,1")
              .putEnvironment("SLURM_JOBID", "it's")
              .addRlimits(Rlimit.newBuilder().setResource("nofile").setSoft(256).setHard(1024))
              .addRlimits(Rlimit.newBuilder().setResource("memlock"))
              .build());
      run("job", "run", "--job", "7", "--", "true");
      String script = shell.plans.getFirst();
      assertTrue(
          script.contains(
              """
              export CUDA_VISIBLE_DEVICES='0,1'
              export SLURM_JOBID='it'\\''s'
              export ROLLCALL_JOB_ID='7'
              """),
          script);
      assertTrue(
          script.contains(
              " -- prlimit --nofile=256:1024 --memlock=unlimited:unlimited setpriv --reuid="),
          script);
    }

    @Test
    void rootJoinsTheNamespacesOfTheNodesOwnUsers() {
      fake.answer(
          BeginStepRequest.class,
          step.toBuilder().putNamespaces("mnt", "/p/mnt").putNamespaces("pid", "/p/pid").build());
      run("job", "run", "--job", "7", "--", "true");
      String script = shell.plans.getFirst();
      assertTrue(script.contains(" -- nsenter --mount='/p/mnt' --pid='/p/pid' -- sh -c "), script);
      assertTrue(script.endsWith(" --init-groups --inh-caps=-all -- 'true'\n"), script);
    }

    @Test
    void aUserNamespaceIsJoinedByItsUserAlone() {
      fake.answer(
          BeginStepRequest.class,
          step.toBuilder()
              .putNamespaces("user", "/p/user")
              .putNamespaces("mnt", "/p/mnt")
              .putNamespaces("pid", "/p/pid")
              .build());
      run("job", "run", "--job", "7", "--", "true");
      String script = shell.plans.getFirst();
      assertTrue(
          script.endsWith(
              """
              -- setpriv --reuid=1001 --regid=2001 --init-groups --inh-caps=-all -- \
              '/opt/rollcall/lib/container/rollcall-enter' \
              --mount '/p/mnt' --pid '/p/pid' --user '/p/user' -- 'true'
              """),
          script);
    }

    @Test
    void needsACommand() {
      assertEquals(2, run("job", "run", "--job", "7").status());
      assertEquals(List.of(), shell.plans);
    }

    @Test
    void saysThatItNeedsTheLauncher() {
      var alone = new CliContext(Shell.USERS, java.util.Optional.empty());
      assertEquals(
          failed(ExitCode.USAGE, "job run needs the launcher, bin/rollcall"),
          Shell.run(alone, "job", "run", "--job", "7", "--", "true"));
    }
  }

  @Nested
  class Jobs {
    @Test
    void areListedWithTheirOwners() {
      Job stale =
          JOB.toBuilder().setJobId(1234).setNode("n2").setUser("bob").setStale(true).build();
      fake.answer(ListRequest.class, ListResponse.newBuilder().addJobs(JOB).addJobs(stale).build());
      assertEquals(
          printed(
              "JOB   NODE   USER   STATE         STARTED",
              "7     node1  alice  open          2026-11-18T12:00:00.000Z",
              "1234  n2     bob    open (stale)  2026-11-18T12:00:00.000Z"),
          run("jobs", "--user", "alice", "--node", "node1"));
      assertEquals(
          ListRequest.newBuilder().setUid(1001).setNode("node1").build(), fake.requests.remove());
    }

    @Test
    void haveTheIdsThatTheBatchSystemListsBesideTheirNumbers() {
      Job task = JOB.toBuilder().setJobId(63).setBatchId("62_1").setName("train").build();
      fake.answer(ListRequest.class, ListResponse.newBuilder().addJobs(JOB).addJobs(task).build());
      assertEquals(
          printed(
              "JOB  NODE   USER   STATE  STARTED                   BATCH-ID",
              "7    node1  alice  open   2026-11-18T12:00:00.000Z  -",
              "63   node1  alice  open   2026-11-18T12:00:00.000Z  62_1"),
          run("jobs"));
      assertTrue(
          run("jobs", "--json").out().contains("63,\"batch_id\":\"62_1\",\"name\":\"train\","));
    }

    @Test
    void ofSeveralNodesAreThoseOfTheList() {
      Job second = JOB.toBuilder().setJobId(8).setNode("node2").build();
      Job third = JOB.toBuilder().setJobId(9).setNode("node3").build();
      fake.answer(
          ListRequest.class,
          ListResponse.newBuilder().addJobs(JOB).addJobs(second).addJobs(third).build());
      List<String> lines =
          run("jobs", "--node", "node[1,3]")
              .out()
              .lines()
              .map(line -> line.split(" +", -1)[0])
              .toList();
      assertEquals(List.of("JOB", "7", "9"), lines);
      assertEquals(ListRequest.getDefaultInstance(), fake.requests.remove());
    }

    @Test
    void ofAListWithANodeThatIsNotThereAreNotFound() {
      fake.answer(ListRequest.class, ListResponse.newBuilder().addJobs(JOB).build());
      fake.answer(
          ListNodesRequest.class,
          ListNodesResponse.newBuilder().addNodes(Node.newBuilder().setNode("node1")).build());
      String gateway = "127.0.0.1:" + fake.listenOnLoopback();
      assertEquals(
          failed(ExitCode.NOT_FOUND, "no node is named 'node[2-4]'"),
          shell.run("jobs", "--gateway", gateway, "--node", "node[1-4]"));
    }

    @Test
    void areTheSameByJobList() {
      fake.answer(ListRequest.class, ListResponse.getDefaultInstance());
      assertEquals(printed("JOB  NODE  USER  STATE  STARTED"), run("job", "list"));
      assertEquals(printed("[]"), run("job", "list", "--json"));
    }

    @Test
    void anEmptyListSaysThatOneNodeOnlyWasToBeSeen() {
      fake.answer(
          ListRequest.class, ListResponse.newBuilder().setRestriction("one node only").build());
      assertEquals(new Shell.Ran(0, "[]\n", "rollcall: one node only\n"), run("jobs", "--json"));
      fake.answer(
          ListRequest.class,
          ListResponse.newBuilder().addJobs(JOB).setRestriction("one node only").build());
      assertEquals("", run("jobs").err());
    }

    @Test
    void ofANodeThatIsNotThereAreNotFound() {
      fake.answer(ListRequest.class, ListResponse.getDefaultInstance());
      fake.answer(
          ListNodesRequest.class,
          ListNodesResponse.newBuilder().addNodes(Node.newBuilder().setNode("node1")).build());
      String gateway = "127.0.0.1:" + fake.listenOnLoopback();
      assertEquals(
          failed(ExitCode.NOT_FOUND, "no node is named 'node9'"),
          shell.run("jobs", "--gateway", gateway, "--node", "node9"));
      assertEquals(0, shell.run("jobs", "--gateway", gateway, "--node", "node1").status());
    }
  }

  @Nested
  class Ps {
    private final ListProcessesResponse answer =
        ListProcessesResponse.newBuilder()
            .addNodes(
                NodeProcesses.newBuilder()
                    .setNode("node1")
                    .addProcesses(
                        ListedProcess.newBuilder()
                            .setProcess(SLEEP)
                            .setStep("0")
                            .setCommand("sleep"))
                    .setObservedAt(NOON)
                    .setLive(true))
            .addNodes(NodeProcesses.newBuilder().setNode("node2").setObservedAt(NOON))
            .build();

    @Test
    void saysWhichAnswerIsLive() {
      fake.answer(ListProcessesRequest.class, answer);
      assertEquals(
          printed(
              "NODE   PID   STEP  COMMAND  ANSWER",
              "node1  4711  0     sleep    live 2026-11-18T12:00:00.000Z",
              "node2  -     -     -        roll 2026-11-18T12:00:00.000Z"),
          run("ps", "7"));
    }

    @Test
    void printsJson() {
      fake.answer(ListProcessesRequest.class, answer);
      assertEquals(
          printed(
              """
              {"job":7,"nodes":[{"node":"node1","live":true,"observed_at":"2026-11-18T12:00:00Z","processes":\
              [{"pid":4711,"start_time":123456,"step":"0","command":"sleep"}]},\
              {"node":"node2","live":false,"observed_at":"2026-11-18T12:00:00Z","processes":[]}]}\
              """),
          run("ps", "7", "--json"));
    }

    @Test
    void ofAJobThatNobodyKnowsIsNotFound() {
      fake.answer(ListProcessesRequest.class, ListProcessesResponse.getDefaultInstance());
      assertEquals(
          failed(
              ExitCode.NOT_FOUND,
              "no job 7 is known to the agent at " + folder.resolve("agent.sock")),
          run("ps", "7"));
      fake.answer(
          ListProcessesRequest.class,
          ListProcessesResponse.newBuilder().setRestriction("one node only").build());
      assertTrue(run("ps", "7").err().endsWith(": one node only\n"));
    }
  }

  @Nested
  class OutsideProcesses {
    private final NodeOutsideProcesses node1 =
        NodeOutsideProcesses.newBuilder()
            .setNode("node1")
            .setObservedAt(NOON)
            .setLeftOut(3)
            .addOutsideProcesses(
                OutsideProcess.newBuilder()
                    .setProcess(SLEEP)
                    .setUid(1001)
                    .setCommand("sl\u001bep")
                    .setStartedAt(NOON)
                    .setOrigin(OutsideOrigin.OUTSIDE_ORIGIN_CRON)
                    .setCgroup("/system.slice/cron.service")
                    .setPlan(OutsidePlan.OUTSIDE_PLAN_ADOPT))
            .addOutsideProcesses(
                OutsideProcess.newBuilder()
                    .setProcess(SLEEP.toBuilder().setPid(4712))
                    .setUid(77)
                    .setCommand("bash")
                    .setStartedAt(NOON)
                    .setOrigin(OutsideOrigin.OUTSIDE_ORIGIN_SSH)
                    .setCgroup("/system.slice/ssh.service")
                    .setAdoptionId("7-12")
                    .setSessionUid(1001)
                    .setJobId(42)
                    .setAttribution(OutsideAttribution.OUTSIDE_ATTRIBUTION_CALL)
                    .setPlan(OutsidePlan.OUTSIDE_PLAN_NOTHING))
            .build();
    private final NodeOutsideProcesses node2 =
        NodeOutsideProcesses.newBuilder().setNode("node2").setSilence("node2 is away").build();

    @Test
    void areListedWithWhereTheyCameFrom() {
      fake.answer(
          ListOutsideProcessesRequest.class,
          ListOutsideProcessesResponse.newBuilder().addNodes(node1).build());
      assertEquals(
          printed(
              "NODE   PID   USER   COMMAND  SINCE                     BY                  JOB      "
                  + "        WILL BE",
              "node1  4711  alice  sl?ep    2026-11-18T12:00:00.000Z  cron                -        "
                  + "        adopted",
              "node1  4712  77     bash     2026-11-18T12:00:00.000Z  ssh of alice, 7-12  42, by"
                  + " its call  left alone",
              "node1  -     -      -        -                         and 3 more          -        "
                  + "        -"),
          run("outside"));
      assertEquals(ListOutsideProcessesRequest.getDefaultInstance(), fake.requests.remove());
    }

    @Test
    void ofANodeThatDoesNotAnswerAreNotTold() {
      fake.answer(
          ListOutsideProcessesRequest.class,
          ListOutsideProcessesResponse.newBuilder().addNodes(node2).build());
      assertEquals(
          new Shell.Ran(
              5,
              String.join(
                  System.lineSeparator(),
                  "NODE   PID  USER  COMMAND  SINCE  BY                        JOB  WILL BE",
                  "node2  -    -     -        -      no answer: node2 is away  -    -",
                  ""),
              ""),
          run("outside", "node2", "--user", "alice"));
      assertEquals(
          ListOutsideProcessesRequest.newBuilder().addNodes("node2").setUid(1001).build(),
          fake.requests.remove());
    }

    @Test
    void ofAHostListAreAskedForAThousandAtOnce() {
      fake.answer(
          ListOutsideProcessesRequest.class, ListOutsideProcessesResponse.getDefaultInstance());
      assertEquals(0, run("outside", "n[0001-1001]").status());
      assertEquals(1_000, ((ListOutsideProcessesRequest) fake.requests.remove()).getNodesCount());
      assertEquals(
          List.of("n1001"), ((ListOutsideProcessesRequest) fake.requests.remove()).getNodesList());
    }

    @Test
    void arePrintedAsJson() {
      fake.answer(
          ListOutsideProcessesRequest.class,
          ListOutsideProcessesResponse.newBuilder()
              .addNodes(node1.toBuilder().removeOutsideProcesses(0))
              .build());
      assertEquals(
          printed(
              """
              [{"node":"node1","silence":null,"observed_at":"2026-11-18T12:00:00Z","left_out":3,"processes":\
              [{"pid":4712,"start_time":123456,"user":"77","uid":77,"command":"bash","since":"2026-11-18T12:00:00Z",\
              "by":"ssh","cgroup":"/system.slice/ssh.service","session":"7-12","session_user":"alice","job":42,\
              "job_by":"call","will_be":"left alone"}]}]\
              """),
          run("outside", "--json"));
    }
  }

  @Nested
  class ATokenOfOnesOwn {
    @Test
    void isPrintedAloneOrWithItsEnd() {
      fake.answer(
          IssueTokenRequest.class,
          IssueTokenResponse.newBuilder()
              .setToken("rollcall1.a.b")
              .setHolder("uid 1001")
              .setExpiresAt(NOON)
              .build());
      assertEquals(printed("rollcall1.a.b"), run("token"));
      assertEquals(IssueTokenRequest.getDefaultInstance(), fake.requests.remove());
      assertEquals(
          printed(
              """
              {"token":"rollcall1.a.b","holder":"uid 1001","expires_at":"2026-11-18T12:00:00Z"}\
              """),
          run("token", "--hours", "3", "--json"));
      assertEquals(IssueTokenRequest.newBuilder().setHours(3).build(), fake.requests.remove());
    }

    @Test
    void isNotForLessThanNoTime() {
      assertEquals(
          failed(ExitCode.USAGE, "--hours -1 is not positive"), run("token", "--hours", "-1"));
    }

    @Test
    void isReadFromAFileWithoutACertificate() throws IOException {
      Path file = folder.resolve("token");
      assertEquals(
          failed(ExitCode.USAGE, "--token needs --ca, and neither --certificate nor --key"),
          shell.run("nodes", "--gateway", "127.0.0.1:1", "--token", file.toString()));
      Files.writeString(file, "two words\n");
      Shell.Ran ran =
          shell.run(
              "nodes", "--gateway", "127.0.0.1:1", "--ca", "/none", "--token", file.toString());
      assertEquals(2, ran.status());
      assertEquals(
          "rollcall: --token " + file + " has no token in it" + System.lineSeparator(), ran.err());
    }
  }

  @Nested
  class OfUsage {
    private final UsageRecord session =
        UsageRecord.newBuilder()
            .setKind(UsageKind.USAGE_KIND_SESSION)
            .setNode("node1")
            .setJobId(7)
            .setStep("extern")
            .setSession(3)
            .setUid(1001)
            .setBeganAt(NOON)
            .setUsage(
                Usage.newBuilder()
                    .setUserTime(Duration.newBuilder().setSeconds(81).setNanos(250_000_000))
                    .setSystemTime(Duration.newBuilder().setSeconds(3))
                    .setMemoryPeak(73_400_320)
                    .setMemoryAnonymous(4096)
                    .setMemoryShared(2048)
                    .setMemoryRequiredSampledPeak(8192)
                    .setPageFaults(12)
                    .setProcessesNow(0)
                    .setOomKills(1))
            .build();

    @Test
    void printsATable() {
      fake.answer(GetUsageRequest.class, GetUsageResponse.newBuilder().addRecords(session).build());
      assertEquals(
          printed(
              """
              NODE   KIND     STEP    SESSION  BEGAN                     ENDED  CPU     MEMORY  PEAK     REQUIRED  READ  WRITTEN  PROCESSES  OOM  REFUSED
              node1  session  extern  3        2026-11-18T12:00:00.000Z  -      84.25s  -       70.0MiB  8.0KiB    -     -        0          1    -\
              """),
          run("usage", "7"));
    }

    @Test
    void printsJsonAndThenWhatIsToldWhileItWatches() {
      fake.answer(GetUsageRequest.class, GetUsageResponse.newBuilder().addRecords(session).build());
      fake.answer(
          WatchUsageRequest.class,
          WatchUsageResponse.newBuilder()
              .setIncident(
                  JobIncident.newBuilder()
                      .setKind(IncidentKind.INCIDENT_KIND_OOM_KILL)
                      .setNode("node1")
                      .setJob(JobStep.newBuilder().setJobId(7).setStep("extern"))
                      .setSession(3)
                      .setTimes(1)
                      .setAt(NOON)
                      .setWhat("memory.max of job 7, 33554432 bytes"))
              .build());
      assertEquals(
          printed(
              """
              [{"kind":"session","node":"node1","job":7,"step":"extern","session":3,"uid":1001,\
              "began_at":"2026-11-18T12:00:00Z","ended_at":null,"user_seconds":81.25,\
              "system_seconds":3.0,"memory_now":null,"memory_peak":73400320,"memory_anonymous":4096,\
              "memory_shared":2048,"memory_cache":null,"memory_required_sampled_peak":8192,"page_faults":12,"major_page_faults":null,"read_bytes":null,\
              "written_bytes":null,"processes_now":0,"processes_peak":null,"oom_kills":1,\
              "pids_refused":null,"pressure":null}]
              {"kind":"oom-kill","node":"node1","job":7,"step":"extern","session":3,"times":1,\
              "at":"2026-11-18T12:00:00Z","what":"memory.max of job 7, 33554432 bytes"}\
              """),
          run("usage", "7", "--json", "--watch"));
    }

    /** As after head(1); here the agent has nothing to report, for ever. */
    @Test
    @Timeout(60)
    void endsWhenNobodyReadsItsOutput() throws IOException {
      fake.answer(GetUsageRequest.class, GetUsageResponse.getDefaultInstance());
      CommandLine command = CommandTree.of(new CliContext(Shell.USERS, Optional.empty()));
      Writer unread = Writer.nullWriter();
      unread.close();
      command.setOut(new PrintWriter(unread));
      command.execute("usage", "7", "--watch", "--socket", folder.resolve("agent.sock").toString());
      assertEquals(GetUsageRequest.newBuilder().setJobId(7).build(), fake.requests.remove());
    }

    private UsageRecord hourOf(int cpuSeconds, long peak, int oomKills) {
      long now = Instant.now().getEpochSecond();
      return UsageRecord.newBuilder()
          .setKind(UsageKind.USAGE_KIND_JOB)
          .setNode("node1")
          .setJobId(7)
          .setBeganAt(Timestamp.newBuilder().setSeconds(now - 7_200))
          .setEndedAt(Timestamp.newBuilder().setSeconds(now - 3_600))
          .setUsage(
              Usage.newBuilder()
                  .setUserTime(Duration.newBuilder().setSeconds(cpuSeconds))
                  .setSystemTime(Duration.getDefaultInstance())
                  .setMemoryRequiredSampledPeak(peak)
                  .setOomKills(oomKills)
                  .setAllottedCpus(8)
                  .setAllottedMemory(8L << 30))
          .build();
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        textBlock =
            """
            3600  | 1610612736 | 0 | 13% | 19% | Request fewer CPUs, or look for what waits: 1.0 of \
            8.0 worked on average. Less memory would do: 1.5GiB was needed.
            28000 | 6442450944 | 0 | 97% | 75% | -
            28000 | 8500000000 | 0 | 97% | 99% | Request more memory: nearly all was needed.
            28000 | 1610612736 | 2 | 97% | 19% | Request more memory: processes were killed for want of it.
            """)
    void advisesOnWhatAJobIsAllotted(
        int cpuSeconds, long peak, int killed, String cpu, String memory, String advice) {
      fake.answer(
          GetUsageRequest.class,
          GetUsageResponse.newBuilder()
              .addRecords(hourOf(cpuSeconds, peak, killed))
              .addRecords(session)
              .build());
      String[] lines = run("efficiency", "7").out().split("\n", -1);
      assertEquals(3, lines.length, "a head, the job, and the end");
      assertEquals(
          List.of("node1", "3600s", "8.0", cpu, "8.0GiB"),
          List.of(lines[1].split(" +", -1)).subList(0, 5));
      assertTrue(lines[1].matches(".* " + memory + " +\\Q" + advice + "\\E"), lines[1]);
    }

    @Test
    void advisesNothingAboutWhatIsNotCounted() {
      fake.answer(
          GetUsageRequest.class,
          GetUsageResponse.newBuilder()
              .addRecords(hourOf(1, 1, 0).toBuilder().setUsage(Usage.getDefaultInstance()))
              .build());
      Shell.Ran run = run("efficiency", "7", "--json");
      assertEquals(
          """
          [{"node":"node1","elapsed_seconds":3600,"allotted_cpus":null,"cpu_share":null,\
          "allotted_memory":null,"memory_peak":null,"memory_share":null,"advice":[]}]
          """,
          run.out());
    }

    @Test
    void namesNodesThatDidNotAnswer() {
      fake.answer(
          GetUsageRequest.class,
          GetUsageResponse.newBuilder()
              .addRecords(session)
              .addSilentNodes(
                  SilentNode.newBuilder().setNode("node2").setSilence("node node2 did not answer"))
              .build());
      Shell.Ran run = run("usage", "7", "--json");
      assertEquals(ExitCode.UNAVAILABLE.status(), run.status());
      assertTrue(run.out().contains("{\"node\":\"node2\",\"silence\":\"node node2 did not"));
      assertTrue(run.err().contains("rollcall: node node2 did not answer"), run.err());
    }

    @Test
    void ofAJobThatIsNotHereIsNotFound() {
      fake.answer(
          GetUsageRequest.class, Status.NOT_FOUND.withDescription("job 7 is not on node node1"));
      assertEquals(4, run("usage", "7").status());
    }
  }

  @Nested
  class Whois {
    private final Caller caller =
        Caller.newBuilder()
            .setCluster("cluster")
            .setNode("node1")
            .setJob(JobStep.newBuilder().setJobId(7).setStep("0"))
            .setUid(1001)
            .setProcess(SLEEP)
            .setCalledAt(NOON)
            .build();

    private void answer(CallerAnswer.Builder answer) {
      fake.answer(IdentifyRequest.class, IdentifyResponse.newBuilder().setAnswer(answer).build());
    }

    @Test
    void namesJobStepNodeUserAndProcess() {
      answer(CallerAnswer.newBuilder().setFound(caller));
      assertEquals(
          printed(
              "JOB  STEP  NODE   USER   PID   CALLED",
              "7    0     node1  alice  4711  2026-11-18T12:00:00.000Z"),
          run("whois", "10.0.0.1:40000", "10.0.0.2:22"));
      assertEquals(
          IdentifyRequest.newBuilder()
              .setConnection(
                  Connection.newBuilder()
                      .setProtocol(Protocol.PROTOCOL_TCP)
                      .setLocal(endpoint(40000, "10.0.0.1"))
                      .setRemote(endpoint(22, "10.0.0.2")))
              .build(),
          fake.requests.remove());
    }

    @Test
    void printsJson() {
      answer(CallerAnswer.newBuilder().setFound(caller));
      assertEquals(
          printed(
              """
              {"cluster":"cluster","node":"node1","job":7,"step":"0","user":"alice","uid":1001,"pid":4711,\
              "start_time":123456,"called_at":"2026-11-18T12:00:00Z"}\
              """),
          run("whois", "[fd77::1]:40000", "[fd77::2]:22", "--udp", "--json"));
      assertEquals(
          Protocol.PROTOCOL_UDP,
          ((IdentifyRequest) fake.requests.remove()).getConnection().getProtocol());
    }

    @Test
    void tellsACallerInNoJobFromAnUnknownOne() {
      answer(CallerAnswer.newBuilder().setFound(caller.toBuilder().clearJob()));
      assertEquals(
          printed(
              "JOB   STEP  NODE   USER   PID   CALLED",
              "none  -     node1  alice  4711  2026-11-18T12:00:00.000Z"),
          run("whois", "10.0.0.1:40000", "10.0.0.2:22"));
      answer(
          CallerAnswer.newBuilder()
              .setUnknown(UnknownCaller.newBuilder().setReason("no such socket on node1")));
      assertEquals(
          failed(
              ExitCode.NOT_FOUND,
              "the caller of tcp 10.0.0.1:40000 -> 10.0.0.2:22 is unknown: no such socket on"
                  + " node1"),
          run("whois", "10.0.0.1:40000", "10.0.0.2:22"));
    }

    @Test
    void tellsThatNobodyCouldBeAsked() {
      answer(
          CallerAnswer.newBuilder()
              .setUnreachable(UnreachableCaller.newBuilder().setReason("node1 is lost")));
      assertEquals(
          failed(
              ExitCode.UNAVAILABLE,
              "the node that knows the caller of tcp 10.0.0.1:40000 -> 10.0.0.2:22 is unreachable:"
                  + " node1 is lost"),
          run("whois", "10.0.0.1:40000", "10.0.0.2:22"));
    }

    @Test
    void needsBothEndsInOneFamily() {
      assertEquals(
          failed(ExitCode.USAGE, "[fd77::1]:1 and 10.0.0.2:22 are not of one address family"),
          run("whois", "[fd77::1]:1", "10.0.0.2:22"));
    }

    private void answer(ProcessAnswer.Builder answer) {
      fake.answer(
          IdentifyProcessRequest.class,
          IdentifyProcessResponse.newBuilder().setAnswer(answer).build());
    }

    private final ProcessAnswer.Builder inJob =
        ProcessAnswer.newBuilder()
            .setInJob(
                ProcessInJob.newBuilder()
                    .setProcess(SLEEP)
                    .setJob(JobStep.newBuilder().setJobId(7).setStep("0"))
                    .setUid(1001)
                    .setSeenAt(NOON)
                    .setAge(
                        com.google.protobuf.Duration.newBuilder()
                            .setSeconds(2)
                            .setNanos(345_000_000)));

    @Test
    void findsTheJobOfAProcess() {
      answer(inJob);
      assertEquals(
          printed(
              "JOB  STEP  NODE   USER   PID   SEEN                      AGE",
              "7    0     node7  alice  4711  2026-11-18T12:00:00.000Z  2.3 s"),
          run("whois", "--pid", "4711", "--node", "node7"));
      assertEquals(
          IdentifyProcessRequest.newBuilder().setNode("node7").setPid(4711).build(),
          fake.requests.remove());
    }

    @Test
    void printsTheJobOfAProcessAsJson() {
      answer(inJob);
      assertEquals(
          printed(
              """
              {"node":"node7","pid":4711,"start_time":123456,"job":7,"step":"0","user":"alice",\
              "uid":1001,"seen_at":"2026-11-18T12:00:00Z","age_ms":2345,"stale":false}\
              """),
          run("whois", "--pid", "4711", "--node", "node7", "--start-time", "123456", "--json"));
      assertEquals(123_456, ((IdentifyProcessRequest) fake.requests.remove()).getStartTime());
    }

    @Test
    void tellsAProcessInNoJobFromAnUnknownOne() {
      answer(ProcessAnswer.newBuilder().setInNoJob(ProcessInNoJob.newBuilder().setSeenAt(NOON)));
      assertEquals(
          printed(
              """
              {"node":"node7","pid":4711,"start_time":null,"job":null,"step":null,"user":null,\
              "uid":null,"seen_at":"2026-11-18T12:00:00Z","age_ms":0,"stale":false}\
              """),
          run("whois", "--pid", "4711", "--node", "node7", "--json"));
      answer(
          ProcessAnswer.newBuilder()
              .setUnknown(UnknownProcess.newBuilder().setReason("node node7 is lost")));
      assertEquals(
          failed(
              ExitCode.NOT_FOUND,
              "the job of pid 4711 on node node7 is unknown: node node7 is lost"),
          run("whois", "--pid", "4711", "--node", "node7"));
    }

    @Test
    void needsAConnectionOrAProcess() {
      String either = "give SRC and DST, or --pid and --node";
      assertEquals(failed(ExitCode.USAGE, either), run("whois"));
      assertEquals(failed(ExitCode.USAGE, either), run("whois", "10.0.0.1:40000"));
      assertEquals(
          failed(ExitCode.USAGE, "--pid needs --node, and excludes SRC, DST and --udp"),
          run("whois", "--pid", "4711"));
      assertEquals(
          failed(ExitCode.USAGE, "--node and --start-time are only for --pid"),
          run("whois", "10.0.0.1:40000", "10.0.0.2:22", "--node", "node7"));
    }

    private static Endpoint endpoint(int port, String address) {
      return Endpoint.newBuilder().setAddress(address).setPort(port).build();
    }
  }

  @Nested
  class Nodes {
    @Test
    void areListedWithHowTheyLearnOfCalls() {
      var node =
          Node.newBuilder()
              .setNode("node1")
              .setState(NodeState.NODE_STATE_CONNECTED)
              .addAddresses("10.77.0.1")
              .setGateway("10.77.0.9:7450")
              .setHeardAt(NOON)
              .setJobs(2)
              .setVersion("0.1.0")
              .setCallSource("sock_ops");
      fake.answer(ListNodesRequest.class, ListNodesResponse.newBuilder().addNodes(node).build());
      assertEquals(
          printed(
              "NODE   STATE      JOBS  CALLS BY  VERSION  GATEWAY         HEARD                    "
                  + " ADDRESSES",
              "node1  connected  2     sock_ops  0.1.0    10.77.0.9:7450  2026-11-18T12:00:00.000Z "
                  + " 10.77.0.1"),
          run("nodes"));
    }
  }
}
