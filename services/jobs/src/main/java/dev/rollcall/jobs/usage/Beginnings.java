package dev.rollcall.jobs.usage;

import static java.lang.System.Logger.Level.DEBUG;

import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.CgroupNotes;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/** Stores the start time of steps and sessions at their cgroups, for a restarted agent. */
public final class Beginnings {
  private static final System.Logger LOG = System.getLogger(Beginnings.class.getName());
  private static final String NOTE = "began";

  private Beginnings() {}

  /** Notes it. Where the kernel takes no notes the job's start will do. */
  public static void note(CgroupDirectory cgroup, Instant began) {
    try {
      new CgroupNotes(cgroup).write(NOTE, began.toString());
    } catch (IOException e) {
      LOG.log(DEBUG, "the start time of {0} is not stored: {1}", cgroup, e.getMessage());
    }
  }

  static Optional<Instant> of(CgroupDirectory cgroup) {
    try {
      return new CgroupNotes(cgroup).read(NOTE).map(Instant::parse);
    } catch (IOException | DateTimeException e) {
      LOG.log(DEBUG, "cannot read the start time of {0}: {1}", cgroup, e.getMessage());
      return Optional.empty();
    }
  }
}
