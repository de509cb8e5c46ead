package dev.rollcall.jobs.container;

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
import java.util.Set;

/**
 * What a job sees inside: arranged from within its new mount namespace, before anybody else is in
 * it.
 *
 * @param homes the job's directories, which it does not see
 * @param hidden mounts that it does not get
 */
record Interior(boolean shared, List<Fitting> fittings, List<Path> homes, List<Path> hidden) {
  private static final Path TOP = Path.of("/");
  private static final Set<MountFlag> SEALED =
      EnumSet.of(MountFlag.RO, MountFlag.NOSUID, MountFlag.NODEV, MountFlag.NOEXEC);

  /**
   * One private directory.
   *
   * @param source of its files; not used for memory
   */
  record Fitting(Path target, Path source, PrivateDirectory rules) {}

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
      Path base = directory.backing() instanceof Disk(Path own) ? own : rules.basePath();
      fittings.add(new Fitting(target, source(Homes.of(base, owner.job()), target), directory));
    }
    return fittings;
  }

  /** Slurm's name: every slash an underscore. */
  private static Path source(Path home, Path target) {
    return home.resolve(target.toString().replace('/', '_'));
  }

  /** Mounts all of it in the namespace of the calling thread. */
  void arrange(Sequence steps) throws ContainerException {
    Propagation how = shared ? Propagation.SLAVE : Propagation.PRIVATE;
    steps.step("make all mounts " + how, () -> Mount.propagateBelow(TOP, how));
    for (Fitting fitting : fittings) {
      arrange(steps, fitting);
    }
    for (Path home : homes) {
      steps.step("hide " + home, () -> Mount.tmpfs(home, SEALED, "size=4k,nr_inodes=2,mode=0"));
    }
    for (Path mount : hidden) {
      steps.step("drop " + mount, () -> Mount.detach(mount));
    }
  }

  private void arrange(Sequence steps, Fitting fitting) throws ContainerException {
    Path target = fitting.target();
    switch (fitting.rules().backing()) {
      case Disk _ -> {
        steps.step(
            "bind " + fitting.source() + " on " + target,
            () -> Mount.bind(fitting.source(), checked(target)));
        steps.step("restrict " + target, () -> restrict(fitting));
      }
      case Tmpfs(String data) ->
          steps.step(
              "mount tmpfs on " + target,
              () -> Mount.tmpfs(checked(target), fitting.rules().flags(), data));
    }
  }

  private static void restrict(Fitting fitting) throws IOException {
    // A remount sets all of them: those of the file system's own mount would be lost.
    Set<MountFlag> flags = EnumSet.copyOf(Mount.flagsOf(fitting.source()));
    flags.addAll(fitting.rules().flags());
    Mount.restrict(fitting.target().toRealPath(), flags);
  }

  private static Path checked(Path target) throws IOException {
    if (!Files.isDirectory(target)) {
      throw new IOException(target + (Files.exists(target) ? " is no directory" : " is not there"));
    }
    return RootPath.to(target);
  }
}
