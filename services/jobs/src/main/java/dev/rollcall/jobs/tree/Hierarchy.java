package dev.rollcall.jobs.tree;

import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.CgroupMount;
import dev.rollcall.linux.cgroup.JobPath;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;

/**
 * One hierarchy in which the jobs' directories stand.
 *
 * @param name as {@code /proc/PID/cgroup} has it: "" for v2, else one of its v1 controllers
 * @param scope the directory that holds the jobs' directories
 */
public record Hierarchy(String name, CgroupMount mount, CgroupDirectory scope) {
  public CgroupDirectory job(JobId id) {
    return scope.child(JobPath.directory(id));
  }

  /** What the tasks of a step live below; leaves are its children. */
  public CgroupDirectory user(JobStep step) {
    return job(step.job()).child(JobPath.directory(step.step())).child("user");
  }

  public CgroupDirectory leaf(JobStep step, String leaf) {
    return user(step).child(leaf);
  }

  /** The path that a process of this directory shows in {@code /proc/PID/cgroup}. */
  public String pathOf(CgroupDirectory directory) {
    return mount.pathOf(directory.path());
  }
}
