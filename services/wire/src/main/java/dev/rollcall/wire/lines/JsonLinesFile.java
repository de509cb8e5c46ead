package dev.rollcall.wire.lines;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Writes a file of JSON lines. Callers never wait for the file: the line waits in a spool or in
 * memory, and a thread of its own carries it on. A file that cannot be written, or hangs, costs
 * nobody anything; what waits is bounded, and what is lost over that is counted.
 *
 * <p>The file is opened anew for each batch: it may be renamed at any time, as logrotate does.
 */
public final class JsonLinesFile implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(JsonLinesFile.class.getName());

  /**
   * How much of the file's end is looked at for lines that were written before a crash: more than a
   * batch.
   */
  private static final int TAIL = 1 << 20;

  private static final byte[] NEWLINE = {'\n'};
  private static final long STOP_MS = 2_000;
  private static final long TO_READ_MS = 2_000;

  /**
   * Where lines go.
   *
   * @param file in a directory that is made if it is missing
   * @param mode of a file that is made, as {@code rw-r-----}; the umask may take of it
   * @param what its lines are called in the log
   * @param retry how long to wait when the file cannot be written
   */
  public record Target(Path file, String mode, String what, Duration retry) {
    public Target {
      file = file.toAbsolutePath();
    }

    private Path directory() {
      return requireNonNull(file.getParent(), "a file's directory");
    }
  }

  /**
   * A task that waits for a line.
   *
   * @param line its number, counted from 1
   */
  private record Awaited(long line, Runnable settled) {}

  private final Target target;
  private final Waiting lines;
  private final LineMeters meters;
  private final Thread writer;

  /** The tasks that wait for lines, in the order of the lines. */
  private final Queue<Awaited> awaited = new ArrayDeque<>();

  private long waiting;
  private long carried;
  private boolean appended;
  private boolean failing;
  private boolean closing;

  private JsonLinesFile(Target target, Waiting lines, long waiting, LineMeters meters) {
    this.target = target;
    this.lines = lines;
    this.waiting = waiting;
    this.meters = meters;
    meters.waiting().set(waiting);
    String name = "rollcall-" + requireNonNull(target.file().getFileName());
    writer = Thread.ofPlatform().name(name).daemon().start(this::carry);
  }

  /**
   * Lines wait in a file. Those that an earlier process left there are written, and none twice.
   *
   * @param spool on a local disk
   * @param largest bytes of it
   * @param known hears of each line that an earlier process wrote lately, or left: as many as fit
   *     the spool
   * @throws IOException if the spool cannot be opened
   */
  public static JsonLinesFile spooled(
      Target target, Path spool, long largest, Consumer<String> known, LineMeters meters)
      throws IOException {
    Set<String> written = new HashSet<>(lastLines(target.file(), TAIL));
    written.forEach(known);
    SpoolFile lines = SpoolFile.open(spool, largest, written, known);
    return new JsonLinesFile(target, lines, lines.owed(), meters);
  }

  /**
   * Lines wait in memory.
   *
   * @param largest bytes of it
   */
  public static JsonLinesFile queued(Target target, int largest, LineMeters meters) {
    return new JsonLinesFile(target, new MemoryQueue(largest), 0, meters);
  }

  /**
   * The last lines of a file, which continue those of FILE.1: logrotate may have renamed the file
   * since a line was written. The first may have lost its beginning. None if they cannot be read
   * within 2 s: a log directory that hangs must not keep a process from starting.
   *
   * @param most bytes of both
   */
  public static List<String> lastLines(Path file, int most) {
    var read = new CompletableFuture<List<String>>();
    Thread.ofPlatform()
        .name("rollcall-" + file.getFileName() + "-tail")
        .daemon()
        .start(() -> read.complete(tails(file, most)));
    return read.completeOnTimeout(List.of(), TO_READ_MS, TimeUnit.MILLISECONDS).join();
  }

  private static List<String> tails(Path file, int most) {
    List<String> last = tail(file, most);
    long rest = most - file.toFile().length();
    if (rest <= 0) {
      return last;
    }
    List<String> all = new ArrayList<>(tail(Path.of(file + ".1"), (int) rest));
    all.addAll(last);
    return all;
  }

  /** The last lines of the file; none if it cannot be read. */
  private static List<String> tail(Path file, int most) {
    try (var read = new RandomAccessFile(file.toFile(), "r")) {
      read.seek(Math.max(0, read.length() - most));
      byte[] bytes = new byte[(int) Math.min(most, read.length())];
      read.readFully(bytes);
      return new String(bytes, UTF_8).lines().toList();
    } catch (IOException none) {
      return List.of();
    }
  }

  /**
   * Takes a line. Never waits for the file.
   *
   * @param line without a newline
   */
  public void add(String line) {
    taken(line);
  }

  /**
   * The same.
   *
   * @param settled called once when the line is in the file, or is lost; on any thread
   */
  public void add(String line, Runnable settled) {
    if (!taken(line, settled)) {
      settled.run();
    }
  }

  private synchronized boolean taken(String line, Runnable settled) {
    boolean taken = taken(line);
    if (taken) {
      awaited.add(new Awaited(carried + waiting, settled));
    }
    return taken;
  }

  private synchronized boolean taken(String line) {
    try {
      lines.add((line + "\n").getBytes(UTF_8));
      waiting++;
      meters.waiting().set(waiting);
      notifyAll();
      return true;
    } catch (IOException e) {
      meters.lost().increment();
      LOG.log(
          WARNING,
          "one of the {0} for {1} is lost: {2}: {3}",
          target.what(),
          target.file(),
          e.getMessage(),
          line);
      return false;
    }
  }

  private void carry() {
    while (awaitLines()) {
      try {
        byte[] batch = batch();
        append(batch);
        written(batch);
        settled().forEach(JsonLinesFile::tell);
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

  private synchronized byte[] batch() throws IOException {
    return lines.batch();
  }

  private void append(byte[] batch) throws IOException {
    if (!Files.isDirectory(target.directory())) {
      Files.createDirectories(target.directory());
    }
    var mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(target.mode()));
    try (var to = FileChannel.open(target.file(), Set.of(CREATE, WRITE), mode)) {
      long end = to.size();
      try {
        to.position(end);
        if (!appended && endsInHalfALine(end)) {
          to.write(ByteBuffer.wrap(NEWLINE));
        }
        for (var bytes = ByteBuffer.wrap(batch); bytes.hasRemaining(); ) {
          to.write(bytes);
        }
        appended = true;
      } catch (IOException e) {
        cut(to, end, e);
        throw e;
      }
    }
  }

  /** A process that was killed may have left one; it must not spoil the next line. */
  private boolean endsInHalfALine(long end) {
    if (end == 0) {
      return false;
    }
    try (var read = new RandomAccessFile(target.file().toFile(), "r")) {
      read.seek(end - 1);
      return read.read() != '\n';
    } catch (IOException e) {
      return false;
    }
  }

  /** All of it or nothing: half a line would make the next one unreadable. */
  private static void cut(FileChannel to, long end, IOException cause) {
    try {
      to.truncate(end);
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  private synchronized void written(byte[] batch) throws IOException {
    lines.written(batch.length);
    long count = newlines(batch);
    waiting -= count;
    carried += count;
    meters.lines().increment((double) count);
    meters.waiting().set(waiting);
    if (failing) {
      failing = false;
      LOG.log(INFO, "{0} are written to {1} again", target.what(), target.file());
    }
  }

  private static long newlines(byte[] batch) {
    long count = 0;
    for (byte each : batch) {
      count += each == '\n' ? 1 : 0;
    }
    return count;
  }

  private synchronized List<Runnable> settled() {
    List<Runnable> settled = new ArrayList<>();
    for (Awaited first = awaited.peek();
        first != null && first.line() <= carried;
        first = awaited.peek()) {
      settled.add(awaited.remove().settled());
    }
    return settled;
  }

  /** Runs a waiting task. Its failure does not delay other lines. */
  private static void tell(Runnable settled) {
    try {
      settled.run();
    } catch (RuntimeException e) {
      LOG.log(WARNING, "a task after a line failed", e);
    }
  }

  private synchronized void failed(IOException e) {
    meters.failures().increment();
    if (!failing) {
      failing = true;
      LOG.log(WARNING, "{0} wait: {1}: {2}", target.what(), target.file(), e.toString());
    }
    long again = System.nanoTime() + target.retry().toNanos();
    try {
      for (long left = target.retry().toMillis(); left > 0 && !closing; ) {
        wait(left);
        left = Duration.ofNanos(again - System.nanoTime()).toMillis();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Writes what is waiting, if it can be written soon; of a spool the rest is left to the next. */
  @Override
  public void close() {
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
