package dev.rollcall.jobs;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.jobs.container.ContainersConfig;
import dev.rollcall.jobs.container.JobContainers;
import dev.rollcall.jobs.container.Removals;
import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.jobs.tree.Leaves;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.StepId;
import dev.rollcall.port.JobNamespaces;
import dev.rollcall.port.StepContainer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
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

  void create(Job job, JobTree tree, Leaves leaves) throws IOException {
    if (containers.isEmpty()) {
      return;
    }
    List<Path> procs = List.of();
    if (containers.get().hasMore()) {
      JobStep extern = new JobStep(job.id(), StepId.EXTERN);
      leaves.makeLeaf(extern, Leaves.CONTAINER);
      procs =
          tree.hierarchies().stream()
              .map(each -> each.leaf(extern, Leaves.CONTAINER).procsFile())
              .toList();
    }
    containers.get().create(job.id(), job.uid(), job.gid(), procs);
  }

  JobNamespaces open(JobId job) throws IOException {
    return containers.isPresent() ? containers.get().open(job) : JobNamespaces.NONE;
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
      LOG.log(WARNING, "container of job {0}, which did not begin: {1}", job.id(), e.getMessage());
    }
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
