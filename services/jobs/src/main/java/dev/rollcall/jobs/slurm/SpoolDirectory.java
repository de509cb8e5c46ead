package dev.rollcall.jobs.slurm;

import static java.lang.System.Logger.Level.WARNING;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * SlurmdSpoolDir as it was listed last, and whether it may have changed since. Not thread-safe, but
 * for {@link #unreadable}.
 */
final class SpoolDirectory {
  private static final System.Logger LOG = System.getLogger(SpoolDirectory.class.getName());

  /** Far more than the precision of a file's times. */
  private static final Duration SAME_TIME = Duration.ofSeconds(2);

  private final Path path;
  private final String node;
  private final SlurmCounts counts;
  private SpoolListing last = SpoolListing.EMPTY;

  /** When the directory had last changed as it was listed; empty if that was just before. */
  private Optional<FileTime> changed = Optional.empty();

  private volatile Optional<String> unreadable = Optional.empty();

  SpoolDirectory(SlurmJobsConfig config, SlurmCounts counts) {
    this.path = config.spool();
    this.node = config.node();
    this.counts = counts;
  }

  /** Lists it anew; empty if it cannot be listed. */
  Optional<SpoolListing> list() {
    changed = changeTime();
    try {
      SpoolListing now = SpoolListing.read(path, node);
      unreadable(Files.isDirectory(path) ? "" : "is no directory");
      foreign(now.foreign());
      last = now;
      return Optional.of(now);
    } catch (IOException e) {
      changed = Optional.empty();
      unreadable("cannot be listed: " + e);
      return Optional.empty();
    }
  }

  /** What was in it when it could be listed last. */
  SpoolListing last() {
    return last;
  }

  /** Whether a file may have come or gone since. */
  boolean mayHaveChanged() {
    Optional<FileTime> now = changeTime();
    return now.isEmpty() || !now.equals(changed);
  }

  /**
   * The directory's mtime, which changes when a file in it comes, goes or is replaced (inode(7)).
   * Empty if that was so recently that another change may have the same time.
   */
  private Optional<FileTime> changeTime() {
    try {
      FileTime time = Files.getLastModifiedTime(path);
      return Optional.of(time)
          .filter(it -> it.toInstant().isBefore(Clock.systemUTC().instant().minus(SAME_TIME)));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Without the directory it is not known which jobs are here. */
  private void unreadable(String why) {
    Optional<String> now =
        why.isEmpty()
            ? Optional.empty()
            : Optional.of("Slurm's spool directory " + path + " " + why);
    if (now.isPresent() && !now.equals(unreadable)) {
      LOG.log(WARNING, "the jobs of this node are unknown: {0}", now.get());
    }
    unreadable = now;
    counts.spoolUnreadable.set(now.isPresent() ? 1 : 0);
  }

  /** The reason why it is not known which jobs are here; empty if it is known. */
  Optional<String> unreadable() {
    return unreadable;
  }

  private void foreign(Set<String> sockets) {
    if (!sockets.isEmpty() && !sockets.equals(last.foreign())) {
      LOG.log(WARNING, "{0} has {1}, and this node is {2}", path, sockets, node);
    }
    counts.foreignSockets.set(sockets.size());
  }
}
