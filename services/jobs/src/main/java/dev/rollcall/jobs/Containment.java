package dev.rollcall.jobs;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.jobs.container.ContainerRules;
import dev.rollcall.jobs.container.ContainersConfig;
import dev.rollcall.jobs.container.GivenVariables;
import dev.rollcall.jobs.container.JobContainers;
import dev.rollcall.jobs.container.OwnCgroups;
import dev.rollcall.jobs.container.Removals;
import dev.rollcall.jobs.tree.Hierarchy;
import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.jobs.tree.Leaves;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Leftover;
import dev.rollcall.model.StepId;
import dev.rollcall.port.JobNamespaces;
import dev.rollcall.port.Jobs.JobSpec;
import dev.rollcall.port.SessionPlace;
import dev.rollcall.port.StepContainer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The containers of jobs, where a node has any. */
record Containment(Optional<JobContainers> containers) implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Containment.class.getName());

  static Containment open(Optional<ContainersConfig> config) throws IOException {
    return new Containment(
        config.isPresent() ? Optional.of(JobContainers.open(config.get())) : Optional.empty());
  }

  void restore(Set<JobId> living) throws IOException {
    if (containers.isPresent()) {
      containers.get().restore(living);
    }
  }

  /**
   * Makes the job's container. Before controllers are passed on below the job's cgroup: after that
   * it can hold no process, not even one that makes namespaces.
   */
  void create(Job job, JobSpec spec, JobTree tree) throws IOException {
    if (containers.isEmpty()) {
      return;
    }
    Optional<ContainerRules> rules = containers.get().chosen(spec.container());
    if (rules.isPresent()) {
      OwnCgroups cgroups = rules.get().hasMore() ? cgroups(job.id(), tree) : OwnCgroups.NONE;
      var variables = GivenVariables.of(spec.allocation());
      containers.get().create(job, rules.get(), cgroups, variables);
    }
  }

  private static OwnCgroups cgroups(JobId job, JobTree tree) throws IOException {
    JobStep extern = new JobStep(job, StepId.EXTERN);
    List<Path> roots = new ArrayList<>();
    List<Path> leaves = new ArrayList<>();
    Map<Path, Path> shown = new HashMap<>();
    for (Hierarchy hierarchy : tree.hierarchies()) {
      CgroupDirectory own = hierarchy.job(job);
      CgroupDirectory leaf = hierarchy.leaf(extern, Leaves.CONTAINER);
      hierarchy.make(leaf);
      roots.add(own.procsFile());
      leaves.add(leaf.procsFile());
      shown.put(own.path(), hierarchy.mount().point());
    }
    return new OwnCgroups(roots, leaves, shown);
  }

  JobNamespaces open(JobId job) throws IOException {
    return containers.isPresent() ? containers.get().open(job) : JobNamespaces.NONE;
  }

  /**
   * Names the cgroups of the job's sessions. Empty if its container cannot be read: it is logged.
   */
  Optional<SessionPlace> sessionPlace(NativeJob job, JobTree tree) {
    try {
      SessionPlace.Container container =
          containers.isPresent()
              ? containers.get().ofSessions(job.id())
              : SessionPlace.Container.NONE;
      return Optional.of(new SessionPlace(sessions(job.id(), tree), job.setup(), container));
    } catch (IOException e) {
      LOG.log(WARNING, "cannot remove the container of job {0}: {1}", job.id(), e.getMessage());
      return Optional.empty();
    }
  }

  private static List<SessionPlace.Cgroup> sessions(JobId job, JobTree tree) {
    var extern = new JobStep(job, StepId.EXTERN);
    return tree.hierarchies().stream()
        .map(hierarchy -> {
          CgroupDirectory user = hierarchy.user(extern);
          return new SessionPlace.Cgroup(hierarchy.name(), user.path(), hierarchy.pathOf(user));
        })
        .toList();
  }

  StepContainer ofStep(JobId job) throws IOException {
    return containers.isPresent()
        ? new StepContainer(containers.get().files(job), containers.get().environment(job))
        : StepContainer.NONE;
  }

  void delete(Job job) throws IOException {
    if (containers.isPresent()) {
      containers.get().delete(job.id(), job.uid(), job.gid());
    }
  }

  /** Of a job that did not begin. What is in the way is logged. */
  void undo(Job job) {
    try {
      delete(job);
    } catch (IOException e) {
      LOG.log(
          WARNING,
          "cannot remove the container of job {0}, which did not start: {1}",
          job.id(),
          e.getMessage());
    }
  }

  List<Leftover> leftovers(JobId job) throws IOException {
    return containers.isPresent() ? containers.get().leftovers(job) : List.of();
  }

  Removals.Progress removing() {
    return containers
        .map(JobContainers::removing)
        .orElseGet(() -> new Removals.Progress(0, 0, List.of()));
  }

  @Override
  public void close() {
    containers.ifPresent(JobContainers::close);
  }
}
