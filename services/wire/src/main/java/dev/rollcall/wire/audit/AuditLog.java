package dev.rollcall.wire.audit;

import dev.rollcall.wire.lines.JsonLinesFile;
import dev.rollcall.wire.lines.LineMeters;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes the audit log. Callers never wait, not even for a disk: lines wait in memory, and over
 * {@link #MOST_WAITING} they are lost and counted. The numbers of the lines have no gaps but where
 * some are lost. Thread-safe.
 */
public final class AuditLog implements AutoCloseable {
  /** Bytes. */
  static final int MOST_WAITING = 8 << 20;

  private static final Duration RETRY = Duration.ofSeconds(10);

  /**
   * The process that writes.
   *
   * @param process {@code agent} or {@code gateway}
   * @param host the node's name, or the gateway's as others know it
   */
  public record Writer(String process, String host, String version) {}

  private final Writer writer;
  private final JsonLinesFile file;
  private final Clock clock;
  private final AuditSampler sparing;
  private long sequence;
  private long leftOut;
  private @Nullable Instant leftOutSince;

  /**
   * @param file made with mode 0640; its directory is made if it is missing
   */
  public AuditLog(Path file, Writer writer, LineMeters meters) {
    this(file, writer, meters, RETRY, Clock.systemUTC(), System::nanoTime);
  }

  AuditLog(
      Path file,
      Writer writer,
      LineMeters meters,
      Duration retry,
      Clock clock,
      LongSupplier nanoClock) {
    this.writer = writer;
    this.clock = clock;
    this.sparing = new AuditSampler(nanoClock);
    this.file =
        JsonLinesFile.queued(
            new JsonLinesFile.Target(file, "rw-r-----", "audit lines", retry),
            MOST_WAITING,
            meters);
    write(AuditLine.of(AuditEvent.START).put("version", writer.version()));
  }

  /** Writes a line. */
  public synchronized void write(AuditLine line) {
    write(line, clock.instant());
  }

  /** The same of something that happened at another time. */
  public void write(AuditLine line, Instant time) {
    write(line, time, () -> {});
  }

  /**
   * The same.
   *
   * @param settled called when the line is in the file, or is lost; on any thread
   */
  public synchronized void write(AuditLine line, Instant time, Runnable settled) {
    Map<String, Object> common = new HashMap<>();
    common.put("time", time.toString());
    common.put("seq", ++sequence);
    common.put("writer", writer.process());
    common.put("host", writer.host());
    common.put("event", line.event().word());
    file.add(line.encode(common), settled);
  }

  /**
   * Writes a line that a client can cause at will, unless there were too many. Lines that are left
   * out are counted, and {@link #tellLeftOut} writes their number.
   *
   * @param whom the line is about
   */
  public synchronized void writeSparingly(String whom, AuditLine line) {
    if (sparing.allows(whom)) {
      write(line);
    } else {
      leftOut++;
      if (leftOutSince == null) {
        leftOutSince = clock.instant();
      }
    }
  }

  /** To be called every {@link #TELL_EVERY}. */
  public synchronized void tellLeftOut() {
    Instant since = leftOutSince;
    if (since != null) {
      write(AuditLine.of(AuditEvent.LEFT_OUT).put("count", leftOut).put("since", since.toString()));
      leftOut = 0;
      leftOutSince = null;
    }
  }

  public static final Duration TELL_EVERY = Duration.ofSeconds(30);

  /** Writes what is waiting, if it can be written soon. */
  @Override
  public void close() {
    tellLeftOut();
    write(AuditLine.of(AuditEvent.STOP));
    file.close();
  }
}
