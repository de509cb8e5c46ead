package dev.rollcall.jobs.slurm;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.model.JobId;
import dev.rollcall.port.SessionPlace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Finds the cgroups into which a step daemon puts the sessions of its job. Only directories that
 * the daemon has made count: where it has made none, nothing is known.
 *
 * <ul>
 *   <li>v1: the directory of the extern step, in each hierarchy that has one; below it {@code
 *       task_<n>}, which jobacct_gather/cgroup makes for memory and cpuacct (seen with 22.05.8)
 *   <li>v2: {@code step_extern/user/task_<n>} with jobacct_gather/cgroup, else {@code task_special}
 *       (by the sources of 22.05 to 26.05)
 * </ul>
 */
record SessionCgroups(SlurmCgroups cgroups) {
  private static final System.Logger LOG = System.getLogger(SessionCgroups.class.getName());
  private static final Pattern TASK = Pattern.compile("task_[0-9]{1,10}");
  private static final String FREEZER = "freezer";

  /** The hierarchy that identifies the job comes first. Empty if they are not known. */
  List<SessionPlace.Cgroup> of(JobId job) {
    try {
      Optional<Placement.Placed> place = cgroups.place(job);
      if (place.isEmpty()) {
        return List.of();
      }
      // Slurm finds a process that was not reported only by the freezer.
      return switch (place.get().hierarchy()) {
        case "" -> v2(place.get()).map(List::of).orElse(List.of());
        case FREEZER -> v1(place.get());
        default -> List.of();
      };
    } catch (IOException e) {
      LOG.log(
          WARNING,
          "cannot make or read the cgroups of sessions of job {0}: {1}",
          job,
          e.getMessage());
      return List.of();
    }
  }

  /** Whether the daemon makes what is missing with the first process that it takes. */
  boolean awaitFirst(JobId job) {
    try {
      Optional<Placement.Placed> place = cgroups.place(job);
      return place.isPresent() && awaitsFirst(place.get());
    } catch (IOException ends) {
      return false;
    }
  }

  boolean areFrozen(JobId job) {
    return cgroups.frozen(job);
  }

  private boolean awaitsFirst(Placement.Placed place) throws IOException {
    return switch (place.hierarchy()) {
      case "" -> {
        Optional<CgroupDirectory> users = cgroups.at("", place.users());
        yield users.isPresent() && tasks(users.get()).isEmpty() && special(users.get()).isEmpty();
      }
      case FREEZER -> !hasTaken(place);
      default -> false;
    };
  }

  private Optional<SessionPlace.Cgroup> v2(Placement.Placed place) throws IOException {
    Optional<CgroupDirectory> users = cgroups.at("", place.users());
    if (users.isEmpty()) {
      return Optional.empty();
    }
    List<CgroupDirectory> tasks = tasks(users.get());
    return switch (tasks.size()) {
      case 0 -> special(users.get()).map(it -> below("", it, place.users()));
      case 1 -> Optional.of(below("", tasks.getFirst(), place.users()));
      default -> Optional.empty();
    };
  }

  private static Optional<CgroupDirectory> special(CgroupDirectory users) {
    return Optional.of(users.child("task_special")).filter(CgroupDirectory::exists);
  }

  /** Empty if one of them is not known: a session is in all of them or in none. */
  private List<SessionPlace.Cgroup> v1(Placement.Placed place) throws IOException {
    if (!hasTaken(place)) {
      return List.of();
    }
    List<SessionPlace.Cgroup> found = new ArrayList<>();
    for (String controller : SlurmLayout.CONTROLLERS) {
      Optional<CgroupDirectory> extern = cgroups.at(controller, place.extern());
      List<CgroupDirectory> tasks = extern.isEmpty() ? List.of() : tasks(extern.get());
      if (tasks.size() > 1) {
        return List.of();
      }
      extern
          .map(it ->
              tasks.isEmpty()
                  ? new SessionPlace.Cgroup(
                      controller, it.path(), place.extern(), /* ownLeaf= */ false)
                  : below(controller, tasks.getFirst(), place.extern()))
          .ifPresent(found::add);
    }
    found.sort(Comparator.comparing(it -> !it.hierarchy().equals(place.hierarchy())));
    return found.isEmpty() || !found.getFirst().hierarchy().equals(place.hierarchy())
        ? List.of()
        : List.copyOf(found);
  }

  /**
   * Whether the daemon has put a process there: its own, until 24.11, or a session. With the first
   * one it makes what is missing; 26.05 has neither cpuacct nor a task before that.
   */
  private boolean hasTaken(Placement.Placed place) throws IOException {
    Optional<CgroupDirectory> step = cgroups.at(FREEZER, place.extern());
    if (step.isPresent() && !step.get().pids(1).isEmpty()) {
      return true;
    }
    for (String controller : SlurmLayout.CONTROLLERS) {
      Optional<CgroupDirectory> extern = cgroups.at(controller, place.extern());
      if (extern.isPresent() && !tasks(extern.get()).isEmpty()) {
        return true;
      }
    }
    return false;
  }

  private static List<CgroupDirectory> tasks(CgroupDirectory parent) throws IOException {
    return parent.children().stream().filter(it -> TASK.matcher(name(it)).matches()).toList();
  }

  private static SessionPlace.Cgroup below(
      String hierarchy, CgroupDirectory directory, String parent) {
    return new SessionPlace.Cgroup(
        hierarchy, directory.path(), parent + "/" + name(directory), /* ownLeaf= */ false);
  }

  private static String name(CgroupDirectory directory) {
    return directory.path().getFileName().toString();
  }
}
