package dev.rollcall.jobs.slurm;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.CgroupFiles;
import dev.rollcall.linux.cgroup.CgroupIndex;
import dev.rollcall.linux.cgroup.CgroupMount;
import dev.rollcall.linux.cgroup.CgroupMounts;
import dev.rollcall.linux.cgroup.Freezer;
import dev.rollcall.linux.cgroup.JobPath;
import dev.rollcall.linux.cgroup.ProcessCgroups;
import dev.rollcall.model.CgroupIds;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Membership;
import dev.rollcall.model.StepId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/** The cgroups that Slurm made for the jobs here, and whose they are. Thread-safe. */
final class SlurmCgroups {
  private static final System.Logger LOG = System.getLogger(SlurmCgroups.class.getName());
  private static final Optional<Membership> NO_JOB = Optional.of(new Membership.NoJob());
  private static final String FREEZER = "freezer";

  /** The leaf of the step's daemon in v2. */
  private static final String DAEMON = "slurm";

  /** A task's cgroup below its job: step, user, task. */
  private static final int TASK = 3;

  /** The controllers of v1 that count. */
  private static final List<String> COUNTING =
      List.of("cpuacct", "memory", "pids", "blkio", "cpuset");

  private final CgroupMounts mounts;
  private final Map<JobId, Placement.Placed> places = new ConcurrentHashMap<>();
  private final Map<String, JobId> jobs = new ConcurrentHashMap<>();

  private volatile Optional<Path> scope = Optional.empty();

  // Ids of different hierarchies mean different cgroups.
  private final CgroupIndex inV2 = new CgroupIndex(this::jobDirectory, System::nanoTime);
  private final CgroupIndex inFreezer = new CgroupIndex(this::jobDirectory, System::nanoTime);

  SlurmCgroups(CgroupMounts mounts) {
    this.mounts = mounts;
  }

  /**
   * Learns where a job is.
   *
   * @throws IOException its cgroup is not below what is mounted here
   */
  void learn(JobId job, Placement.Placed place) throws IOException {
    CgroupDirectory directory = directory(place.hierarchy(), place.job());
    if (!directory.exists()) {
      throw new NoSuchFileException(directory.toString());
    }
    if (place.hierarchy().isEmpty()) {
      scope = Optional.ofNullable(directory.path().getParent());
    }
    places.put(job, place);
    jobs.put(key(place.hierarchy(), place.job()), job);
    directory.walk(
        TASK,
        each -> {
          String below = directory.path().relativize(each.path()).toString();
          index(each, place, new JobStep(job, JobPath.stepBelow(below)));
        });
  }

  /** The cgroup2 directory in which Slurm makes its jobs; empty before the first one is here. */
  Optional<Path> scope() {
    return scope.filter(Files::isDirectory);
  }

  /** Directories that come later are found by the index when it is asked for them. */
  private void index(CgroupDirectory directory, Placement.Placed place, JobStep step)
      throws IOException {
    if (place.hierarchy().isEmpty()) {
      inV2.add(directory, step);
    } else if (place.hierarchy().equals(FREEZER)) {
      inFreezer.add(directory, step);
    }
  }

  void forget(JobId job) {
    Placement.Placed place = places.remove(job);
    if (place != null) {
      jobs.remove(key(place.hierarchy(), place.job()), job);
    }
    inV2.forget(job);
    inFreezer.forget(job);
  }

  private static String key(String hierarchy, String path) {
    return hierarchy + ":" + path;
  }

  /** One that is not there for a job that is not known: nothing is found in it. */
  private CgroupDirectory jobDirectory(JobId job) {
    return place(job)
        .flatMap(place -> find(place.hierarchy(), place.job()))
        .orElse(new CgroupDirectory(Path.of("/nonexistent")));
  }

