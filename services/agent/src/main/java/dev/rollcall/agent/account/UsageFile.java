package dev.rollcall.agent.account;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rollcall.wire.lines.JsonLinesFile;
import dev.rollcall.wire.lines.LineMeters;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * The file of records: one line of JSON each. A line goes first into the spool in the state
 * directory, which is local: a full or hanging log directory costs neither a login nor a record,
 * and a line that was spooled is written even if the agent is killed. Lines that are in the file
 * when the agent starts are not written again.
 */
final class UsageFile implements AutoCloseable {
  private static final String SPOOL = "usage.spool";

  /** Lines that are kept while the file cannot be written; more are lost, and counted. */
  static final long LARGEST_SPOOL = 64L << 20;

  private static final Duration RETRY = Duration.ofSeconds(10);

  /** Digests of last records of an earlier agent, sorted: 8 bytes for each, as they may be many. */
  private final long[] before;

  private final JsonLinesFile file;

  /**
   * @param file in a directory that is made if it is missing
   * @throws IOException if the spool cannot be opened
   */
  UsageFile(Path file, Path stateDirectory, LineMeters meters) throws IOException {
    this(file, stateDirectory, meters, RETRY);
  }

  /**
   * @param retry how long to wait when the file cannot be written
   */
  UsageFile(Path file, Path stateDirectory, LineMeters meters, Duration retry) throws IOException {
    LongStream.Builder known = LongStream.builder();
    this.file =
        JsonLinesFile.spooled(
            new JsonLinesFile.Target(file, "rw-r--r--", "usage records", retry),
            stateDirectory.resolve(SPOOL),
            LARGEST_SPOOL,
            line -> UsageJson.identity(line).ifPresent(id -> known.add(digest(id))),
            meters);
    this.before = known.build().sorted().toArray();
  }

  /**
   * With 100,000 known digests, another record has one of them with a probability of 1 in 10^14.
   */
  private static long digest(String identity) {
    try {
      return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(identity.getBytes(UTF_8)))
          .getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e); // every Java has it
    }
  }

  /**
   * Takes a line. Never waits for more than the page cache.
   *
   * @return false if it is the last record of something that an earlier agent wrote already
   */
  synchronized boolean add(String line) {
    if (before.length > 0 && UsageJson.identity(line).filter(this::isBefore).isPresent()) {
      return false;
    }
    file.add(line);
    return true;
  }

  private boolean isBefore(String identity) {
    return Arrays.binarySearch(before, digest(identity)) >= 0;
  }

  /** Writes what is waiting, if it can be written soon; what cannot is written after a restart. */
  @Override
  public void close() {
    file.close();
  }
}
