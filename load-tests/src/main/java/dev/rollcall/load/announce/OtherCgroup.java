package dev.rollcall.load.announce;

import dev.rollcall.linux.cgroup.CgroupMount;
import dev.rollcall.linux.cgroup.CgroupMounts;
import dev.rollcall.load.bench.BenchFailedException;
import dev.rollcall.testkit.process.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A cgroup2 of this machine that is no node's. */
record OtherCgroup(Path path) implements AutoCloseable {
  private static final Duration EMPTY_WITHIN = Duration.ofMinutes(1);

  static OtherCgroup make() {
    try {
      Path mount =
          CgroupMounts.read(Path.of("/proc"))
              .v2()
              .map(CgroupMount::point)
              .orElseThrow(() -> new BenchFailedException("no cgroup2 hierarchy is mounted"));
      String name = "rollcall-bench-announce-" + ProcessHandle.current().pid();
      return new OtherCgroup(Files.createDirectory(mount.resolve(name)));
    } catch (IOException e) {
      throw new BenchFailedException("cannot make a cgroup (as root?): " + e.getMessage(), e);
    }
  }

  Path procs() {
    return path.resolve("cgroup.procs");
  }

  /** What was in it has ended; the kernel may need a moment to see so. */
  @Override
  public void close() {
    if (!Eventually.holds(EMPTY_WITHIN, this::isRemoved)) {
      throw new BenchFailedException("cannot remove " + path);
    }
  }

  private boolean isRemoved() {
    try {
      Files.deleteIfExists(path);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