  /**
   * The directory of a path that {@code /proc/PID/cgroup} shows.
   *
   * @param hierarchy "" for v2, else a v1 controller
   */
  private CgroupDirectory directory(String hierarchy, String path) throws IOException {
    return find(hierarchy, path)
        .orElseThrow(() ->
            new IOException(
                "cgroup %s of %s is not visible in a mount"
                    .formatted(path, hierarchy.isEmpty() ? "cgroup2" : hierarchy)));
  }

  /**
   * The directory of a path in a hierarchy, if it is there.
   *
   * @param hierarchy "" for v2, else a v1 controller
   */
  Optional<CgroupDirectory> at(String hierarchy, String path) {
    return find(hierarchy, path).filter(CgroupDirectory::exists);
  }

  /** A hierarchy may be mounted more than once, each time with another part of it. */
  private Optional<CgroupDirectory> find(String hierarchy, String path) {
    return mounts.all().stream()
        .filter(mount -> shows(mount, hierarchy))
        .flatMap(mount -> directory(mount, path).stream())
        .findFirst();
  }

  private static boolean shows(CgroupMount mount, String hierarchy) {
    boolean its = hierarchy.isEmpty() ? mount.v2() : mount.controllers().contains(hierarchy);
    return its && !mount.root().startsWith("/..");
  }

  private static Optional<CgroupDirectory> directory(CgroupMount mount, String path) {
    try {
      return Optional.of(new CgroupDirectory(mount.directoryOf(path)));
    } catch (IllegalArgumentException elsewhere) {
      return Optional.empty();
    }
  }

  boolean exists(JobId job) {
    return jobDirectory(job).exists();
  }

  /** The job's own cgroup, in the hierarchy that is looked at; empty if the job is not known. */
  Optional<Path> directory(JobId job) {
    return Optional.of(jobDirectory(job))
        .filter(CgroupDirectory::exists)
        .map(CgroupDirectory::path);
  }

  /** The hierarchies as they were mounted at the agent's start. */
  CgroupMounts mounts() {
    return mounts;
  }

  /** The cgroup whose files change when the job is frozen or thawed; empty where none does. */
  Optional<Path> freezerDirectory(JobId job) {
    return place(job)
        .filter(place -> place.hierarchy().isEmpty() || place.hierarchy().equals(FREEZER))
        .flatMap(place -> find(place.hierarchy(), place.users()))
        .map(CgroupDirectory::path);
  }

  /** Whether the processes of the extern step are stopped, or about to be. */
  boolean frozen(JobId job) {
    Optional<CgroupDirectory> directory = freezerDirectory(job).map(CgroupDirectory::new);
    Optional<Freezer> freezer = directory.flatMap(Freezer::of);
    try {
      return freezer.isPresent() && freezer.get().asked(directory.get());
    } catch (IOException gone) {
      return false;
    }
  }

  /** Whether the last process of the extern step has ended. Only v2 says so. */
  boolean emptied(JobId job) {
    return freezerDirectory(job)
        .map(it -> new CgroupFiles(List.of(new CgroupDirectory(it))))
        .filter(it -> it.keyed("cgroup.events", "populated").orElse(1) == 0)
        .isPresent();
  }

  /** Every process of the job's steps, without Slurm's own daemons. */
  void processes(JobId job, int most, BiConsumer<Integer, StepId> each) throws IOException {
    var left = new AtomicInteger(most);
    for (CgroupDirectory step : jobDirectory(job).children()) {
      Optional<StepId> id = JobPath.stepOf(step.path().getFileName().toString());
      if (id.isEmpty()) {
        continue;
      }
      Path daemon = step.path().resolve(DAEMON);
      step.any(directory -> {
        if (!directory.path().equals(daemon)) {
          List<Integer> pids = directory.pids(left.get());
          pids.forEach(pid -> each.accept(pid, id.get()));
          left.addAndGet(-pids.size());
        }
        return left.get() == 0;
      });
    }
  }

