package dev.rollcall.jobs.tree;

import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.CgroupMount;
import dev.rollcall.linux.cgroup.JobPath;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.StepId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;

/**
 * A cgroup hierarchy with directories of jobs.
 *
 * @param name as {@code /proc/PID/cgroup} has it: "" for v2, else one of its v1 controllers
 * @param scope the directory that holds the jobs' directories
 */
public record Hierarchy(String name, CgroupMount mount, CgroupDirectory scope) {
  public boolean v2() {
    return mount.v2();
  }

  public CgroupDirectory job(JobId id) {
    return scope.child(JobPath.directory(id));
  }

  public CgroupDirectory step(JobStep step) {
    return job(step.job()).child(JobPath.directory(step.step()));
  }

  /** The directories of a job's steps that exist, without that of the extern step. */
  public List<CgroupDirectory> stepsBesideExtern(JobId id) throws IOException {
    CgroupDirectory extern = step(new JobStep(id, StepId.EXTERN));
    return job(id).children().stream().filter(child -> !child.equals(extern)).toList();
  }

  /** The parent of the leaves of a step. */
  public CgroupDirectory user(JobStep step) {
    return step(step).child("user");
  }

  public CgroupDirectory leaf(JobStep step, String leaf) {
    return user(step).child(leaf);
  }

  /** The path that a process of this directory shows in {@code /proc/PID/cgroup}. */
  public String pathOf(CgroupDirectory directory) {
    return mount.pathOf(directory.path());
  }

  /** Whether a new directory needs CPUs and memory nodes before a process can enter it. */
  public boolean cpusetV1() {
    return mount.controllers().contains("cpuset");
  }

  /** The processes of a job, without process 1 of its pid namespace, which the agent made. */
  public BitSet withoutFirstProcess(JobId job) throws IOException {
    BitSet pids = new BitSet();
    job(job).pidsBelow().forEach(pids::set);
    leaf(new JobStep(job, StepId.EXTERN), Leaves.CONTAINER).pidsBelow().forEach(pids::clear);
    return pids;
  }

  /** Makes a directory and what is missing above it, so that a process can be moved to it. */
  public void make(CgroupDirectory directory) throws IOException {
    if (!cpusetV1()) {
      directory.create();
      return;
    }
    Path parent = directory.path().getParent();
    if (parent != null && !directory.path().equals(mount.point())) {
      CgroupDirectory above = new CgroupDirectory(parent);
      if (!above.exists() || empty(above)) {
        make(above);
      }
      directory.create();
      inherit(above, directory);
    }
  }

  /**
   * Makes a child of a directory that should exist, in one step.
   *
   * @return whether the directory exists
   */
  boolean madeBelow(CgroupDirectory parent, String name) throws IOException {
    if (cpusetV1()) {
      boolean there = parent.exists();
      if (there) {
        make(parent.child(name));
      }
      return there;
    }
    // A task's or a session's leaf may be there, with another process in it.
    return parent.child(name).createBelow();
  }

  private static boolean empty(CgroupDirectory directory) throws IOException {
    return directory.has("cpuset.cpus") && directory.read("cpuset.cpus").isEmpty();
  }

  /** cpuset(7): a new cpuset of v1 has neither CPUs nor nodes, and takes no process. */
  private static void inherit(CgroupDirectory above, CgroupDirectory directory) throws IOException {
    for (String file : new String[] {"cpuset.cpus", "cpuset.mems"}) {
      if (directory.has(file) && directory.read(file).isEmpty()) {
        directory.write(file, above.read(file));
      }
    }
  }
}
