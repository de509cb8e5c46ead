package dev.rollcall.agent.series;

import static dev.rollcall.model.allocation.DeviceRules.OPEN;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.agent.series.device.FakeGpus;
import dev.rollcall.agent.series.device.KnownGpus;
import dev.rollcall.agent.series.device.NodeGpus;
import dev.rollcall.model.CgroupIds;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.StepId;
import dev.rollcall.model.allocation.Allocation;
import dev.rollcall.model.usage.Measure;
import dev.rollcall.model.usage.MeasureDepth;
import dev.rollcall.model.usage.Measured;
import dev.rollcall.model.usage.Measures;
import dev.rollcall.port.CallSource.PortCalls;
import dev.rollcall.port.Jobs.JobSpec;
import dev.rollcall.testkit.calls.FakeCallSource;
import dev.rollcall.testkit.jobs.InMemoryJobs;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobSeriesTest {
  private static final Instant NOON = Instant.parse("2026-11-29T12:00:00Z");
  private static final int ALICE = 1_001;
  private static final JobId JOB = new JobId(42);
  private static final KnownGpus KNOWN =
      new NodeGpus(Path.of("/nonexistent"), System::nanoTime).known();

  @TempDir private static Path root;

  private final InMemoryJobs jobs = new InMemoryJobs();
  private final AtomicLong nanos = new AtomicLong();
  private final NodeGpus gpus = new NodeGpus(root, nanos::get);
  private final FakeCallSource source = new FakeCallSource();
  private final JobSeries series = of(MeasureDepth.SESSIONS);

  private JobSeries of(MeasureDepth depth) {
    return of(depth, SeriesNames.ROLLCALL);
  }

  private JobSeries of(MeasureDepth depth, SeriesNames names) {
    var calls = new JobCalls(source, jobs, Map.of(27_000, "license"));
    return new JobSeries(
        jobs,
        depth,
        names,
        "rollcall",
        uid -> uid == ALICE ? "alice" : "",
        gpus,
        calls,
        nanos::get);
  }

  private static String text(byte[] page) {
    try (var unpacked = new GZIPInputStream(new ByteArrayInputStream(page))) {
      return new String(unpacked.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private Map<String, Double> scrape() {
    return OpenMetrics.parse(text(series.page("application/openmetrics-text")));
  }

  private void begin(JobId id, Instant at, Map<String, String> variables) {
    Allocation allocation = Allocation.NONE.with(Map.of(), variables);
    jobs.begin(new JobSpec(id, ALICE, ALICE, at, allocation));
  }

  private static Job job(int number) {
    return new Job(new JobId(number), ALICE, ALICE, NOON, JobState.OPEN);
  }

  private static Measured measured(JobId job, Instant began, Measure measure, long value) {
    var measures = new Measures();
    measures.put(measure, value);
    return new Measured(job, Optional.empty(), OptionalLong.empty(), began, measures);
  }

  private static String page(KnownSeries known, String user, boolean openMetrics) {
    var page = new ByteArrayOutputStream();
    var text = new PageText(page, openMetrics);
    new JobPage(text, "slurm", _ -> user, KNOWN).write(known.all());
    text.end();
    return page.toString(UTF_8);
  }

  @Test
  void aJobItsStepAndItsSessionHaveSeriesAndTheirFactsAreInOne() {
    begin(JOB, NOON, Map.of("SLURM_ARRAY_JOB_ID", "40", "SLURM_ARRAY_TASK_ID", "2"));
    jobs.adopt(jobs.start("sshd"), JOB, ALICE);
    jobs.used(JOB, Duration.ofMillis(1_234_567));
    Map<String, Double> page = scrape();
    assertEquals(
        1,
        page.get(
            "rollcall_job_info{job=\"42\",user=\"alice\",uid=\"1001\",provider=\"rollcall\",array=\"40_2\"}"));
    assertEquals(1_234.567, page.get("rollcall_job_cpu_seconds_total{job=\"42\",mode=\"user\"}"));
    assertEquals(
        NOON.getEpochSecond(), page.get("rollcall_job_begin_timestamp_seconds{job=\"42\"}"));
    assertEquals(
        0, page.get("rollcall_step_cpu_seconds_total{job=\"42\",step=\"extern\",mode=\"system\"}"));
    assertTrue(
        page.keySet().stream()
            .anyMatch(it ->
                it.startsWith(
                    "rollcall_session_cpu_seconds_total{job=\"42\",step=\"extern\",session=\"")));
    assertFalse(page.keySet().toString().contains("memory"), "is not measured, and so absent");
  }

  /** Also one that began and ended between two scrapes. */
  @Test
  void aJobThatEndedIsThereWithItsLastAccountForTwoMinutes() {
    begin(JOB, NOON, Map.of());
    jobs.used(JOB, Duration.ofSeconds(7));
    jobs.end(JOB, Duration.ZERO);
    String cpu = "rollcall_job_cpu_seconds_total{job=\"42\",mode=\"user\"}";
    Map<String, Double> page = scrape();
    assertEquals(7, page.get(cpu));
    assertTrue(page.containsKey("rollcall_job_end_timestamp_seconds{job=\"42\"}"));
    assertEquals(
        1, page.keySet().stream().filter(it -> it.startsWith("rollcall_job_info")).count());
    nanos.addAndGet(Duration.ofSeconds(119).toNanos());
    assertEquals(7, scrape().get(cpu));
    nanos.addAndGet(Duration.ofSeconds(2).toNanos());
    assertEquals(List.of(), scrape().keySet().stream().filter(it -> it.contains("42")).toList());
  }

  /** Its cgroup is gone before its end is known. */
  @Test
  void aJobWithoutAccountsHasWhatItUsedAsItsLastStepEnded() {
    jobs.withoutAccounts();
    begin(JOB, NOON, Map.of());
    jobs.used(JOB, Duration.ofSeconds(7));
    jobs.mayEnd(JOB);
    jobs.used(JOB, Duration.ZERO);
    jobs.end(JOB, Duration.ZERO);
    Map<String, Double> page = scrape();
    assertEquals(7, page.get("rollcall_job_cpu_seconds_total{job=\"42\",mode=\"user\"}"));
    assertTrue(page.containsKey("rollcall_job_end_timestamp_seconds{job=\"42\"}"));
  }

  @Test
  void whatIsOnlyTrueOfTheLivingEndsWithThem() {
    var known = new KnownSeries(nanos::get);
    known.begin();
    known.update(measured(JOB, NOON, Measure.MEMORY, 5));
    known.update(measured(JOB, NOON, Measure.MEMORY_PEAK, 9));
    known.update(measured(JOB, NOON, Measure.MEMORY, 5));
    assertTrue(page(known, "", true).contains("rollcall_job_memory_bytes{job=\"42\"} 5\n"));
    known.begin();
    known.end();
    String ended = page(known, "", true);
    assertFalse(ended.contains("rollcall_job_memory_bytes"), ended);
    assertTrue(ended.contains("rollcall_job_memory_peak_bytes{job=\"42\"} 9\n"), ended);
    assertTrue(ended.contains("rollcall_job_end_timestamp_seconds"), ended);
    known.update(measured(JOB, NOON, Measure.MEMORY, 6));
    assertFalse(page(known, "", true).contains("end_timestamp"), "it was only not readable");
  }

  /** Where the kernel sums up what exists, a cgroup that is removed takes its part away. */
  @Test
  void countersNeverGoBackUntilTheJobRunsAgain() {
    var known = new KnownSeries(nanos::get);
    for (long bytes : new long[] {9_000, 4_000}) {
      known.update(measured(JOB, NOON, Measure.READ_BYTES, bytes));
    }
    known.update(measured(JOB, NOON, Measure.CPU_USER, 3));
    String read = "rollcall_job_io_bytes_total{job=\"42\",way=\"read\"}";
    assertEquals(9_000, OpenMetrics.parse(page(known, "", true)).get(read));
    known.update(measured(JOB, NOON.plusSeconds(1), Measure.READ_BYTES, 10));
    assertEquals(10, OpenMetrics.parse(page(known, "", true)).get(read));
  }

  @Test
  void aStepThatEndedIsThereWhileItsJobGoesOn() {
    var known = new KnownSeries(nanos::get);
    var step =
        new Measured(JOB, Optional.of(StepId.of(0)), OptionalLong.empty(), NOON, new Measures());
    step.measures().put(Measure.CPU_SYSTEM, 1_000_001);
    known.update(step);
    known.begin();
    known.end();
    Map<String, Double> page = OpenMetrics.parse(page(known, "", true));
    assertEquals(
        1.000001,
        page.get("rollcall_step_cpu_seconds_total{job=\"42\",step=\"0\",mode=\"system\"}"));
    assertTrue(page.containsKey("rollcall_step_end_timestamp_seconds{job=\"42\",step=\"0\"}"));
  }

  @Test
  void namesWithQuotesLinesAndSixtyFourKibibytesAreLabelsLikeOthers() {
    var known = new KnownSeries(nanos::get);
    String evil = "a\"} 1\nrollcall_job_info{job=\"1\\\r\u0000\ud800é" + "x".repeat(65_536);
    known.enter(
        job(42), Map.of("SLURM_JOB_ACCOUNT", evil, "SLURM_JOB_PARTITION", "", "OTHER", evil), OPEN);
    String page = page(known, evil, true);
    Map<String, Double> series = OpenMetrics.parse(page);
    assertEquals(1, series.keySet().stream().filter(it -> it.contains("job_info")).count());
    assertTrue(page.contains("account=\"a\\\"} 1\\nrollcall_job_info{job=\\\"1\\\\???éxxx"), page);
    assertTrue(page.length() < 2_000, page);
    assertFalse(page.contains("partition"), page);
  }

  @Test
  void tenThousandJobsInABurstLeaveRoomAndAreCounted() {
    var known = new KnownSeries(nanos::get);
    known.begin();
    long entered =
        IntStream.rangeClosed(1, 10_000).filter(id -> known.enter(job(id), Map.of(), OPEN)).count();
    assertEquals(KnownSeries.MOST, entered);
    assertEquals(0, known.dropped());
    // Those that ended give way to those that run, the oldest first.
    known.begin();
    known.end();
    assertTrue(known.enter(job(20_000), Map.of(), OPEN));
    assertEquals(1, known.dropped());
    assertEquals(KnownSeries.MOST, known.all().size());
    assertEquals("job=\"2\"", known.all().getFirst().labels);
    for (int id = 30_000; id < 30_010; id++) {
      known.settle(measured(new JobId(id), NOON, Measure.CPU_USER, 1), NOON);
    }
    assertEquals(11, known.dropped());
    assertEquals(KnownSeries.MOST, known.all().size());
  }

  @Test
  void stepsAndSessionsLeaveRoomForJobs() {
    var known = new KnownSeries(nanos::get);
    long steps =
        IntStream.range(0, 5_000)
            .filter(id ->
                known.update(
                    new Measured(
                        JOB,
                        Optional.of(StepId.of(id)),
                        OptionalLong.empty(),
                        NOON,
                        new Measures())))
            .count();
    assertEquals(3_072, steps);
    assertTrue(known.enter(job(42), Map.of(), OPEN));
  }

  /** What ended has none: its GPU may be another job's. */
  @Test
  void theGpusOfAJobThatRunsAreSeries() throws IOException {
    FakeGpus.nvidia(root, "0000:3b:00.0", 3, "GPU-b614723c-e261-4605-066e-79daab4c00ff");
    begin(JOB, NOON, Map.of("SLURM_JOB_GPUS", "3,7", "CUDA_VISIBLE_DEVICES", "0,1"));
    begin(new JobId(44), NOON, Map.of("CUDA_VISIBLE_DEVICES", "MIG-\\" + "x".repeat(4_000)));
    assertEquals(
        Set.of(
            "rollcall_job_device_info{job=\"42\",device=\"nvidia3\",minor=\"3\","
                + "uuid=\"GPU-b614723c-e261-4605-066e-79daab4c00ff\"}",
            "rollcall_job_device_info{job=\"42\",device=\"7\"}",
            "rollcall_job_device_info{job=\"44\",uuid=\"MIG-\\\\" + "x".repeat(123) + "\"}"),
        devices());
    jobs.end(JOB, Duration.ZERO);
    assertEquals(1, devices().size());
  }

  @Test
  void thePageHasAtMost4096Gpus() {
    for (int id = 1; id <= 70; id++) {
      begin(new JobId(id), NOON, Map.of("SLURM_JOB_GPUS", "0-9999"));
    }
    assertEquals(4_096, devices().size());
  }

  private Set<String> devices() {
    return scrape().keySet().stream()
        .filter(it -> it.startsWith("rollcall_job_device_info"))
        .collect(Collectors.toSet());
  }

  @Test
  void callsOfAJobToAWatchedPortAreCountedAndCgroupsOfNoneAreForgotten() {
    String name = "rollcall_job_calls_total{job=\"42\",service=\"license\"}";
    begin(JOB, NOON, Map.of());
    var program = jobs.start("solver");
    jobs.enter(program, new JobStep(JOB, StepId.of(0)));
    CgroupIds its = jobs.cgroupsOf(program.ref());
    var stranger = new PortCalls(new CgroupIds(77, 0), 27_000, 1_000_000);
    source.counted(stranger);
    source.counted(new PortCalls(its, 27_000, 5));
    assertEquals(5, scrape().get(name));
    assertFalse(source.watchedCalls().orElseThrow().calls().contains(stranger));
    source.counted(new PortCalls(its, 27_000, 8));
    series.countCalls();
    Map<String, Double> page = scrape();
    assertEquals(8, page.get(name));
    assertEquals(3, page.get("rollcall_job_calls_uncounted_total"));
    JobSeries ofTheNextAgent = of(MeasureDepth.JOBS);
    ofTheNextAgent.countCalls();
    assertEquals(8, OpenMetrics.parse(text(ofTheNextAgent.page("openmetrics"))).get(name));
    // What comes before the end is read after it.
    source.counted(new PortCalls(its, 27_000, 9));
    jobs.end(JOB, Duration.ZERO);
    assertEquals(9, scrape().get(name));
    assertEquals(List.of(), source.watchedCalls().orElseThrow().calls());
    assertEquals(9, scrape().get(name));
  }

  @Test
  void cgroupsOfNoJobThatAreNotKnownYetLoseTheirPlacesWhereTheyAreMany() {
    jobs.forgetful(true);
    for (int cgroup = 1; cgroup <= 4_096; cgroup++) {
      source.counted(new PortCalls(new CgroupIds(cgroup, 0), 27_000, 1));
    }
    series.countCalls();
    assertEquals(4_096, source.watchedCalls().orElseThrow().calls().size());
    source.counted(new PortCalls(new CgroupIds(5_000, 0), 27_000, 1));
    series.countCalls();
    assertEquals(List.of(), source.watchedCalls().orElseThrow().calls());
  }

  @Test
  void withoutJobsThePageIsOne() {
    assertEquals(0, scrape().get("rollcall_job_series_left_out"));
  }

  @Test
  void onlyWhatIsWantedIsMeasured() {
    begin(JOB, NOON, Map.of());
    String page = text(of(MeasureDepth.JOBS).page("text/plain"));
    assertFalse(page.contains("rollcall_step_"), page);
    assertFalse(page.endsWith("# EOF\n"), page);
  }

  @Test
  void theNamesOfCgroupExporterHaveJobsAndStepsApart() {
    begin(JOB, NOON, Map.of());
    jobs.adopt(jobs.start("sshd"), JOB, ALICE);
    jobs.used(JOB, Duration.ofMillis(1_500));
    var exporter = of(MeasureDepth.SESSIONS, SeriesNames.CGROUP_EXPORTER);
    Map<String, Double> page =
        OpenMetrics.parse(text(exporter.page("application/openmetrics-text")));
    assertEquals(1_001, page.get("cgroup_uid{jobid=\"42\"}"));
    String total = "cgroup_cpu_total_seconds{jobid=\"42\",step=\"%s\",task=\"\"}";
    assertEquals(1.5, page.get(total.formatted("")));
    assertEquals(0, page.get(total.formatted("extern")));
    assertEquals(2, page.keySet().stream().filter(it -> it.startsWith("cgroup_cpu_total")).count());
    assertFalse(page.toString().contains("rollcall_job_info"), page::toString);
    assertEquals(0, page.get("rollcall_job_series_left_out"));
  }

  @Test
  void everyMetricIsDocumented() throws IOException {
    var documented = new TreeSet<String>();
    Pattern.compile("(?m)^\\| `rollcall_job_([a-z_]+)` \\|")
        .matcher(Files.readString(Path.of("../../docs/job-metrics.md")))
        .results()
        .forEach(row -> documented.add(row.group(1)));
    Family.ALL.forEach(family -> assertTrue(documented.remove(family.name()), family.name()));
    assertEquals(
        Set.of(
            "info",
            "device_info",
            "calls_total",
            "calls_uncounted_total",
            "begin_timestamp_seconds",
            "end_timestamp_seconds",
            "series_left_out",
            "series_dropped_total"),
        documented);
  }

  /** Every family of it, as Prometheus' own check has it. */
  @Test
  void promtoolHasNothingToSay() throws Exception {
    var known = new KnownSeries(nanos::get);
    known.enter(job(42), Map.of("SLURM_JOB_ACCOUNT", "chem \"x\"\n", "SLURM_JOB_GPUS", "0"), OPEN);
    for (Measure each : Measure.values()) {
      known.update(measured(JOB, NOON, each, 1));
    }
    known.settle(measured(new JobId(43), NOON, Measure.CPU_USER, 1), NOON.plusSeconds(1));
    Process promtool = new ProcessBuilder("promtool", "check", "metrics").start();
    try (var in = promtool.getOutputStream()) {
      in.write(page(known, "alice", false).getBytes(UTF_8));
    }
    String found =
        new String(promtool.getErrorStream().readAllBytes(), UTF_8)
            + new String(promtool.getInputStream().readAllBytes(), UTF_8);
    assertEquals("", found);
    assertEquals(0, promtool.waitFor());
    assertNull(OpenMetrics.parse(page(known, "alice", true)).get("rollcall_job"));
  }
}
