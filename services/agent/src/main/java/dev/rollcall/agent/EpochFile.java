package dev.rollcall.agent;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;

/**
 * The number of this run of the agent, which grows with each start. It is never below the time in
 * seconds: so it grows although the disk was full at an earlier start, and across boots too.
 */
final class EpochFile {
  private static final System.Logger LOG = System.getLogger(EpochFile.class.getName());

  private final Path file;
  private final InstantSource clock;

  EpochFile(Path stateDirectory, InstantSource clock) {
    this.file = stateDirectory.resolve("epoch");
    this.clock = clock;
  }

  /** The next number, written down. */
  long next() {
    long next = Math.max(last() + 1, clock.instant().getEpochSecond());
    try {
      write(next);
    } catch (IOException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "epoch " + next + " could not be written (" + e + "): the clock is used instead");
    }
    return next;
  }

  private long last() {
    try {
      return Long.parseLong(Files.readString(file).trim());
    } catch (IOException | NumberFormatException noneOrBroken) {
      return 0;
    }
  }

  /**
   * By a second file, so that a crash leaves the old number or the new one. On a full disk over the
   * old one, which has its block already: else, with a clock that went back, two runs would have
   * one number.
   */
  private void write(long number) throws IOException {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    try {
      write(fresh, number, StandardOpenOption.CREATE);
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      Files.deleteIfExists(fresh);
      if (!Files.exists(file)) {
        throw e;
      }
      write(file, number, StandardOpenOption.WRITE);
    }
  }

  private static void write(Path to, long number, StandardOpenOption how) throws IOException {
    try (var channel = FileChannel.open(to, StandardOpenOption.WRITE, how)) {
      byte[] text = (number + "\n").getBytes(US_ASCII);
      for (var left = ByteBuffer.wrap(text); left.hasRemaining(); ) {
        channel.write(left);
      }
      channel.truncate(text.length);
      channel.force(true);
    }
  }
}
