package dev.rollcall.jobs.own;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.jobs.container.ContainerRules;
import dev.rollcall.jobs.container.GivenVariables;
import dev.rollcall.jobs.container.JobContainers;
import dev.rollcall.jobs.container.OwnCgroups;
import dev.rollcall.jobs.tree.Hierarchy;
import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.jobs.tree.Leaves;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.StepId;
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

/** The containers of jobs, with what they need of the jobs' cgroups. */
record Containment(JobContainers containers, JobTree tree) {
  private static final System.Logger LOG = System.getLogger(Containment.class.getName());

  /**
   * Makes the job's container. Before controllers are passed on below the job's cgroup: after that
   * it can hold no process, not even one that makes namespaces.
   */
  void create(Job job, JobSpec spec) throws IOException {
    Optional<ContainerRules> rules = containers.chosen(spec.container());
    if (rules.isPresent()) {
      OwnCgroups cgroups = rules.get().hasMore() ? cgroups(job.id()) : OwnCgroups.NONE;
      var variables = GivenVariables.of(spec.allocation());
      containers.create(job, rules.get(), cgroups, variables);
    }
  }

  private OwnCgroups cgroups(JobId job) throws IOException {
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

  /**
   * Names the cgroups of the job's sessions. Empty if its container cannot be read: it is logged.
   */
  Optional<SessionPlace> sessionPlace(NativeJob job) {
    try {
      return Optional.of(
          new SessionPlace(sessions(job.id()), job.setup(), containers.ofSessions(job.id())));
    } catch (IOException e) {
      LOG.log(WARNING, "cannot remove the container of job {0}: {1}", job.id(), e.getMessage());
      return Optional.empty();
    }
  }

  private List<SessionPlace.Cgroup> sessions(JobId job) {
    var extern = new JobStep(job, StepId.EXTERN);
    return tree.hierarchies().stream()
        .map(hierarchy -> {
          CgroupDirectory user = hierarchy.user(extern);
          return new SessionPlace.Cgroup(hierarchy.name(), user.path(), hierarchy.pathOf(user));
        })
        .toList();
  }

  StepContainer ofStep(JobId job) throws IOException {
    return new StepContainer(containers.files(job), containers.environment(job));
  }

  void delete(Job job) throws IOException {
    containers.delete(job.id(), job.uid(), job.gid());
  }

  /** Removes the container of a job that did not begin. Logs what cannot be removed. */
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
}
