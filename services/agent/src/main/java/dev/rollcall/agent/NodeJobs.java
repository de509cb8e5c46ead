package dev.rollcall.agent;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.agent.AgentConfig.Fallback;
import dev.rollcall.agent.AgentConfig.JobProvider;
import dev.rollcall.agent.event.StageHealth;
import dev.rollcall.jobs.own.NativeJobs;
import dev.rollcall.jobs.own.NativeJobsConfig;
import dev.rollcall.jobs.slurm.SlurmCounts;
import dev.rollcall.jobs.slurm.SlurmJobs;
import dev.rollcall.jobs.slurm.SlurmJobsConfig;
import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.NodeName;
import dev.rollcall.port.Jobs;
import dev.rollcall.settings.CgroupConf;
import dev.rollcall.settings.SlurmConf;
import dev.rollcall.wire.grpc.limit.UidOwners;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The jobs of this node, from the provider that the configuration names or the node shows.
 *
 * @param cleanUp removes what ended sessions and unclean jobs left; may block
 * @param scope where all jobs are, if that is one place in the cgroup2 tree and known now
 * @param meters registers what the provider counts
 * @param trouble for people: what keeps jobs from being used, if anything does now
 * @param slurmSpool SlurmdSpoolDir; absent: the jobs are Rollcall's own
 */
