package dev.rollcall.agent.login.log;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.agent.event.RecordedLogin;
import dev.rollcall.agent.login.log.LoginRecords.Part;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One log as it is read: from its beginning, so that all its logins are known. Logins before the
 * position that an earlier agent left were published by that one. Not thread-safe.
 */
final class LogReader implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(LogReader.class.getName());

  /**
   * The bytes that are passed on at once: some 60 records, so that the event loop is not delayed.
   */
  private static final int PIECE = 4 * LoginRecords.LONGEST;

  interface Taker {
    /**
     * Returns when they are known.
     *
     * @return the adoption ids of those that are published, whose audit lines follow
     * @throws IOException if they could not be taken in; they are handed over again
     */
    Set<String> take(List<RecordedLogin> logins) throws IOException;
  }

  /** Up to where the log was handed on, and whose audit lines were to follow then. */
  private record HandedOn(long end, Set<String> published) {}

  private final LogFile file;
  private final String bootId;
  private final Taker taker;
  private final LogMeters meters;
  private final Deque<HandedOn> handedOn = new ArrayDeque<>();
  private final long known;
  private long read;
  private long done;

  /**
   * @param known up to where an earlier agent had done all
   */
  LogReader(LogFile file, long known, String bootId, Taker taker, LogMeters meters) {
    this.file = file;
    this.known = known;
    this.bootId = bootId;
    this.taker = taker;
    this.meters = meters;
    this.done = known;
  }

  long inode() {
    return file.inode();
  }

  long size() throws IOException {
    return file.size();
  }

  /** Whether all of it was read, but for a record that is being written. */
  boolean isRead() throws IOException {
    return read + LoginRecords.LONGEST > file.size() && read <= file.size();
  }

  /** Whether the file lost bytes that were read. */
  boolean isCut() throws IOException {
    return read > file.size();
  }

  /** Up to where nothing is left to do. */
  long done() {
    return done;
  }

  /** Whether every record that was read is in the audit file. */
  boolean isDone() {
    return handedOn.isEmpty();
  }

  /**
   * Reads what is there.
   *
   * @param published adoption ids of which audit lines are known
   * @param last whether nothing will follow
   */
  void read(Set<String> published, boolean last) throws IOException {
    while (true) {
      var bytes = file.read(read, PIECE);
      if (!bytes.hasRemaining()) {
        return;
      }
      boolean end = bytes.limit() < PIECE;
      LoginRecords.Found found = LoginRecords.find(bytes, bootId, last && end);
      if (!found.parts().isEmpty()) {
        handOn(found.parts(), published);
      }
      read += found.used();
      if (end) {
        return;
      }
    }
  }

  private void handOn(List<Part> parts, Set<String> published) throws IOException {
    List<RecordedLogin> logins = new ArrayList<>();
    for (Part part : parts) {
      if (part instanceof Part.Login(RecordedLogin login, int _, int end)) {
        boolean before = read + end <= known || published.contains(login.adoption().id());
        logins.add(before ? login.asPublished() : login);
      }
    }
    Set<String> awaited = logins.isEmpty() ? Set.of() : taker.take(logins);
    long end = read + parts.getLast().end();
    if (end > known) {
      handedOn.add(new HandedOn(end, awaited));
    }
    count(parts);
  }

  /** Does not count records that an earlier agent read and counted. */
  private void count(List<Part> parts) {
    List<Part> news = parts.stream().filter(part -> read + part.end() > known).toList();
    List<Part.Skipped> skipped = new ArrayList<>();
    for (Part part : news) {
      switch (part) {
        case Part.Login login -> {
          if (!login.login().answered()) {
            meters.records.increment();
          }
        }
        case Part.Skipped skip -> {
          meters.skipped.of(skip.why()).increment();
          skipped.add(skip);
        }
      }
    }
    if (!skipped.isEmpty()) {
      LOG.log(
          WARNING,
          "the log of logins has {0} invalid records: {1}; the first is at byte {2}",
          Integer.toString(skipped.size()),
          skipped.stream().map(LogReader::words).distinct().collect(Collectors.joining(", ")),
          Long.toString(read + skipped.getFirst().at()));
    }
  }

  private static String words(Part.Skipped skipped) {
    return skipped.why().word() + (skipped.detail().isEmpty() ? "" : ": " + skipped.detail());
  }

  /**
   * Takes in which audit lines have been written.
   *
   * @param awaited the adoption ids of which none has
   */
  void settle(Set<String> awaited) {
    while (!handedOn.isEmpty()
        && handedOn.peek().published().stream().noneMatch(awaited::contains)) {
      done = handedOn.remove().end();
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
