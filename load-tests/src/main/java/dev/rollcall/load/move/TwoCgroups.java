package dev.rollcall.load.move;

import dev.rollcall.load.bench.AtExit;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A process that is moved to and fro between two cgroups of its own. Leaves nothing. */
final class TwoCgroups implements AutoCloseable {
  private final Path top;
  private final Process process;
  private final RandomAccessFile one;
  private final RandomAccessFile other;
  private final AtExit atExit;
  private boolean toOther;

  /**
   * @param parent a directory of a cgroup hierarchy in which directories may be made
   */
  TwoCgroups(Path parent) throws IOException {
    top = parent.resolve("rollcall-bench-move-" + ProcessHandle.current().pid());
    Files.createDirectories(top.resolve("one"));
    Files.createDirectories(top.resolve("other"));
    one = new RandomAccessFile(top.resolve("one/cgroup.procs").toFile(), "rw");
    other = new RandomAccessFile(top.resolve("other/cgroup.procs").toFile(), "rw");
    process = new ProcessBuilder("sleep", "3600").start();
    atExit = AtExit.of(this::leave);
    write(one, Long.toString(process.pid()));
  }

  /** Nanoseconds of one move. */
  long move() throws IOException {
    toOther = !toOther;
    return write(toOther ? other : one, Long.toString(process.pid()));
  }

  /** Nanoseconds of a write that moves nobody: of the process to where it is. */
  long prepare() throws IOException {
    return write(toOther ? other : one, Long.toString(process.pid()));
  }

  private static long write(RandomAccessFile file, String pid) throws IOException {
    byte[] bytes = pid.getBytes(StandardCharsets.US_ASCII);
    long start = System.nanoTime();
    file.write(bytes);
    return System.nanoTime() - start;
  }

  @Override
  public void close() throws IOException {
    atExit.forget();
    remove();
  }

  private void leave() {
    try {
      remove();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove " + top, e);
    }
  }

  private void remove() throws IOException {
    process.destroyForcibly();
    try {
      process.waitFor(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    for (RandomAccessFile file : new RandomAccessFile[] {one, other}) {
      file.close();
    }
    Files.delete(top.resolve("one"));
    Files.delete(top.resolve("other"));
    Files.delete(top);
  }
}