record NodeJobs(
    String provider,
    Jobs jobs,
    Runnable cleanUp,
    Supplier<Optional<Path>> scope,
    Consumer<MeterRegistry> meters,
    Supplier<Optional<String>> trouble,
    Optional<Path> slurmSpool,
    Closeable closing) {
  private static final System.Logger LOG = System.getLogger(NodeJobs.class.getName());

  /** Less than the unit's TimeoutStartSec. */
  private static final Duration CONF_WITHIN = Duration.ofSeconds(60);

  /**
   * Waits for slurm.conf where the jobs are to be Slurm's.
   *
   * @throws IOException naming what is missing: Slurm's files, a hierarchy, the state directory
   */
  static NodeJobs open(AgentConfig config, NodeEpoch node)
      throws IOException, InterruptedException {
    Optional<SlurmJobsConfig> slurm = slurm(config, node.node());
    return slurm.isPresent() ? slurms(slurm.get()) : ours(config, node);
  }

  /** Cleans up, and answers how the jobs' provider is. May block. */
  StageHealth checked() {
    cleanUp.run();
    Optional<String> wrong = trouble.get();
    String detail = "jobs are " + provider + wrong.map(it -> "; " + it).orElse("");
    return new StageHealth("jobs", false, wrong.isEmpty(), detail);
  }

  /** Empty: the jobs are Rollcall's own. */
  private static Optional<SlurmJobsConfig> slurm(AgentConfig config, NodeName node)
      throws IOException, InterruptedException {
    if (config.provider() == JobProvider.NATIVE) {
      return Optional.empty();
    }
    AgentConfig.Slurm slurm = config.slurm();
    boolean wanted = config.provider() == JobProvider.SLURM;
    String name = slurm.nodeName().orElse(node.text());
    Optional<Path> spool = slurm.spoolDirectory();
    if (spool.isEmpty()) {
      Optional<Path> found = wanted ? SlurmConf.await(slurm.conf(), CONF_WITHIN) : SlurmConf.find();
      Optional<Path> file = slurm.conf().or(() -> found);
      if (file.isPresent()) {
        spool = Optional.of(SlurmConf.read(file.get()).spoolDirectory(name, HostName.ownShort()));
      }
    }
    if (wanted && spool.isEmpty()) {
      throw new IOException(
          "provider is slurm, but no slurm.conf is in a usual place: set slurm_conf or"
              + " slurm_spool_directory");
    }
    return spool
        .filter(it -> wanted || Files.isDirectory(it))
        .map(it ->
            new SlurmJobsConfig(
                it,
                name,
                config.stateDirectory(),
                Path.of("/proc"),
                SlurmJobsConfig.PATIENCE,
                slurm.fallback() == Fallback.CGROUP_WRITE,
                Optional.of(config.runDirectory().resolve("runtime"))
                    .filter(_ -> slurm.runtimeDirectory())));
  }

  private static NodeJobs slurms(SlurmJobsConfig config) throws IOException {
    SlurmJobs jobs = SlurmJobs.open(config);
    LOG.log(INFO, "jobs are Slurm''s, as node {0}, by {1}", config.node(), config.spool());
    return new NodeJobs(
        "Slurm's",
        jobs,
        jobs::reap,
        jobs::scope,
        registry -> register(registry, jobs.counts()),
        jobs::trouble,
        Optional.of(config.spool()),
        jobs::close);
  }

  /** What is counted where Slurm owns the jobs. */
  private static void register(MeterRegistry registry, SlurmCounts counts) {
    MeterRegistry.More of = registry.more();
    of.counter("rollcall.slurm.adoptions", Tags.empty(), counts.byRequest, LongAdder::sum);
    of.counter("rollcall.slurm.cgroup.writes", Tags.empty(), counts.byWriting, LongAdder::sum);
    of.counter("rollcall.slurm.sessions.reported", Tags.empty(), counts.reported, LongAdder::sum);
    of.counter(
        "rollcall.slurm.sessions.unreported", Tags.empty(), counts.unreported, LongAdder::sum);
    of.counter("rollcall.slurm.sessions.ended", Tags.empty(), counts.ended, LongAdder::sum);
    of.counter("rollcall.slurm.logins.frozen", Tags.empty(), counts.frozenLogins, LongAdder::sum);
    of.counter("rollcall.slurm.daemons.silent", Tags.empty(), counts.silent, LongAdder::sum);
    registry.gauge("rollcall.slurm.layouts.unknown", counts.unknownLayouts);
    registry.gauge("rollcall.slurm.sockets.foreign", counts.foreignSockets);
    registry.gauge("rollcall.slurm.spool.unreadable", counts.spoolUnreadable);
  }

  private static NodeJobs ours(AgentConfig config, NodeEpoch node) throws IOException {
    JobsHome home = JobsHome.open(config);
    NativeJobs jobs = NativeJobs.open(nativeJobs(config, home, node));
    return new NodeJobs(
        "Rollcall's",
        jobs,
        jobs::reap,
        jobs::scope,
        registry -> register(registry, jobs),
        Optional::<String>empty,
        Optional.empty(),
        () -> {
          jobs.close();
          home.close();
        });
  }

  /**
   * Registers the meters of Rollcall's own jobs.
   *
   * @param jobs a registry holds what it asks by a weak reference: an object that outlives it
   */
  private static void register(MeterRegistry registry, NativeJobs jobs) {
    registry.gauge("rollcall.container.removals.waiting", jobs, each -> each.removing().waiting());
    registry.gauge(
        "rollcall.container.removals.stuck", jobs, each -> each.removing().stuck().size());
    MeterRegistry.More of = registry.more();
    of.counter("rollcall.container.removed", Tags.empty(), jobs, each -> each.removing().removed());
    of.counter("rollcall.fuse.aborted", Tags.empty(), jobs, NativeJobs::abortedConnections);
  }

  private static NativeJobsConfig nativeJobs(AgentConfig config, JobsHome home, NodeEpoch node)
      throws IOException {
    config
        .limits()
        .cgroupConf()
        .map(CgroupConf::ignored)
        .filter(keys -> !keys.isEmpty())
        .ifPresent(keys ->
            LOG.log(WARNING, "cgroup_conf: keys without effect: " + String.join(", ", keys)));
    Path proc = Path.of("/proc");
    return new NativeJobsConfig(
        config.tree(home.root(), proc),
        config.stateDirectory(),
        node.bootId(),
        config.limits().site(proc),
        config.ends(),
        SiteContainers.of(config, node.node().text(), HostName.ownShort(), node.bootId()),
        UidOwners.ofHost()::of);
  }
}
