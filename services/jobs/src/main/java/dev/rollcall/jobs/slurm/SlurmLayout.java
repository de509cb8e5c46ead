package dev.rollcall.jobs.slurm;

import dev.rollcall.linux.cgroup.ProcessCgroups;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Slurm's layouts of cgroups, anchored at the cgroup of a step daemon. Whatever stands before
 * Slurm's own part of the path (a slice, a container's prefix) was not arranged by a user, because
 * the daemon belongs to root, and the path is that of its own process.
 *
 * <ul>
 *   <li>v1: {@code <prefix>/slurm[_<node>]/uid_<u>/job_<j>/step_<s>}; the daemon is in the job's
 *       directory of the freezer, and in the step's of other controllers
 *   <li>v2: {@code <prefix>/[<node>_]slurmstepd.scope/<job>/step_<s>/slurm}, where {@code <job>} is
 *       {@code job_<j>} or, since 26.05, the job's SLUID: {@code s} and 13 characters
 * </ul>
 */
final class SlurmLayout {
  private static final Pattern V1 =
      Pattern.compile(
          "(?<job>(?:/.+)?/slurm(?:_[^/]+)?/uid_(?<uid>[0-9]+)/job_(?<id>[0-9]+))"
              + "(?:/step_(?<step>[^/]+))?(?:/task_[^/]+)?");

  private static final Pattern V2 =
      Pattern.compile(
          "(?<job>(?:/.+)?/(?:[^/]+_)?slurmstepd\\.scope/(?:job_(?<id>[0-9]+)|s[0-9A-Za-z]{13}))"
              + "/step_(?<step>[^/]+)/slurm");

  private static final Pattern V2_SESSION =
      Pattern.compile(
          "(?:/.+)?/(?:[^/]+_)?slurmstepd\\.scope/(?:job_(?<id>[0-9]+)|s[0-9A-Za-z]{13})"
              + "/step_extern/user/task_[^/]+");

  private static final Pattern V2_JOB =
      Pattern.compile("(?:/.+)?/(?:[^/]+_)?slurmstepd\\.scope/job_(?<id>[0-9]+)");

  private static final Pattern V1_WAITING = Pattern.compile("(?:/.+)?/slurm(?:_[^/]+)?/system");
  private static final Pattern V2_WAITING =
      Pattern.compile("(?:/.+)?/(?:[^/]+_)?slurmstepd\\.scope/system");

  /** The controllers of v1, the most reliable first: proctrack uses the freezer. */
  static final List<String> CONTROLLERS =
      List.of("freezer", "cpuset", "memory", "devices", "cpuacct");

  private SlurmLayout() {}

  /**
   * @param daemon the cgroups of the step's daemon
   * @param uid the job's owner, as the daemon says
   */
  static Placement of(ProcessCgroups daemon, JobStep step, int uid) {
    Optional<String> v2 = daemon.in(ProcessCgroups.V2);
    Optional<Placement> placed = v2.flatMap(path -> v2(path, step));
    for (String controller : CONTROLLERS) {
      placed =
          placed.or(() -> daemon.in(controller).flatMap(path -> v1(controller, path, step, uid)));
    }
    return placed.orElseGet(() -> otherwise(daemon, step));
  }

  private static Optional<Placement> v2(String path, JobStep step) {
    Matcher found = V2.matcher(path);
    if (!found.matches()
        || !isOrIsNotSaid(found.group("id"), step.job())
        || !found.group("step").equals(step.step().text())) {
      return Optional.empty();
    }
    String job = found.group("job");
    return Optional.of(new Placement.Placed(ProcessCgroups.V2, job, job + "/step_extern/user"));
  }

  private static Optional<Placement> v1(String controller, String path, JobStep step, int uid) {
    Matcher found = V1.matcher(path);
    if (!found.matches()
        || !found.group("id").equals(step.job().toString())
        || !found.group("uid").equals(Integer.toUnsignedString(uid))) {
      return Optional.empty();
    }
    String job = found.group("job");
    return Optional.of(new Placement.Placed(controller, job, job + "/step_extern"));
  }

  /**
   * Whether sessions of a job are at this path, by its names alone: for a job of which nothing else
   * is known any more. A SLUID may be any job's.
   *
   * @param hierarchy "" for v2, else a v1 controller
   */
  static boolean isExtern(String hierarchy, String path, JobId job) {
    if (hierarchy.equals(ProcessCgroups.V2)) {
      Matcher v2 = V2_SESSION.matcher(path);
      return v2.matches() && isOrIsNotSaid(v2.group("id"), job);
    }
    Matcher v1 = V1.matcher(path);
    return v1.matches()
        && v1.group("id").equals(job.toString())
        && "extern".equals(v1.group("step"));
  }

  /** Whether this is the path of a job's own cgroup, by its name. A SLUID names no job. */
  static boolean isJob(boolean v2, String path, JobId job) {
    Matcher found = (v2 ? V2_JOB : V1).matcher(path);
    return found.matches()
        && found.group("id").equals(job.toString())
        && (v2 || found.group("job").equals(path));
  }

  private static boolean isOrIsNotSaid(@Nullable String id, JobId job) {
    return id == null || id.equals(job.toString());
  }

  private static Placement otherwise(ProcessCgroups daemon, JobStep step) {
    boolean waits =
        daemon.in(ProcessCgroups.V2).filter(path -> V2_WAITING.matcher(path).matches()).isPresent()
            || CONTROLLERS.stream()
                .flatMap(each -> daemon.in(each).stream())
                .anyMatch(path -> V1_WAITING.matcher(path).matches());
    if (waits) {
      return new Placement.Waiting();
    }
    String found =
        new TreeMap<>(daemon.paths())
            .entrySet().stream()
                .map(line -> line.getKey() + ":" + line.getValue())
                .collect(Collectors.joining(" "));
    return new Placement.Unknown(
        "the daemon of step "
            + step
            + " is in the cgroups "
            + found
            + " which have no known layout");
  }
}
