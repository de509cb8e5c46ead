package dev.rollcall.jobs.own;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.jobs.limits.Reserve;
import dev.rollcall.jobs.limits.SiteRules;
import dev.rollcall.jobs.tree.TreeConfig.Choice;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.CgroupMounts;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.StepId;
import dev.rollcall.model.allocation.Allocation;
import dev.rollcall.model.allocation.CpuMax;
import dev.rollcall.model.allocation.DeviceRules;
import dev.rollcall.model.allocation.IoMax;
import dev.rollcall.model.allocation.Limits;
import dev.rollcall.model.allocation.NumberList;
import dev.rollcall.model.usage.Incident;
import dev.rollcall.port.Jobs;
import dev.rollcall.port.Jobs.BeginResult;
import dev.rollcall.port.Jobs.JobSpec;
import dev.rollcall.port.Jobs.LimitResult;
import dev.rollcall.port.Jobs.StepResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Limits in the hierarchies of this machine that have controllers: v1, or v2. */
@Tag("root")
class LimitsTest {
  private static final long MB = 1L << 20;
  private static final JobId JOB = new JobId(42);
  private static final Optional<StepId> NO_STEP = Optional.empty();

  private final List<Rig> rigs = new ArrayList<>();
  private Rig rig = rig(NativeJobsConfig.Site.OPEN);

  private Rig rig(NativeJobsConfig.Site site) {
    rig = Rig.thatLimits(site);
    rigs.add(rig);
    return rig;
  }

  @AfterEach
  void leaveNothing() {
    rigs.forEach(Rig::close);
  }

  /** Limits of what every node has: CPU 0, memory, processes. */
  private static Limits limits(long memory, long pids) {
    return new Limits(
        Optional.of(new NumberList("0")),
        Optional.empty(),
        OptionalLong.of(memory),
        OptionalLong.empty(),
        OptionalLong.empty(),
        OptionalInt.of(50),
        Optional.of(new CpuMax(50_000, 100_000)),
        OptionalLong.of(pids),
        List.of(),
        Map.of());
  }

  static Limits memory(long bytes) {
    return new Limits(
        Optional.empty(),
        Optional.empty(),
        OptionalLong.of(bytes),
        OptionalLong.empty(),
        OptionalLong.empty(),
        OptionalInt.empty(),
        Optional.empty(),
        OptionalLong.empty(),
        List.of(),
        Map.of());
  }

  private static Limits cpus(String list) {
    return new Limits(
        Optional.of(new NumberList(list)),
        Optional.empty(),
        OptionalLong.empty(),
        OptionalLong.empty(),
        OptionalLong.empty(),
        OptionalInt.empty(),
        Optional.empty(),
        OptionalLong.empty(),
        List.of(),
        Map.of());
  }

  private BeginResult tryToBegin(Limits limits) {
    var allocation = new Allocation(limits, DeviceRules.OPEN, Map.of("A", "b"), List.of());
    Instant noon = Instant.parse("2026-11-20T12:00:00Z");
    return rig.jobs().begin(new JobSpec(JOB, 1001, 1001, noon, allocation));
  }

  private void begin(Limits limits) {
    assertInstanceOf(BeginResult.Begun.class, tryToBegin(limits));
  }

  /** The first request's answer was lost, or a lost journal left the job without limits. */
  @Test
  void aSecondBeginIsRefusedIfItAsksForOtherLimits() throws IOException {
    begin(limits(100 * MB, 64));
    rig.reopen(Rig.BOOT);
    begin(limits(100 * MB, 64));
    begin(Limits.NONE);
    var refused = assertInstanceOf(BeginResult.Refused.class, tryToBegin(limits(200 * MB, 64)));
    assertEquals(
        "job 42 is open with other limits or devices; 'rollcall job limit' and"
            + " 'rollcall job devices' change them",
        refused.reason());
    begin(limits(100 * MB, 64));
  }

  private StepId step(Limits limits) {
    var made =
        assertInstanceOf(
            StepResult.Made.class,
            rig.jobs().beginStep(JOB, Optional.empty(), limits, DeviceRules.OPEN));
    return made.step().step();
  }

  private boolean v1() {
    return rig.choice == Choice.V1;
  }

  private String file(String controller, String v2, String v1) throws IOException {
    return at(rig.scope(controller).child("job_42"), v2, v1);
  }

