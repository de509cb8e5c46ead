package dev.rollcall.jobs.slurm;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The paths by which Slurm's jobs are found.
 *
 * @param spool SlurmdSpoolDir, which need not exist yet
 * @param node the NodeName, with which the sockets' names begin
 * @param stateDirectory holds what the hooks told; made if missing
 * @param proc where procfs is mounted
 * @param patience for one conversation with a step daemon while a login waits
 * @param writeCgroups whether a process is moved by writing cgroup.procs when the step daemon does
 *     not answer. Slurm limits and kills it then, and does not account for it
 * @param runtimeDirectories where each job gets a directory for XDG_RUNTIME_DIR; empty: nowhere
 */
public record SlurmJobsConfig(
    Path spool,
    String node,
    Path stateDirectory,
    Path proc,
    Duration patience,
    boolean writeCgroups,
    Optional<Path> runtimeDirectories) {
  /** Within what PAM waits, and many times what a daemon takes. */
  public static final Duration PATIENCE = Duration.ofMillis(200);

  public SlurmJobsConfig(Path spool, String node, Path stateDirectory, boolean writeCgroups) {
    this(spool, node, stateDirectory, Path.of("/proc"), PATIENCE, writeCgroups, Optional.empty());
  }
}
