package dev.rollcall.agent.account;

import dev.rollcall.wire.lines.JsonLinesFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * The file of records: one line of JSON each. A line goes first into the spool in the state
 * directory, which is local: a full or hanging log directory costs neither a login nor a record,
 * and a line that was spooled is written even if the agent is killed. What is there already when
 * the agent starts is not written twice.
 */
final class UsageFile implements AutoCloseable {
  private static final String SPOOL = "usage.spool";

  /** Lines that are kept while the file cannot be written; more are lost, and counted. */
  static final long LARGEST_SPOOL = 64L << 20;

  private static final Duration RETRY = Duration.ofSeconds(10);

  private final Set<String> before = new HashSet<>();
  private final JsonLinesFile file;

  /**
   * @param file in a directory that is made if it is missing
   * @throws IOException if the spool cannot be opened
   */
  UsageFile(Path file, Path stateDirectory, JsonLinesFile.Tally tally) throws IOException {
    this(file, stateDirectory, tally, RETRY);
  }

  /**
   * @param retry how long to wait when the file cannot be written
   */
  UsageFile(Path file, Path stateDirectory, JsonLinesFile.Tally tally, Duration retry)
      throws IOException {
    this.file =
        JsonLinesFile.spooled(
            new JsonLinesFile.Target(file, "rw-r--r--", "usage records", retry),
            stateDirectory.resolve(SPOOL),
            LARGEST_SPOOL,
            line -> UsageJson.identity(line).ifPresent(before::add),
            tally);
  }

  /**
   * Takes a line. Never waits for more than the page cache.
   *
   * @return false if it is the last record of something that an earlier agent wrote already
   */
  synchronized boolean add(String line) {
    if (!before.isEmpty() && UsageJson.identity(line).filter(before::contains).isPresent()) {
      return false;
    }
    file.add(line);
    return true;
  }

  /** Writes what is waiting, if it can be written soon; what cannot is written after a restart. */
  @Override
  public void close() {
    file.close();
  }
}