  private String at(CgroupDirectory directory, String v2, String v1) throws IOException {
    return directory.read(v1() ? v1 : v2);
  }

  private String memoryMax() throws IOException {
    return file("memory", "memory.max", "memory.limit_in_bytes");
  }

  private void assertLimits(long memory, long pids) throws IOException {
    assertEquals(Long.toString(memory), memoryMax());
    assertEquals(Long.toString(pids), file("pids", "pids.max", "pids.max"));
    assertEquals("0", file("cpuset", "cpuset.cpus", "cpuset.cpus"));
    assertEquals(v1() ? "512" : "50", file("cpu", "cpu.weight", "cpu.shares"));
    assertEquals(v1() ? "50000" : "50000 100000", file("cpu", "cpu.max", "cpu.cfs_quota_us"));
  }

  /** v2 has the controller as far down as somebody has a limit by it; below, the same holds. */
  private String cpusOf(StepId step) throws IOException {
    return v1()
        ? user("cpuset", step).read("cpuset.cpus")
        : rig.scope("cpuset").child("job_42").read("cpuset.cpus.effective");
  }

  private CgroupDirectory user(String controller, StepId step) {
    return rig.scope(controller).child("job_42").child("step_" + step).child("user");
  }

  @Test
  void aJobThatBeginsHasItsLimitsBeforeAnythingIsInIt() throws IOException {
    begin(limits(100 * MB, 64));
    assertLimits(100 * MB, 64);
    assertEquals("0", cpusOf(StepId.EXTERN));
  }

  @Test
  void anAdoptedProcessIsHeldByThem() throws Exception {
    begin(limits(100 * MB, 8));
    Process shell =
        rig.shell("sleep 2; i=0; while [ $i -lt 30 ]; do sleep 300 & i=$((i+1)); done; wait");
    try (var pinned = Rig.pin(shell)) {
      assertInstanceOf(Jobs.AdoptResult.Adopted.class, rig.adopt(pinned, JOB));
      List<String> status = Files.readAllLines(Path.of("/proc/" + shell.pid() + "/status"));
      assertTrue(status.contains("Cpus_allowed_list:\t0"), status.toString());
      CgroupDirectory job = rig.scope("pids").child("job_42");
      Rig.await("forks are refused", () -> refused(job));
      assertTrue(Integer.parseInt(job.read("pids.current")) <= 8, "at most eight");
    }
  }

