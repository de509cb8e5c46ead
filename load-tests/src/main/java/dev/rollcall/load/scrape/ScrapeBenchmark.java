package dev.rollcall.load.scrape;

import com.sun.management.ThreadMXBean;
import dev.rollcall.agent.series.JobCalls;
import dev.rollcall.agent.series.JobSeries;
import dev.rollcall.agent.series.SeriesNames;
import dev.rollcall.agent.series.device.NodeGpus;
import dev.rollcall.linux.cgroup.CgroupMounts;
import dev.rollcall.load.bench.Bench;
import dev.rollcall.load.bench.BenchCase;
import dev.rollcall.load.bench.BenchFailedException;
import dev.rollcall.load.bench.Benchmark;
import dev.rollcall.load.bench.Figure;
import dev.rollcall.model.usage.MeasureDepth;
import dev.rollcall.testkit.calls.FakeCallSource;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * CPU time of a page of series of jobs, for each job, by turns with {@link PlainReader} on the same
 * jobs, on cgroup v2 with the controllers that this machine's has.
 */
public final class ScrapeBenchmark implements Benchmark {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final double MICRO = 1_000;
  private static final String TYPE = "text/plain; version=0.0.4";

  /** Reads or makes a page. */
  private interface Scrape {
    Object run() throws IOException;
  }

  @Override
  public String name() {
    return "scrape";
  }

  @Override
  public String about() {
    return "a scrape of the series of jobs: CPU for each job, beside a plain reader of cgroups";
  }

  @Override
  public List<BenchCase> run(Bench bench) {
    try {
      Path mount =
          CgroupMounts.read(Path.of("/proc"))
              .v2()
              .orElseThrow(() -> new BenchFailedException("cgroup2 is not mounted"))
              .point();
      Path root = mount.resolve("rollcall-bench-scrape-" + ProcessHandle.current().pid());
      var cases = new ArrayList<BenchCase>();
      int few = bench.count(100, 2);
      try (var jobs = new ScrapedJobs(root, few)) {
        bench.progress().accept(few + " jobs");
        var peer = Optional.of(new PlainReader(jobs.scope(), mount));
        cases.add(ofJobs(bench, few + " jobs", jobs, peer));
        cases.add(of(bench, few + " jobs, with steps and sessions", jobs));
      }
      int many = bench.count(1_000, 4);
      try (var jobs = new ScrapedJobs(root, many)) {
        bench.progress().accept(many + " jobs");
        cases.add(ofJobs(bench, "%,d jobs".formatted(many), jobs, Optional.empty()));
      }
      return cases;
    } catch (IOException e) {
      throw new BenchFailedException("cannot make or read cgroups (as root?): " + e, e);
    }
  }

  private static BenchCase ofJobs(
      Bench bench, String name, ScrapedJobs jobs, Optional<PlainReader> peer) throws IOException {
    JobSeries series = series(jobs, MeasureDepth.JOBS);
    int rounds = bench.count(30, 2);
    for (int i = 0; i < rounds; i++) {
      var _ = series.page(TYPE);
      if (peer.isPresent()) {
        var _ = peer.get().page();
      }
    }
    double[] ours = new double[rounds];
    double[] theirs = new double[rounds];
    long allocated = THREADS.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < rounds; i++) {
      var _ = series.page(TYPE);
    }
    allocated = THREADS.getCurrentThreadAllocatedBytes() - allocated;
    for (int i = 0; i < rounds; i++) {
      // By turns, so that both have what else the machine does.
      ours[i] = cpu(() -> series.page(TYPE)) / jobs.count();
      theirs[i] = peer.isEmpty() ? 0 : cpu(peer.get()::page) / jobs.count();
    }
    BenchCase measured =
        BenchCase.of(name, "us", Figure.ofSamples(ours))
            .withFact("page_ms", Figure.ofSamples(ours).value() * jobs.count() / MICRO)
            .withFact("allocated_bytes_of_a_job", allocated / rounds / jobs.count())
            .withFact("page_bytes", series.page(TYPE).length);
    return peer.isEmpty() ? measured : measured.withPeer(Figure.ofSamples(theirs));
  }

  private static BenchCase of(Bench bench, String name, ScrapedJobs jobs) throws IOException {
    JobSeries series = series(jobs, MeasureDepth.SESSIONS);
    double[] ours = new double[bench.count(20, 2)];
    for (int i = 0; i < 2 * ours.length; i++) {
      ours[i % ours.length] = cpu(() -> series.page(TYPE)) / jobs.count();
    }
    return BenchCase.of(name, "us", Figure.ofSamples(ours));
  }

  private static JobSeries series(ScrapedJobs jobs, MeasureDepth depth) {
    return new JobSeries(
        jobs.jobs(),
        depth,
        SeriesNames.ROLLCALL,
        "rollcall",
        _ -> "alice",
        new NodeGpus(Path.of("/"), System::nanoTime),
        new JobCalls(new FakeCallSource(), jobs.jobs(), Map.of()),
        System::nanoTime);
  }

  /** Microseconds of this thread's processor time. */
  private static double cpu(Scrape scrape) throws IOException {
    long start = THREADS.getCurrentThreadCpuTime();
    scrape.run();
    return (THREADS.getCurrentThreadCpuTime() - start) / MICRO;
  }
}
