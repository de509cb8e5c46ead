package dev.rollcall.model;

/**
 * Something of a job that is still on a node.
 *
 * @param name for people: the process by pid and command, the others by path
 */
public record Leftover(Kind kind, String name) {
  /** The kinds of things that a job has on a node. */
  public enum Kind {
    /** The agent's own entry: the job has not ended here. */
    JOB,
    PROCESS,
    CGROUP,
    /** A mounted file that keeps a namespace of the job's container. */
    NAMESPACE,
    /** A private directory, or what was moved aside of one and is being removed. */
    DIRECTORY
  }

  /** The agent's entry of a job, with its state. */
  public static Leftover of(Job job) {
    return new Leftover(Kind.JOB, "job " + job.id() + " is " + job.state());
  }

  /** A process by its pid and the kernel's short name of it. */
  public static Leftover of(JobProcess process) {
    return new Leftover(Kind.PROCESS, process.process().pid() + " (" + process.command() + ")");
  }
}