  /** Of the kernels before 6.8 or so only the cgroup that forked counts. */
  private static boolean refused(CgroupDirectory job) {
    try {
      for (CgroupDirectory each : job.tree()) {
        if (each.read("pids.events").lines().anyMatch(line -> line.matches("max [1-9][0-9]*"))) {
          return true;
        }
      }
      return false;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void memoryThatIsOverTheLimitKillsTheHogAndNobodyElse() throws Exception {
    begin(memory(64 * MB));
    step(Limits.NONE);
    Process hog = rig.shell("sleep 1; head -c 200M /dev/zero | tail");
    Process bystander = rig.shell("sleep 600");
    try (var pinned = Rig.pin(hog)) {
      assertInstanceOf(Jobs.AdoptResult.Adopted.class, rig.adopt(pinned, JOB));
      Rig.await("the hog is gone", () -> !hog.isAlive());
      assertNotEquals(0, hog.exitValue());
      assertTrue(bystander.isAlive());
    }
  }

  @Test
  void limitsAreChangedWhileTheJobRunsAndTheOthersStay() throws IOException {
    begin(limits(100 * MB, 64));
    var changed =
        assertInstanceOf(
            LimitResult.Changed.class, rig.jobs().limit(JOB, NO_STEP, memory(200 * MB)));
    assertEquals(limits(200 * MB, 64), changed.now());
    assertLimits(200 * MB, 64);
    assertInstanceOf(LimitResult.Changed.class, rig.jobs().limit(JOB, NO_STEP, memory(50 * MB)));
    assertLimits(50 * MB, 64);
    assertInstanceOf(
        LimitResult.Changed.class, rig.jobs().limit(JOB, NO_STEP, memory(Limits.UNLIMITED)));
    assertNotEquals(Long.toString(50 * MB), memoryMax());
  }

  @Test
  void jobsOnV1HaveTheSwappinessOfTheSite() throws IOException {
    rig.reopen(OptionalInt.of(7));
    begin(memory(100 * MB));
    CgroupDirectory job = rig.scope("memory").child("job_42");
    assertEquals(v1(), job.has("memory.swappiness"));
    if (v1()) {
      assertEquals("7", job.read("memory.swappiness"));
      assertEquals("7", user("memory", StepId.EXTERN).read("memory.swappiness"));
    }
  }

  @Test
  void swapIsTurnedIntoWhatTheKernelCounts() throws IOException {
    Limits swap =
        new Limits(
            Optional.empty(),
            Optional.empty(),
            OptionalLong.of(100 * MB),
            OptionalLong.of(80 * MB),
            OptionalLong.of(10 * MB),
            OptionalInt.empty(),
            Optional.empty(),
            OptionalLong.empty(),
            List.of(),
            Map.of());
    begin(swap);
    assertEquals(
        Long.toString((v1() ? 110 : 10) * MB),
        file("memory", "memory.swap.max", "memory.memsw.limit_in_bytes"));
    assertEquals(
        Long.toString(80 * MB), file("memory", "memory.high", "memory.soft_limit_in_bytes"));
    // Up and down again, past what memory and swap were together before.
    for (long mb : new long[] {300, 60}) {
      assertInstanceOf(LimitResult.Changed.class, rig.jobs().limit(JOB, NO_STEP, memory(mb * MB)));
      assertEquals(Long.toString(mb * MB), memoryMax());
      assertEquals(
          Long.toString((v1() ? mb + 10 : 10) * MB),
          file("memory", "memory.swap.max", "memory.memsw.limit_in_bytes"));
    }
  }

  @Test
  void aLimitThatIsRefusedLeavesNoJob() {
    var refused =
        assertInstanceOf(
            BeginResult.Refused.class, tryToBegin(limits(100 * MB, 64).with(cpus("0-4000"))));
    assertTrue(refused.reason().contains("job 42"), refused.reason());
    assertTrue(refused.reason().contains("cpuset.cpus 0-4000"), refused.reason());
    assertTrue(refused.reason().contains(rig.scope("cpuset").toString()), refused.reason());
    assertEquals(List.of(), rig.jobs().list());
    assertEquals(List.of(), rig.directories(42));
    begin(limits(100 * MB, 64));
  }

  @Test
  void aKernelThatRefusesIsQuotedWithFileAndValueAndNothingChanges() throws IOException {
    begin(limits(100 * MB, 64));
    Limits bad =
        new Limits(
            Optional.empty(),
            Optional.empty(),
            OptionalLong.of(200 * MB),
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalInt.of(77),
            Optional.empty(),
            OptionalLong.of(5_000_000_000L),
            List.of(),
            Map.of());
    var refused = assertInstanceOf(LimitResult.Refused.class, rig.jobs().limit(JOB, NO_STEP, bad));
    assertTrue(refused.reason().contains("pids.max"), refused.reason());
    assertTrue(refused.reason().contains("5000000000"), refused.reason());
    assertTrue(refused.reason().contains("EINVAL (Invalid argument)"), refused.reason());
    assertLimits(100 * MB, 64);
  }

  @Test
  void aStepHasLimitsOfItsOwnThatAreNotOverItsJobs() throws IOException {
    begin(limits(100 * MB, 64));
    StepId step = step(memory(50 * MB));
    assertEquals(
        Long.toString(50 * MB), at(user("memory", step), "memory.max", "memory.limit_in_bytes"));
    var refused =
        assertInstanceOf(
            StepResult.Refused.class,
            rig.jobs().beginStep(JOB, Optional.empty(), memory(200 * MB), DeviceRules.OPEN));
    assertTrue(refused.reason().contains(Long.toString(200 * MB)), refused.reason());
    assertTrue(refused.reason().contains("is over the parent's"), refused.reason());
    assertFalse(rig.scope("memory").child("job_42").child("step_1").exists());
    assertInstanceOf(
        LimitResult.Refused.class, rig.jobs().limit(JOB, Optional.of(step), memory(101 * MB)));
    var changed =
        assertInstanceOf(
            LimitResult.Changed.class, rig.jobs().limit(JOB, Optional.of(step), memory(60 * MB)));
    assertEquals(memory(60 * MB), changed.now());
    assertInstanceOf(
        LimitResult.NotHere.class, rig.jobs().limit(JOB, Optional.of(StepId.of(9)), memory(MB)));
  }

  @Test
  void cpusOfAJobThatRunsAreChangedForAllThatIsInIt() throws Exception {
    begin(Limits.NONE);
    StepId step = step(Limits.NONE);
    Process process = rig.run("sleep", "600");
    try (var pinned = Rig.pin(process)) {
      assertInstanceOf(Jobs.AdoptResult.Adopted.class, rig.adopt(pinned, JOB));
      String all = rig.scope("cpuset").read("cpuset.cpus" + (v1() ? "" : ".effective"));
      for (String list : List.of("0", all, "0")) {
        assertInstanceOf(
            LimitResult.Changed.class, rig.jobs().limit(JOB, NO_STEP, cpus(list)), list);
        String status = Files.readString(Path.of("/proc/" + process.pid() + "/status"));
        assertTrue(status.contains("Cpus_allowed_list:\t" + list + "\n"), list + "\n" + status);
        assertEquals(list, cpusOf(step));
      }
    }
  }

  @Test
  void aRestartedAgentKnowsThemAndChangesThem() throws IOException {
    begin(limits(100 * MB, 64));
    StepId step = step(memory(50 * MB));
    rig.jobs().limit(JOB, NO_STEP, memory(80 * MB));
    rig.reopen(Rig.BOOT);
    var now =
        assertInstanceOf(LimitResult.Changed.class, rig.jobs().limit(JOB, NO_STEP, Limits.NONE));
    assertEquals(limits(80 * MB, 64), now.now());
    now =
        assertInstanceOf(
            LimitResult.Changed.class, rig.jobs().limit(JOB, Optional.of(step), Limits.NONE));
    assertEquals(memory(50 * MB), now.now());
  }

  @Test
  void whatSomethingElseChangedIsPutBackAndTold() throws IOException {
    begin(limits(100 * MB, 64));
    StepId step = step(memory(50 * MB));
    List<Incident> told = new ArrayList<>();
    rig.jobs()
        .listen(
            new Jobs.Listener() {
              @Override
              public void changed(Job job) {}

              @Override
              public void incident(Incident incident) {
                told.add(incident);
              }
            });
    rig.jobs().reap();
    assertEquals(List.of(), told);
    CgroupDirectory job = rig.scope("memory").child("job_42");
    job.write(v1() ? "memory.limit_in_bytes" : "memory.max", v1() ? "-1" : "max");
    user("memory", step)
        .write(v1() ? "memory.limit_in_bytes" : "memory.max", Long.toString(90 * MB));
    rig.reopen(Rig.BOOT);
    rig.jobs()
        .listen(
            new Jobs.Listener() {
              @Override
              public void changed(Job job) {}

              @Override
              public void incident(Incident incident) {
                told.add(incident);
              }
            });
    rig.jobs().reap();
    assertEquals(2, told.size(), told.toString());
    assertEquals(
        List.of(StepId.EXTERN, step), told.stream().map(each -> each.step().step()).toList());
    assertTrue(told.getFirst().what().startsWith(job.toString()), told.toString());
    assertTrue(told.stream().allMatch(each -> each.kind() == Incident.Kind.DRIFTED));
    assertLimits(100 * MB, 64);
    rig.jobs().reap();
    assertEquals(2, told.size());
  }

  private static Limits pagesAndDevices(List<IoMax> io, Map<String, Long> pages) {
    return new Limits(
        Optional.empty(),
        Optional.empty(),
        OptionalLong.empty(),
        OptionalLong.empty(),
        OptionalLong.empty(),
        OptionalInt.empty(),
        Optional.empty(),
        OptionalLong.empty(),
        io,
        pages);
  }

  private boolean has(String controller) throws IOException {
    return v1()
        ? CgroupMounts.read(Path.of("/proc")).v1(controller).isPresent()
        : Files.readString(Path.of("/sys/fs/cgroup/cgroup.controllers")).contains(controller);
  }

  @Test
  void hugePagesAreLimitedOrTheMissingControllerIsNamed() throws IOException {
    BeginResult result = tryToBegin(pagesAndDevices(List.of(), Map.of("2MB", 4 * MB)));
    if (has("hugetlb")) {
      assertInstanceOf(BeginResult.Begun.class, result);
      assertEquals(
          Long.toString(4 * MB), file("hugetlb", "hugetlb.2MB.max", "hugetlb.2MB.limit_in_bytes"));
    } else {
      String reason = assertInstanceOf(BeginResult.Refused.class, result).reason();
      assertTrue(reason.contains("controller hugetlb is missing"), reason);
      assertEquals(List.of(), rig.directories(42));
    }
  }

  @Test
  void aPageSizeThatTheKernelDoesNotHaveIsRefusedByItsFile() throws IOException {
    String reason =
        assertInstanceOf(
                BeginResult.Refused.class,
                tryToBegin(pagesAndDevices(List.of(), Map.of("3MB", 3 * MB))))
            .reason();
    assertTrue(
        reason.contains(has("hugetlb") ? "ENOENT (No such file" : "controller hugetlb is missing"),
        reason);
    assertEquals(List.of(), rig.directories(42));
  }

  /** The first disk, or a device that is none: the kernel says so then. */
  @Test
  void aDiskIsLimitedOrTheKernelsRefusalIsTold() throws IOException {
    Optional<String> disk = disk();
    IoMax bound = IoMax.parse(disk.orElse("4095:1048") + ":rbps=1048576,wiops=100");
    BeginResult result = tryToBegin(pagesAndDevices(List.of(bound), Map.of()));
    if (disk.isEmpty()) {
      String reason = assertInstanceOf(BeginResult.Refused.class, result).reason();
      assertTrue(reason.contains("4095:1048"), reason);
      assertTrue(reason.contains("ENODEV (No such device)"), reason);
      return;
    }
    assertInstanceOf(BeginResult.Begun.class, result);
    String shown = file("blkio", "io.max", "blkio.throttle.read_bps_device");
    assertTrue(shown.startsWith(disk.get() + " "), shown);
    assertTrue(shown.contains("1048576"), shown);
    IoMax none = IoMax.parse(disk.get() + ":rbps=max,wiops=max");
    assertInstanceOf(
        LimitResult.Changed.class,
        rig.jobs().limit(JOB, NO_STEP, pagesAndDevices(List.of(none), Map.of())));
    assertEquals("", file("blkio", "io.max", "blkio.throttle.read_bps_device"));
  }

  private static Optional<String> disk() throws IOException {
    try (var disks = Files.list(Path.of("/sys/block"))) {
      List<Path> real =
          disks.filter(each -> Files.exists(each.resolve("device"))).sorted().toList();
      return real.isEmpty()
          ? Optional.empty()
          : Optional.of(Files.readString(real.getFirst().resolve("dev")).strip());
    }
  }

  @Test
  void whatIsKeptForTheSystemNoJobCanHave() throws IOException {
    long ram = 1L << 33;
    var reserve = new Reserve(Optional.of(new NumberList("0")), OptionalLong.of(ram - 512 * MB));
    rig(new NativeJobsConfig.Site(SiteRules.AS_ASKED, reserve, ram));
    String left = rig.scope("cpuset").read("cpuset.cpus");
    assertFalse(new NumberList(left).numbers().get(0), left);
    assertEquals(
        Long.toString(512 * MB), at(rig.scope("memory"), "memory.max", "memory.limit_in_bytes"));
    assertInstanceOf(BeginResult.Refused.class, tryToBegin(cpus("0")));
    var refused = assertInstanceOf(BeginResult.Refused.class, tryToBegin(memory(513 * MB)));
    assertTrue(refused.reason().contains("is over the parent's"), refused.reason());
    begin(memory(512 * MB).with(cpus(left)));
    rig.jobs().end(JOB, Duration.ofSeconds(10));
  }

  @Test
  void aJobIsStillHeldWhenMoreIsKeptForTheSystemThanBefore() throws IOException {
    begin(Limits.NONE);
    step(Limits.NONE);
    assertEquals(JobState.OPEN, rig.jobs().list().getFirst().state());
    var reserve = new Reserve(Optional.of(new NumberList("0")), OptionalLong.empty());
    rig.reopen(new NativeJobsConfig.Site(SiteRules.AS_ASKED, reserve, 1L << 33));
    String left = rig.scope("cpuset").read("cpuset.cpus");
    assertFalse(new NumberList(left).numbers().get(0), left);
    if (v1()) {
      assertEquals(left, cpusOf(StepId.of(0)));
    }
  }
}
