package dev.rollcall.agent.account;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * The file of records: one line of JSON each. A line goes first into the spool in the state
 * directory, which is local and never waited for (it is not forced to the disk); a thread of its
 * own carries it on. So a full or hanging log directory costs neither a login nor a record, and a
 * line that was spooled is written even if the agent is killed. What is there already when the
 * agent starts is not written twice.
 *
 * <p>The file is opened anew for each batch: it may be renamed at any time, as logrotate does.
 */
final class UsageFile implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(UsageFile.class.getName());
  private static final String SPOOL = "usage.spool";

  /** Lines that are kept while the file cannot be written; more are lost, and counted. */
  static final long LARGEST_SPOOL = 64L << 20;

  /** How much of the file's end is looked at for lines that were written before a crash. */
  private static final int TAIL = 1 << 20;

  private static final Duration RETRY = Duration.ofSeconds(10);
  private static final long STOP_MS = 2_000;
  private static final long TO_READ_MS = 2_000;

  private final Path file;
  private final Path directory;
  private final Duration retry;
  private final RandomAccessFile spool;
  private final FileMeters meters;
  private final Set<String> before = new HashSet<>();
  private final Thread writer;
  private long waiting;
  private long done;
  private boolean failing;
  private boolean closing;

  /**
   * @param file in a directory that is made if it is missing
   * @throws IOException if the spool cannot be opened
   */
  UsageFile(Path file, Path stateDirectory, FileMeters meters) throws IOException {
    this(file, stateDirectory, meters, RETRY);
  }

  /**
   * @param retry how long to wait when the file cannot be written
   */
  UsageFile(Path file, Path stateDirectory, FileMeters meters, Duration retry) throws IOException {
    this.file = file.toAbsolutePath();
    this.directory = requireNonNull(this.file.getParent(), "a file's directory");
    this.retry = retry;
    this.meters = meters;
    Path path = stateDirectory.resolve(SPOOL);
    this.spool = new RandomAccessFile(path.toFile(), "rw");
    Set<String> written = new HashSet<>(tailSoon());
    List<String> left = Files.readString(path).lines().filter(it -> it.endsWith("}")).toList();
    List<String> owed = left.stream().filter(line -> !written.contains(line)).toList();
    for (Iterable<String> lines : List.of(written, owed)) {
      lines.forEach(line -> UsageJson.identity(line).ifPresent(before::add));
    }
    byte[] text = text(owed);
    if (spool.length() != text.length) {
      spool.setLength(0);
      spool.write(text);
    }
    waiting = owed.size();
    meters.waiting.set(waiting);
    writer = Thread.ofPlatform().name("rollcall-usage").daemon().unstarted(this::carry);
    writer.start();
  }

  private static byte[] text(List<String> lines) {
    return lines.stream().map(line -> line + "\n").collect(Collectors.joining()).getBytes(UTF_8);
  }

  /** A log directory that hangs must not keep the agent from starting. */
  private List<String> tailSoon() {
    var read = new CompletableFuture<List<String>>();
    Thread.ofPlatform().name("rollcall-usage-tail").daemon().start(() -> read.complete(tail()));
    return read.completeOnTimeout(List.of(), TO_READ_MS, TimeUnit.MILLISECONDS).join();
  }

  /** The last lines of the file; none if it cannot be read. */
  private List<String> tail() {
    try (var read = new RandomAccessFile(file.toFile(), "r")) {
      read.seek(Math.max(0, read.length() - TAIL));
      byte[] bytes = new byte[(int) Math.min(TAIL, read.length())];
      read.readFully(bytes);
      return new String(bytes, UTF_8).lines().toList();
    } catch (IOException none) {
      return List.of();
    }
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
    try {
      long end = spool.length();
      if (end - done > LARGEST_SPOOL) {
        throw new IOException((end - done) + " bytes are waiting to be written to " + file);
      }
      spool.seek(end);
      put(spool, end, (line + "\n").getBytes(UTF_8));
      waiting++;
      meters.waiting.set(waiting);
      notifyAll();
    } catch (IOException e) {
      meters.lost.increment();
      LOG.log(WARNING, "a usage record is lost: {0}: {1}", e.getMessage(), line);
    }
    return true;
  }

  /** All of it or nothing: half a line would make the next one unreadable. */
  private static void put(RandomAccessFile to, long end, byte[] bytes) throws IOException {
    try {
      to.write(bytes);
    } catch (IOException e) {
      to.setLength(end);
      throw e;
    }
  }

  private void carry() {
    while (awaitLines()) {
      try {
        byte[] lines = spooled();
        append(lines);
        written(lines);
      } catch (IOException e) {
        failed(e);
      }
    }
  }

  private synchronized boolean awaitLines() {
    try {
      while (waiting == 0 && !closing) {
        wait();
      }
      return waiting > 0 && !(closing && failing);
    } catch (InterruptedException e) {
      return false;
    }
  }

  private synchronized byte[] spooled() throws IOException {
    byte[] bytes = new byte[(int) (spool.length() - done)];
    spool.seek(done);
    spool.readFully(bytes);
    return bytes;
  }

  private void append(byte[] lines) throws IOException {
    if (!Files.isDirectory(directory)) {
      Files.createDirectories(directory);
    }
    try (var to = new RandomAccessFile(file.toFile(), "rw")) {
      to.seek(to.length());
      put(to, to.length(), lines);
    }
  }

  /** The spool is emptied only when all of it is written: nothing in it is ever moved. */
  private synchronized void written(byte[] lines) throws IOException {
    done += lines.length;
    if (done == spool.length()) {
      spool.setLength(0);
      done = 0;
    }
    waiting -= new String(lines, UTF_8).lines().count();
    meters.waiting.set(waiting);
    if (failing) {
      failing = false;
      LOG.log(INFO, "usage records are written to {0} again", file);
    }
  }

  private synchronized void failed(IOException e) {
    meters.failures.increment();
    if (!failing) {
      failing = true;
      LOG.log(WARNING, "usage records wait in the spool: {0}: {1}", file, e.toString());
    }
    long again = System.nanoTime() + retry.toNanos();
    try {
      for (long left = retry.toMillis(); left > 0 && !closing; ) {
        wait(left);
        left = Duration.ofNanos(again - System.nanoTime()).toMillis();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Writes what is waiting, if it can be written soon; what cannot is written after a restart. */
  @Override
  public void close() throws IOException {
    synchronized (this) {
      closing = true;
      notifyAll();
    }
    try {
      writer.join(STOP_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
