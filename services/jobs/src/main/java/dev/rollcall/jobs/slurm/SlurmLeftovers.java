package dev.rollcall.jobs.slurm;

import dev.rollcall.jobs.tree.Census;
import dev.rollcall.linux.KernelText;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.CgroupMount;
import dev.rollcall.linux.cgroup.CgroupMounts;
import dev.rollcall.linux.mount.MountPoints;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.JobId;
import dev.rollcall.model.Leftover;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds what a job of Slurm's left on the node: cgroups by their names, at most {@link Census#MOST}
 * processes in them, and the namespace that job_container/tmpfs or namespace/linux keeps mounted.
 * Needs no memory of the job. A cgroup that is named by a SLUID shows no job number, so only {@code
 * known} finds it.
 */
record SlurmLeftovers(CgroupMounts mounts, Proc procfs) {
  /** Slices above slurmstepd.scope, or slurm/uid_N above a job, below a container's prefix. */
  private static final int DEEPEST = 7;

  private static final Object ROOT = 0;
  private static final String KEPT = ".ns";

  /**
   * @param known the job's cgroup, while the agent knows it
   */
  List<Leftover> of(JobId job, Optional<Path> known) throws IOException {
    Set<Path> cgroups = new TreeSet<>();
    known.ifPresent(cgroups::add);
    for (CgroupMount mount : mounts.all()) {
      cgroups.addAll(cgroups(mount, job));
    }
    Set<Integer> pids = new TreeSet<>();
    List<Leftover> left = new ArrayList<>();
    for (Path cgroup : cgroups) {
      if (Files.isDirectory(cgroup)) {
        pids.addAll(new CgroupDirectory(cgroup).pidsBelow(Census.MOST - pids.size()));
        left.add(new Leftover(Leftover.Kind.CGROUP, cgroup.toString()));
      }
    }
    pids.forEach(pid ->
        left.add(new Leftover(Leftover.Kind.PROCESS, pid + " (" + procfs.command(pid) + ")")));
    namespaces(job).forEach(it -> left.add(new Leftover(Leftover.Kind.NAMESPACE, it)));
    return List.copyOf(left);
  }

  private static List<Path> cgroups(CgroupMount mount, JobId job) throws IOException {
    List<Path> found = new ArrayList<>();
    Files.walkFileTree(
        mount.point(),
        EnumSet.noneOf(java.nio.file.FileVisitOption.class),
        DEEPEST,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
              throws IOException {
            if (SlurmLayout.isJob(mount.v2(), mount.pathOf(directory), job)) {
              found.add(directory);
              return FileVisitResult.SKIP_SUBTREE;
            }
            return isRoots(directory) ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException gone) {
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException gone) {
            return FileVisitResult.CONTINUE;
          }
        });
    return found;
  }

  /** Users make as many cgroups as they like below those that were delegated to them. */
  private static boolean isRoots(Path directory) {
    try {
      return ROOT.equals(Files.getAttribute(directory, "unix:uid", LinkOption.NOFOLLOW_LINKS));
    } catch (IOException | UncheckedIOException gone) {
      return false;
    }
  }

  /** {@code BASE/[NODE/]JOB/.ns}, of type nsfs, in the mount namespace of the node. */
  private List<String> namespaces(JobId job) throws IOException {
    List<String> found = new ArrayList<>();
    String end = "/" + job + "/" + KEPT;
    for (String line : KernelText.lines(procfs.root().resolve("1/mountinfo"))) {
      String[] fields = line.split(" ", -1);
      boolean kept = line.contains(" - nsfs ");
      if (kept && fields.length > 4 && MountPoints.unescaped(fields[4]).contains(end)) {
        found.add(MountPoints.unescaped(fields[4]));
      }
    }
    return found;
  }
}
