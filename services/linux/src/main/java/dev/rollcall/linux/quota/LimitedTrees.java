package dev.rollcall.linux.quota;

import dev.rollcall.linux.quota.TreeQuota.Tended;
import java.io.IOException;
import java.nio.file.Path;

/** Limits directories on one kind of file system. */
sealed interface LimitedTrees permits Subvolumes, Projects {
  /**
   * Makes a directory with a limit and mode 0700.
   *
   * @throws IOException without a path, which the caller puts before
   */
  void make(Path directory, TreeLimit limit) throws IOException;

  Tended tend(Path onIt) throws IOException;
}
