package dev.rollcall.jobs.limits;

import static java.lang.System.Logger.Level.WARNING;
import static java.util.Objects.requireNonNull;

import dev.rollcall.jobs.tree.Controller;
import dev.rollcall.jobs.tree.Hierarchy;
import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.model.StepId;
import dev.rollcall.model.allocation.Limits;
import dev.rollcall.model.allocation.NumberList;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writes limits to the kernel, and checks whether they are still set. Under the job's lock. */
public final class Enforcement {
  private static final System.Logger LOG = System.getLogger(Enforcement.class.getName());

  private final JobTree tree;

  public Enforcement(JobTree tree) {
    this.tree = tree;
  }

  /** What was found in a file, for putting it back. */
  private record Change(CgroupDirectory directory, Hierarchy hierarchy, Setting old) {}

  /**
   * Makes a job's or step's limits so: all of them, or none.
   *
   * @param steps the limits of the job's steps, which bind what the job's own may be
   * @throws IOException naming the file, the value and why not; then nothing was changed
   */
  public void change(LimitTarget place, Limits before, Limits now, Map<StepId, Limits> steps)
      throws IOException {
    stepsFit(place, now, steps);
    List<Setting> settings = new ArrayList<>(settings(now));
    settings.removeAll(settings(before));
    List<Change> done = new ArrayList<>();
    try {
      for (Setting setting : settings) {
        check(place, setting);
      }
      // Some settings bind each other (v1's memory and memsw, quota and period): what is refused
      // at first is tried again when the others are there.
      List<Setting> refused = new ArrayList<>();
      for (Setting setting : settings) {
        try {
          done.add(written(place, setting, steps));
        } catch (IOException e) {
          refused.add(setting);
        }
      }
      for (Setting setting : refused) {
        done.add(written(place, setting, steps));
      }
    } catch (IOException e) {
      undo(place, done.reversed(), steps);
      throw e;
    }
  }

  /**
   * Lets an OOM kill of one process be one of all: memory.oom.group, Linux 4.19. Nothing where
   * memory is limited by v1, whose kernel side has no such thing.
   */
  public void endTogether(LimitTarget place) throws IOException {
    if (tree.identity().v2()) {
      Hierarchy hierarchy = hierarchy(place, Controller.MEMORY);
      if (hierarchy.v2()) {
        place.in(hierarchy).write("memory.oom.group", "1");
      }
    }
  }

  private List<Setting> settings(Limits limits) throws IOException {
    try {
      return Settings.of(limits, tree.identity().v2());
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static void stepsFit(LimitTarget place, Limits now, Map<StepId, Limits> steps)
      throws IOException {
    if (place.step().isPresent()) {
      return;
    }
    for (var step : steps.entrySet()) {
      fits("cpus", step.getKey(), step.getValue().cpus(), now.cpus());
      fits("mems", step.getKey(), step.getValue().mems(), now.mems());
    }
  }

  private static void fits(
      String what, StepId step, Optional<NumberList> own, Optional<NumberList> jobs)
      throws IOException {
    if (own.isEmpty() || jobs.isEmpty()) {
      return;
    }
    var beyond = own.get().numbers();
    beyond.andNot(jobs.get().numbers());
    if (!beyond.isEmpty()) {
      throw new IOException(
          "%s %s does not include all of step %s, which has %s"
              .formatted(what, jobs.get(), step, own.get()));
    }
  }

  private void check(LimitTarget place, Setting setting) throws IOException {
    Hierarchy hierarchy = hierarchy(place, setting.controller());
    new Ceiling(hierarchy).check(setting, place.in(hierarchy));
  }

  private Hierarchy hierarchy(LimitTarget place, Controller controller) throws IOException {
    return tree.with(controller, place.in(tree.identity()));
  }

  private Change written(LimitTarget place, Setting setting, Map<StepId, Limits> steps)
      throws IOException {
    Hierarchy hierarchy = hierarchy(place, setting.controller());
    CgroupDirectory directory = place.in(hierarchy);
    Setting old =
        setting.before(directory.has(setting.file()) ? directory.read(setting.file()) : "");
    write(hierarchy, directory, setting, place, steps);
    return new Change(directory, hierarchy, old);
  }

  private static void write(
      Hierarchy hierarchy,
      CgroupDirectory directory,
      Setting setting,
      LimitTarget place,
      Map<StepId, Limits> steps)
      throws IOException {
    if (setting.kind() != Setting.Kind.LIST || hierarchy.v2()) {
      directory.write(setting.file(), setting.value());
      return;
    }
    Map<Path, NumberList> own = new HashMap<>();
    if (place.step().isEmpty()) {
      steps.forEach((step, limits) -> {
        var list = setting.file().equals("cpuset.cpus") ? limits.cpus() : limits.mems();
        var there = new LimitTarget(place.job(), Optional.of(step)).in(hierarchy);
        list.ifPresent(it -> own.put(there.path(), it));
      });
    }
    new CpusetTree(directory, setting.file(), own).change(new NumberList(setting.value()));
  }

  private static void undo(LimitTarget place, List<Change> changes, Map<StepId, Limits> steps) {
    for (Change change : changes) {
      try {
        write(change.hierarchy, change.directory, emptied(change), place, steps);
      } catch (IOException e) {
        LOG.log(WARNING, "{0}: not restored: {1}", place, e.getMessage());
      }
    }
  }

  /**
   * A cpuset that has processes takes no empty list (ENOSPC): all that its parent has is as good.
   */
  private static Setting emptied(Change change) throws IOException {
    Setting old = change.old;
    if (old.kind() != Setting.Kind.LIST || !old.value().isEmpty()) {
      return old;
    }
    CgroupDirectory parent =
        new CgroupDirectory(requireNonNull(change.directory.path().getParent()));
    return old.before(parent.read(old.file() + ".effective"));
  }

  /** Adds the directory of v1's cpuset, if there is one, that has CPUs of its own. */
  public void ownCpus(LimitTarget place, Limits limits, Map<Path, NumberList> own) {
    for (Hierarchy hierarchy : tree.hierarchies()) {
      if (hierarchy.cpusetV1()) {
        limits.cpus().ifPresent(cpus -> own.put(place.in(hierarchy).path(), cpus));
      }
    }
  }

  /**
   * Puts back what is not as it should be.
   *
   * @return what was found, for people: file, value and what it is again
   * @throws IOException naming what cannot be put back
   */
  public List<String> restore(LimitTarget place, Limits limits, Map<StepId, Limits> steps)
      throws IOException {
    List<String> drifted = new ArrayList<>();
    for (Setting setting : settings(limits)) {
      Hierarchy hierarchy = seen(place, setting);
      CgroupDirectory directory = place.in(hierarchy);
      String content = directory.read(setting.file());
      if (!setting.isIn(content)) {
        write(hierarchy, directory, setting, place, steps);
        drifted.add(
            "%s was %s, is %s again"
                .formatted(
                    directory.path().resolve(setting.file()),
                    content.isEmpty() ? "empty" : content.replace('\n', ' '),
                    setting.value()));
      }
    }
    return drifted;
  }

  /** A controller that was taken away takes the file with it; only then is it enabled again. */
  private Hierarchy seen(LimitTarget place, Setting setting) throws IOException {
    Hierarchy identity = tree.identity();
    return identity.v2() && place.in(identity).has(setting.file())
        ? identity
        : hierarchy(place, setting.controller());
  }
}
