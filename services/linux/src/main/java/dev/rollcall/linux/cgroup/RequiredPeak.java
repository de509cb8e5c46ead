package dev.rollcall.linux.cgroup;

import static java.lang.System.Logger.Level.DEBUG;

import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Keeps the highest sample of a cgroup's anonymous and shared memory, for which the kernel has no
 * peak. The value is an extended attribute of the cgroup, so that it survives the agent.
 */
public final class RequiredPeak {
  private static final System.Logger LOG = System.getLogger(RequiredPeak.class.getName());
  private static final String NOTE = "required_peak";
  private static final String NUMBER = "[0-9]{1,18}";

  private RequiredPeak() {}

  /** Takes a sample. A cgroup that is gone, or whose memory is not counted, gets none. */
  public static void sample(CgroupFiles cgroup) {
    OptionalLong now = CgroupUsage.required(cgroup);
    if (now.isEmpty() || now.getAsLong() <= of(cgroup).orElse(-1)) {
      return;
    }
    Optional<CgroupDirectory> kept = keeper(cgroup);
    if (kept.isPresent()) {
      try {
        new CgroupNotes(kept.get()).write(NOTE, Long.toString(now.getAsLong()));
      } catch (IOException e) {
        LOG.log(DEBUG, "a sample of {0} is not kept: {1}", kept.get(), e.getMessage());
      }
    }
  }

  /** The highest sample so far; empty before the first. */
  static OptionalLong of(CgroupFiles cgroup) {
    Optional<CgroupDirectory> kept = keeper(cgroup);
    if (kept.isEmpty()) {
      return OptionalLong.empty();
    }
    try {
      Optional<String> noted =
          new CgroupNotes(kept.get()).read(NOTE).filter(it -> it.matches(NUMBER));
      return noted.isPresent()
          ? OptionalLong.of(Long.parseLong(noted.get()))
          : OptionalLong.empty();
    } catch (IOException e) {
      LOG.log(DEBUG, "cannot read the samples of {0}: {1}", kept.get(), e.getMessage());
      return OptionalLong.empty();
    }
  }

  private static Optional<CgroupDirectory> keeper(CgroupFiles cgroup) {
    return cgroup.directories().stream().findFirst();
  }
}
