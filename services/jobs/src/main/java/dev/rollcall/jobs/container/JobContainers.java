package dev.rollcall.jobs.container;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.Leftover;
import dev.rollcall.model.NamespaceType;
import dev.rollcall.port.JobNamespaces;
import dev.rollcall.port.SessionPlace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;

/**
 * Makes and removes the containers of this node's jobs. A container has no process of its own: a
 * file keeps its namespace beyond the life of the agent, and a mark on disk has its job, so that
 * the next agent finds it. Calls for one job must not overlap.
 */
public final class JobContainers implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(JobContainers.class.getName());

  private final ContainersConfig config;
  private final KnownBasePaths basePaths;
  private final Pins pins;
  private final Removals removals;
  private final Homes homes;
  private final SiteScripts scripts;
  private final QuotaUpkeep quotaUpkeep;
  private final HiddenPaths hiddenPaths;

  private JobContainers(ContainersConfig config, Pins pins, Removals removals) {
    this.config = config;
    this.pins = pins;
    this.removals = removals;
    this.homes = new Homes(config.node(), config.bootId(), removals);
    this.scripts = new SiteScripts(config.node());
    this.quotaUpkeep =
        QuotaUpkeep.of(
            config.all().stream()
                .flatMap(rules -> rules.limitedBasePaths().stream())
                .distinct()
                .toList());
    this.hiddenPaths = new HiddenPaths(pins);
    this.basePaths = new KnownBasePaths(config.stateDirectory().resolve("container-base-paths"));
  }

  /**
   * @throws IOException naming the path that cannot be used: the run directory or a base path
   */
  public static JobContainers open(ContainersConfig config) throws IOException {
    Removals removals = Removals.open(config.node(), InstantSource.system());
    try {
      return open(config, removals);
    } catch (IOException | RuntimeException e) {
      removals.close();
      throw e;
    }
  }

  /** With removals of this node that were opened already, and are closed with it. */
  static JobContainers open(ContainersConfig config, Removals removals) throws IOException {
    Pins pins = Pins.open(config.runDirectory().resolve("containers"), !config.all().isEmpty());
    var opened = new JobContainers(config, pins, removals);
    for (ContainerRules rules : config.all()) {
      for (Path base : rules.basePaths()) {
        Homes.require(base, rules.makesBasePath());
      }
      opened.basePaths.add(rules.basePaths());
      if (rules.surroundings().runtimeDirectory().isPresent()) {
        Files.createDirectories(rules.surroundings().runtimeDirectory().get());
      }
    }
    return opened;
  }

  /**
   * Keeps the containers of jobs that live, and removes those of a former boot and of jobs that
   * ended or never began while no agent was there. Directories without our mark stay. If one cannot
   * be removed, that is logged, and delays neither the others nor the agent's start.
   *
   * @throws IOException if it cannot be known what there is to remove
   */
  public void restore(Set<JobId> living) throws IOException {
    for (Path base : basePaths.all()) {
      removals.resume(base);
      try {
        homes.removeHalfMade(base);
        homes.in(base).stream()
            .filter(found -> !living.contains(found.job()) || !found.ofThisBoot())
            .forEach(found -> endFormer(found.job()));
      } catch (IOException e) {
        LOG.log(WARNING, "files of former jobs in {0} are not removed: {1}", base, e.toString());
      }
    }
    for (JobId job : pins.jobs()) {
      if (living.contains(job)) {
        watchHidden(job);
      } else {
        endFormer(job);
      }
    }
  }

  private void watchHidden(JobId job) {
    try {
      Optional<JobRules> rules = JobRules.read(pins.rules(job));
      if (rules.isPresent()) {
        hiddenPaths.resume(job, rules.get().hidden());
      }
    } catch (IOException e) {
      LOG.log(WARNING, "job {0} may see a hidden path: {1}", job, e.getMessage());
    }
  }

  private void endFormer(JobId job) {
    try {
      LOG.log(INFO, "job {0} no longer exists here: its container is removed", job);
      end(job);
    } catch (IOException e) {
      LOG.log(
          WARNING,
          "cannot remove the container of job {0}, which is not here: {1}",
          job,
          e.getMessage());
    }
  }

  /**
   * The rules for a job; empty: it gets no container.
   *
   * @param name which the job chose; empty: the standard one
   * @throws IOException naming those that may be chosen
   */
  public Optional<ContainerRules> chosen(Optional<String> name) throws IOException {
    return config.chosen(name);
  }

  /**
   * Makes a job's container.
   *
   * @param cgroups of the job; used where the rules {@link ContainerRules#hasMore}
   * @param variables for the site's scripts, as {@link GivenVariables} chooses them
   * @throws ContainerException naming the step that failed; nothing is left of it then
   */
  public void create(
      Job job, ContainerRules rules, OwnCgroups cgroups, Map<String, String> variables)
      throws ContainerException {
    OwnerJob owner = owner(job.id(), job.uid(), job.gid(), variables);
    new Creation(rules, homes, pins, scripts, hiddenPaths)
        .run(owner, cgroups, new Sequence(config.before()));
  }

  /** The standard one, if the site has any, where containers have mounts of their own alone. */
  public void create(JobId job, int uid, int gid) throws ContainerException {
    if (config.rules().isPresent()) {
      var begun = new Job(job, uid, gid, Instant.EPOCH, JobState.BEGINNING);
      create(begun, config.rules().get(), OwnCgroups.NONE, Map.of());
    }
  }

  private OwnerJob owner(JobId job, int uid, int gid, Map<String, String> variables) {
    String name = config.userNames().apply(uid);
    String user = name.isEmpty() ? Integer.toUnsignedString(uid) : name;
    return new OwnerJob(job, uid, gid, user, variables);
  }

  /**
   * Names what sessions of the job join.
   *
   * @throws IOException naming what is not there any more
   */
  public SessionPlace.Container ofSessions(JobId job) throws IOException {
    if (!pins.has(job)) {
      return SessionPlace.Container.NONE;
    }
    boolean owners = pins.keeps(job, NamespaceType.USER);
    return new SessionPlace.Container(
        owners ? List.of() : List.copyOf(kept(job).values()), environment(job), owners);
  }

  /**
   * Opens the job's namespaces; none if it has no container.
   *
   * @throws IOException naming what is not there any more
   */
  public JobNamespaces open(JobId job) throws IOException {
    if (!pins.has(job)) {
      return JobNamespaces.NONE;
    }
    if (pins.keeps(job, NamespaceType.USER)) {
      return new JobNamespaces.OwnersAlone(pins.of(job), environment(job));
    }
    List<Opened.One> opened = new ArrayList<>();
    try {
      for (Map.Entry<NamespaceType, Path> each : kept(job).entrySet()) {
        opened.add(new Opened.One(each.getKey(), Descriptor.open(each.getValue())));
      }
      return new Opened(opened, environment(job));
    } catch (IOException e) {
      opened.forEach(each -> each.descriptor().close());
      throw e;
    }
  }

  /** Variables of processes that are in the job's container. */
  public Map<String, String> environment(JobId job) throws IOException {
    Map<String, String> environment = new LinkedHashMap<>();
    Path file = pins.variables(job);
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        int equals = line.indexOf('=');
        environment.put(line.substring(0, equals), line.substring(equals + 1));
      }
    }
    return environment;
  }

  /** The files of the job's namespaces, by their names in /proc/PID/ns; in the order of joining. */
  public SequencedMap<String, Path> files(JobId job) throws IOException {
    SequencedMap<String, Path> files = new LinkedHashMap<>();
    kept(job).forEach((kind, file) -> files.put(kind.word(), file));
    return files;
  }

  private SequencedMap<NamespaceType, Path> kept(JobId job) throws IOException {
    SequencedMap<NamespaceType, Path> files = new LinkedHashMap<>();
    if (!pins.has(job)) {
      return files;
    }
    for (NamespaceType kind : NamespaceType.values()) {
      if (pins.keeps(job, kind)) {
        files.put(kind, pins.file(job, kind));
      } else if (kind == NamespaceType.MOUNT) {
        throw new IOException(pins.file(job, kind) + " has no namespace: it was unmounted");
      }
    }
    return files;
  }

  /**
   * Ends a job's container, when its processes are gone. Moves its directories aside now, and
   * removes them in the background.
   *
   * @throws IOException naming the obstacle; another call goes on from there
   */
  public void delete(JobId job, int uid, int gid) throws IOException {
    if (!pins.has(job)) {
      end(job);
      return;
    }
    try {
      Optional<JobRules> rules = JobRules.read(pins.rules(job));
      if (rules.isPresent() && rules.get().epilog().isPresent()) {
        config.before().accept("CloneNSEpilog");
        scripts.run(
            rules.get().epilog().get(),
            owner(job, uid, gid, rules.get().variables()),
            Homes.of(rules.get().basePath(), job),
            Optional.of(pins.file(job, NamespaceType.MOUNT)));
      }
    } catch (IOException e) {
      LOG.log(WARNING, "CloneNSEpilog of job {0}: {1}", job, e.getMessage());
    }
    end(job);
  }

  private void end(JobId job) throws IOException {
    hiddenPaths.forget(job);
    config.before().accept("drop the namespaces of job " + job);
    NamespaceMaker.kill(pins, job);
    pins.drop(job);
    for (Path base : basePaths.all()) {
      config.before().accept("remove " + Homes.of(base, job));
      homes.remove(base, job);
    }
  }

  /**
   * The remains of a job's container, also if the site has no containers any more.
   *
   * @throws IOException if a base path cannot be read
   */
  public List<Leftover> leftovers(JobId job) throws IOException {
    List<Leftover> left = new ArrayList<>();
    if (pins.has(job)) {
      left.add(new Leftover(Leftover.Kind.NAMESPACE, pins.of(job).toString()));
    }
    for (Path base : basePaths.all()) {
      for (Path directory : homes.left(base, job)) {
        left.add(new Leftover(Leftover.Kind.DIRECTORY, directory.toString()));
      }
    }
    return List.copyOf(left);
  }

  public Removals.Progress removing() {
    return removals.progress();
  }

  /** Containers stay; what is being removed goes on with the next agent. */
  @Override
  public void close() {
    quotaUpkeep.close();
    hiddenPaths.close();
    removals.close();
  }

  private record Opened(List<One> all, Map<String, String> environment) implements JobNamespaces {
    record One(NamespaceType kind, Descriptor descriptor) {}

    @Override
    public List<Namespace> inOrder() {
      return all.stream().map(one -> new Namespace(one.kind(), one.descriptor().number())).toList();
    }

    @Override
    public void close() {
      all.forEach(one -> one.descriptor().close());
    }
  }
}
