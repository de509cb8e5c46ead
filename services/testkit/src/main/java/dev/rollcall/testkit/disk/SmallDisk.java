package dev.rollcall.testkit.disk;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file system of 64 KiB over a directory, which can be filled and emptied. Needs root. */
public final class SmallDisk implements AutoCloseable {
  private static final int PAGE = 4_096;

  private final Path directory;

  private SmallDisk(Path directory) {
    this.directory = directory;
  }

  /**
   * @param directory that is there; it is covered until this is closed
   */
  public static SmallDisk over(Path directory) throws IOException {
    run("mount", "-t", "tmpfs", "-o", "size=64k,mode=755", "rollcall-test", directory.toString());
    return new SmallDisk(directory);
  }

  /** Leaves no page, so that no file gets longer than the end of its last page. */
  public void fill() throws IOException {
    byte[] page = new byte[PAGE];
    try (OutputStream to = Files.newOutputStream(filler())) {
      for (int pages = 0; pages < 64; pages++) {
        to.write(page);
      }
    } catch (IOException full) {
      return;
    }
    throw new IOException(directory + " is not full");
  }

  public void empty() throws IOException {
    Files.deleteIfExists(filler());
  }

  /** The file that fills it. */
  public Path filler() {
    return directory.resolve("filler");
  }

  /** Also where something has a file open. */
  @Override
  public void close() throws IOException {
    run("umount", "-l", directory.toString());
  }

  private static void run(String... command) throws IOException {
    Process process = new ProcessBuilder(command).inheritIO().start();
    try {
      if (process.waitFor() != 0) {
        throw new IOException(String.join(" ", command) + ": " + process.exitValue());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }
}
