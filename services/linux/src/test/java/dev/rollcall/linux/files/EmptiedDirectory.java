package dev.rollcall.linux.files;

import dev.rollcall.linux.files.TreeRemoval.Report;
import dev.rollcall.linux.mount.MountPoints;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;

/** Empties a directory by its path. */
public final class EmptiedDirectory {
  private EmptiedDirectory() {}

  /** As {@link TreeRemoval#empty}; where something is mounted, nothing above it is on the mount. */
  public static Report empty(Path directory, BooleanSupplier goesOn) throws IOException {
    Path outside = MountPoints.isRoot(directory) ? directory : directory.resolveSibling("");
    try (DirectoryHandle top = DirectoryHandle.open(directory);
        DirectoryHandle above = DirectoryHandle.open(outside)) {
      return TreeRemoval.empty(above, top, directory.toString(), goesOn, new LongAdder());
    }
  }
}
