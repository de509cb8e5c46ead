package dev.rollcall.load.scrape;

import dev.rollcall.jobs.container.ContainersConfig;
import dev.rollcall.jobs.own.EndRules;
import dev.rollcall.jobs.own.NativeJobs;
import dev.rollcall.jobs.own.NativeJobsConfig;
import dev.rollcall.jobs.tree.TreeConfig;
import dev.rollcall.jobs.tree.TreeConfig.Choice;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.load.bench.AtExit;
import dev.rollcall.load.bench.BenchFailedException;
import dev.rollcall.model.JobId;
import dev.rollcall.port.Jobs.AdoptResult;
import dev.rollcall.port.Jobs.BeginResult;
import dev.rollcall.port.Jobs.JobSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Own jobs in cgroups of their own, with a sleeping process each. Leaves nothing. */
final class ScrapedJobs implements AutoCloseable {
  private static final Path PROC = Path.of("/proc");
  private static final int USER = 1_001;
  private static final String BOOT = "bench";
  private static final Duration LONG = Duration.ofSeconds(20);

  private final Path state;
  private final Path root;
  private final NativeJobs jobs;
  private final List<Process> processes = new ArrayList<>();
  private final AtExit atExit;

  /**
   * @param root a cgroup of v2 that may be made
   */
  ScrapedJobs(Path root, int count) throws IOException {
    this.root = root;
    state = Files.createTempDirectory("rollcall-bench-scrape");
    new CgroupDirectory(root).create();
    jobs =
        NativeJobs.open(
            new NativeJobsConfig(
                new TreeConfig(Optional.of(root), Choice.V2, PROC),
                state,
                BOOT,
                NativeJobsConfig.Site.OPEN,
                EndRules.DEFAULTS,
                new ContainersConfig(
                    Optional.empty(),
                    Map.of(),
                    "bench",
                    BOOT,
                    state.resolve("run"),
                    state,
                    _ -> "",
                    _ -> {}),
                uid -> uid));
    atExit = AtExit.of(this::leave);
    for (int i = 1; i <= count; i++) {
      begin(new JobId(i));
    }
  }

  private void begin(JobId id) throws IOException {
    Process process = new ProcessBuilder("sleep", "3600").start();
    processes.add(process);
    var spec = new JobSpec(id, USER, USER, Instant.now());
    try (Pidfd pinned = Pidfd.open(new Proc(PROC), (int) process.pid()).orElseThrow()) {
      if (!(jobs.begin(spec) instanceof BeginResult.Begun)
          || !(jobs.adopt(pinned, id, USER) instanceof AdoptResult.Adopted)) {
        throw new BenchFailedException("job " + id + " does not begin (as root?)");
      }
    }
  }

  int count() {
    return processes.size();
  }

  NativeJobs jobs() {
    return jobs;
  }

  /** The directory of the jobs' directories. */
  Path scope() {
    return root.resolve("rollcall.scope");
  }

  @Override
  public void close() throws IOException {
    atExit.forget();
    remove();
  }

  private void leave() {
    try {
      remove();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove " + root, e);
    }
  }

  private void remove() throws IOException {
    jobs.list().forEach(job -> jobs.end(job.id(), LONG));
    processes.forEach(each -> each.destroyForcibly().onExit().join());
    jobs.close();
    for (CgroupDirectory each : new CgroupDirectory(root).tree().reversed()) {
      Files.deleteIfExists(each.path());
    }
    try (var files = Files.walk(state)) {
      for (Path each : files.toList().reversed()) {
        Files.delete(each);
      }
    }
  }
}
