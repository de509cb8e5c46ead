package dev.rollcall.linux.cgroup;

import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.Xattr;
import java.util.Optional;

/**
 * Stores facts about a cgroup as extended attributes {@code trusted.rollcall.*} of its directory,
 * xattr(7), which only root sees. They live exactly as long as the cgroup, so that no file about it
 * can be stale. cgroup v1 and v2 keep them since Linux 3.7; inside of a user namespace they are
 * refused.
 */
public record CgroupNotes(CgroupDirectory directory) {
  private static final String PREFIX = "trusted.rollcall.";

  /** Notes it; what was noted under this name before is gone. */
  public void write(String name, String value) throws ErrnoException {
    Xattr.set(directory.path(), PREFIX + name, value);
  }

  /** Empty if nothing was noted under this name, or the cgroup is gone. */
  public Optional<String> read(String name) throws ErrnoException {
    return Xattr.get(directory.path(), PREFIX + name);
  }
}
