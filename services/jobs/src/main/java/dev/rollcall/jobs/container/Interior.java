package dev.rollcall.jobs.container;

import dev.rollcall.jobs.container.ContainerRules.Backing;
import dev.rollcall.jobs.container.ContainerRules.Disk;
import dev.rollcall.jobs.container.ContainerRules.PrivateDirectory;
import dev.rollcall.jobs.container.ContainerRules.Tmpfs;
import dev.rollcall.linux.mount.Mount;
import dev.rollcall.linux.mount.Mount.Propagation;
import dev.rollcall.linux.mount.MountFlag;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Arranges the view of a job from within its new mount namespace, before another process is in it.
 *
 * @param cgroups directories of cgroups, each with where it is seen instead of the whole hierarchy
 * @param homes the job's directories, which it does not see
 * @param dropped mounts that it does not get
 */
record Interior(
    boolean shared,
    List<Fitting> fittings,
    Narrowing narrowing,
    Map<Path, Path> cgroups,
    List<Path> homes,
    List<Path> dropped) {
  private static final Path TOP = Path.of("/");

  /** A directory outside of all hierarchies, for a moment. */
  private static final Path ASIDE = Path.of("/proc");

  /**
   * One private directory.
   *
   * @param source of its files; not used for memory
   * @param flags besides those of what it is on
   */
  record Fitting(Path target, Path source, Set<MountFlag> flags, Backing backing) {}

  Interior {
    fittings =
        fittings.stream()
            .sorted(Comparator.comparingInt(fitting -> fitting.target().getNameCount()))
            .toList();
  }

  /** The private directories of a job, each with its source below the job's homes. */
  static List<Fitting> fittings(ContainerRules rules, OwnerJob owner) {
    List<Fitting> fittings = new ArrayList<>();
    for (PrivateDirectory directory : rules.directories()) {
      Path target = directory.path().of(owner.job().toString(), owner.user());
      Path base = directory.backing() instanceof Disk disk ? disk.basePath() : rules.basePath();
      Path source = source(Homes.of(base, owner.job()), target);
      fittings.add(new Fitting(target, source, directory.flags(), of(directory.backing(), owner)));
    }
    rules.surroundings().runtimeDirectory().ifPresent(path -> fittings.add(runtime(path, owner)));
    return fittings;
  }

  /** As pam_systemd(8) makes one, and with as much of the memory. */
  private static Fitting runtime(Path path, OwnerJob owner) {
    Backing memory = of(new Tmpfs("size=10%", true), owner);
    return new Fitting(path, path, EnumSet.of(MountFlag.NOSUID, MountFlag.NODEV), memory);
  }

  private static Backing of(Backing backing, OwnerJob owner) {
    return backing instanceof Tmpfs(String data, boolean owners) && owners
        ? new Tmpfs(
            Stream.of(data, "mode=0700", "uid=" + text(owner.uid()), "gid=" + text(owner.gid()))
                .filter(word -> !word.isEmpty())
                .collect(Collectors.joining(",")))
        : backing;
  }

  private static String text(int id) {
    return Integer.toUnsignedString(id);
  }

  /** Slurm's name: every slash an underscore. */
  private static Path source(Path home, Path target) {
    return home.resolve(target.toString().replace('/', '_'));
  }

  /** Mounts all of it in the namespace of the calling thread. */
  void arrange(Sequence steps) throws ContainerException {
    Propagation how = shared ? Propagation.SLAVE : Propagation.PRIVATE;
    steps.step("make all mounts " + how, () -> Mount.propagateBelow(TOP, how));
    List<Path> targets = new ArrayList<>();
    for (Fitting fitting : fittings) {
      arrange(steps, fitting);
      targets.add(real(fitting.target()));
    }
    for (var cgroup : cgroups.entrySet()) {
      steps.step(
          "bind " + cgroup.getKey() + " on " + cgroup.getValue(),
          () -> show(cgroup.getKey(), cgroup.getValue()));
    }
    narrowing.restrict(steps, targets);
    narrowing.hide(steps);
    for (Path home : homes) {
      if (!narrowing.hides(home)) {
        steps.step("hide " + home, () -> Narrowing.seal(home));
      }
    }
    for (Path mount : dropped) {
      steps.step("drop " + mount, () -> Mount.detach(mount));
    }
  }

  private void arrange(Sequence steps, Fitting fitting) throws ContainerException {
    Path target = fitting.target();
    switch (fitting.backing()) {
      case Disk _ -> {
        steps.step(
            "bind " + fitting.source() + " on " + target,
            () -> Mount.bind(fitting.source(), checked(target)));
        steps.step("restrict " + target, () -> restrict(fitting));
      }
      case Tmpfs(String data, _) ->
          steps.step(
              "mount tmpfs on " + target,
              () -> Mount.tmpfs(checked(target), fitting.flags(), data));
    }
  }

  /**
   * Shows a cgroup in place of its hierarchy. The hierarchy's own mount goes: openjdk 17 takes the
   * first line of /proc/self/mountinfo for the mount point, and would miss the job's limits.
   */
  private static void show(Path cgroup, Path point) throws IOException {
    Mount.bind(cgroup, ASIDE);
    Mount.detach(point);
    Mount.move(ASIDE, point);
    Mount.restrict(point, Narrowing.SEALED);
  }

  private static void restrict(Fitting fitting) throws IOException {
    // A remount sets all of them: those of the file system's own mount would be lost.
    Set<MountFlag> flags = EnumSet.copyOf(Mount.flagsOf(fitting.source()));
    flags.addAll(fitting.flags());
    Mount.restrict(fitting.target().toRealPath(), flags);
  }

  private static Path real(Path target) throws ContainerException {
    try {
      return target.toRealPath();
    } catch (IOException e) {
      throw new ContainerException("mount on " + target, e);
    }
  }

  private static Path checked(Path target) throws IOException {
    if (!Files.isDirectory(target)) {
      throw new IOException(
          target + (Files.exists(target) ? " is not a directory" : " is not there"));
    }
    return RootPath.to(target);
  }
}