  /** The steps of a job that have a cgroup, in no order that means something. */
  List<StepId> steps(JobId job) throws IOException {
    return jobDirectory(job).children().stream()
        .flatMap(each -> JobPath.stepOf(each.path().getFileName().toString()).stream())
        .toList();
  }

  /**
   * The cgroups that count the use of a job or step: one of v2, or those of the same path in v1's
   * hierarchies.
   */
  CgroupFiles files(JobId job, Optional<StepId> step) throws IOException {
    Placement.Placed place = places.get(job);
    if (place == null) {
      return new CgroupFiles(List.of());
    }
    String path = place.job() + step.map(each -> "/step_" + each).orElse("");
    List<CgroupDirectory> found = new ArrayList<>();
    for (String hierarchy : place.hierarchy().isEmpty() ? List.of("") : COUNTING) {
      if (hierarchy.isEmpty() || mounts.v1(hierarchy).isPresent()) {
        CgroupDirectory its = directory(hierarchy, path);
        if (its.exists()) {
          found.add(its);
        }
      }
    }
    return new CgroupFiles(found);
  }

  Optional<JobStep> stepOf(ProcessCgroups cgroups) {
    for (Map.Entry<String, String> line : cgroups.paths().entrySet()) {
      Optional<JobStep> step = stepOf(line.getKey(), line.getValue());
      if (step.isPresent()) {
        return step;
      }
    }
    return Optional.empty();
  }

  /** The job's path is the path itself or what is before one of its slashes. */
  Optional<JobStep> stepOf(String hierarchy, String path) {
    for (int end = path.length(); end > 0; end = path.lastIndexOf('/', end - 1)) {
      JobId job = jobs.get(key(hierarchy, path.substring(0, end)));
      if (job != null) {
        String below = end == path.length() ? "" : path.substring(end + 1);
        return Optional.of(new JobStep(job, JobPath.stepBelow(below)));
      }
    }
    return Optional.empty();
  }

  /** The step of a task by its cgroups' ids; empty if it is not known now. */
  Optional<Membership> find(CgroupIds cgroups) {
    Optional<Membership> v2 = inV2.find(cgroups.v2());
    Optional<Membership> v1 = inFreezer.find(cgroups.v1());
    if (v2.flatMap(Membership::jobStep).isPresent() || v1.equals(NO_JOB)) {
      return v2;
    }
    return v1.flatMap(Membership::jobStep).isPresent() ? v1 : Optional.empty();
  }

  /**
   * Moves a process into the extern step in every hierarchy that has one of the same path.
   *
   * @throws IOException naming the file and the pid
   */
  void write(JobId job, int pid) throws IOException {
    Placement.Placed place = places.get(job);
    if (place == null) {
      throw new IOException("job " + job + " has no cgroup that is known");
    }
    if (place.hierarchy().isEmpty()) {
      // No process may be in an inner cgroup, cgroups(7). It is where Slurm itself puts those
      // that are no task.
      CgroupDirectory leaf = directory("", place.users()).child("task_special");
      leaf.create();
      leaf.add(pid);
      return;
    }
    for (String controller : SlurmLayout.CONTROLLERS) {
      if (mounts.v1(controller).isPresent()) {
        CgroupDirectory extern = directory(controller, place.extern());
        if (extern.exists()) {
          extern.add(pid);
        }
      }
    }
  }

  /** Moves a process back where it was. Logs what the kernel refuses. */
  void writeBack(int pid, ProcessCgroups to) {
    to.paths()
        .forEach((hierarchy, path) -> {
          try {
            CgroupDirectory before = directory(hierarchy, path);
            if (!before.pids().contains(pid)) {
              before.add(pid);
            }
          } catch (IOException e) {
            LOG.log(
                WARNING,
                "process {0} is not moved back: {1}",
                Integer.toString(pid),
                e.getMessage());
          }
        });
  }

  Optional<Placement.Placed> place(JobId job) {
    return Optional.ofNullable(places.get(job));
  }
}
