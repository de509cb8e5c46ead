package dev.rollcall.agent.series;

import dev.rollcall.agent.series.device.NodeGpus;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobState;
import dev.rollcall.model.usage.MeasureDepth;
import dev.rollcall.model.usage.Measured;
import dev.rollcall.model.usage.Measures;
import dev.rollcall.model.usage.UsageRecord;
import dev.rollcall.port.Jobs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** Measures the jobs of this node, and makes the page of their series. */
public final class JobSeries {
  private final Jobs jobs;
  private final MeasureDepth depth;
  private final SeriesNames names;
  private final String provider;
  private final IntFunction<String> user;
  private final NodeGpus gpus;
  private final JobCalls calls;
  private final KnownSeries known;

  /**
   * @param provider whose the jobs are, for people
   * @param user the name of a uid, empty if it has none; must not block
   */
  public JobSeries(
      Jobs jobs,
      MeasureDepth depth,
      SeriesNames names,
      String provider,
      IntFunction<String> user,
      NodeGpus gpus,
      JobCalls calls,
      LongSupplier nanos) {
    this.jobs = jobs;
    this.depth = depth;
    this.names = names;
    this.provider = provider;
    this.user = user;
    this.gpus = gpus;
    this.calls = calls;
    this.known = new KnownSeries(nanos);
    jobs.listen(new Changes());
  }

  /** On the thread that changed the job. */
  private final class Changes implements Jobs.Listener {
    @Override
    public void changed(Job job) {
      if (job.state() != JobState.CLOSED) {
        var _ = enter(job);
      }
      if (job.state() == JobState.CLOSING && !jobs.accounts()) {
        // There will be no last account; the cgroup may be there a moment longer.
        jobs.measure(job, depth, known::update);
      }
    }

    @Override
    public void mayEnd(Job job) {
      jobs.measure(job, depth, known::update);
    }

    @Override
    public void recorded(UsageRecord record) {
      if (record.ended().isPresent() && depth.has(MeasureDepth.of(record.kind()))) {
        known.settle(
            new Measured(
                record.job(),
                record.step(),
                record.session(),
                record.began(),
                Measures.of(record.usage())),
            record.ended().get());
      }
    }
  }

  /** Compresses fast: a scrape of 1,000 jobs is a megabyte of text. */
  private static final class Gzip extends GZIPOutputStream {
    Gzip(OutputStream out) throws IOException {
      super(out);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }

  /**
   * Measures all jobs, and returns their page in gzip. Reads files of cgroups: on a worker.
   *
   * @param type the content type of the page
   */
  public synchronized byte[] page(String type) {
    long left = measureAll();
    long uncounted = countCalls();
    var page = new ByteArrayOutputStream();
    try (var gzip = new Gzip(page)) {
      var text = new PageText(gzip, type.contains("openmetrics"));
      switch (names) {
        case ROLLCALL -> new JobPage(text, provider, user, gpus.known()).write(known.all());
        case CGROUP_EXPORTER -> new CgroupPage(text).write(known.all());
      }
      if (calls.watches()) {
        text.single(
            "rollcall_job_calls_uncounted_total",
            "Connections to watched services that were not counted, for lack of room",
            uncounted);
      }
      text.single(
          "rollcall_job_series_left_out",
          "Jobs, steps and sessions without series, for lack of room",
          left);
      text.single(
          "rollcall_job_series_dropped_total",
          "Those that ended and lost their series too early, likewise",
          known.dropped());
      text.end();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return page.toByteArray();
  }

  /** Adds the calls of jobs to watched services, as long as it is known whose they are. */
  public long countCalls() {
    return calls.read(known);
  }

  private boolean enter(Job job) {
    return known.enter(job, jobs.variables(job.id()), jobs.deviceRules(job.id()));
  }

  /** Returns how many have no series, for lack of room. */
  private long measureAll() {
    long[] left = {0};
    known.begin();
    for (Job job : jobs.list()) {
      if (enter(job)) {
        jobs.measure(job, depth, each -> left[0] += known.update(each) ? 0 : 1);
      } else {
        left[0]++;
      }
    }
    known.end();
    return left[0];
  }
}
