package dev.rollcall.jobs.journal;

import static java.lang.System.Logger.Level.WARNING;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.rollcall.model.JobState;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Records the jobs that a restarted agent must know, in {@code jobs.journal} of the state
 * directory. Lines are only appended; when most of them are about ended jobs, the file is written
 * anew beside the old one and renamed over it. A line that was not wholly written is not there. A
 * job whose lines a later version wrote keeps them until it ends, for the next upgrade. The
 * processes themselves are in the cgroup tree, so the journal says nothing about them.
 *
 * <p>Thread-safe. Nobody waits for the fsync of another's line, only for that of a new file. The
 * file is no FileChannel, which an interrupt of the writing thread would close.
 */
public final class JobJournal implements AutoCloseable {
  public static final String FILE = "jobs.journal";
  private static final System.Logger LOG = System.getLogger(JobJournal.class.getName());

  /** Dead lines that are borne before the file is written anew. */
  private static final int DEAD_LINES = 512;

  /** Has a file's content on the disk when it returns. */
  @FunctionalInterface
  interface Disk {
    void sync(RandomAccessFile file) throws IOException;
  }

  private final Path directory;
  private final Disk disk;
  private final Path file;
  private final FileChannel owner;
  private final JournalState state = new JournalState();
  private final List<String> warnings = new ArrayList<>();
  private RandomAccessFile content;
  private long length;
  private int lines;
  private boolean damaged;

  private JobJournal(Path directory, Disk disk) throws IOException {
    Files.createDirectories(directory);
    this.directory = directory;
    this.disk = disk;
    file = directory.resolve(FILE);
    owner = lock(directory.resolve("jobs.lock"));
    try {
      content = new RandomAccessFile(file.toFile(), "rw");
      length = read(Files.readAllBytes(file));
    } catch (IOException e) {
      owner.close();
      throw e;
    }
  }

  /**
   * Opens or makes it. Damaged lines are dropped with a warning each.
   *
   * @throws IOException naming the path, if it cannot be read or another process has it open
   */
  public static JobJournal open(Path directory) throws IOException {
    return open(directory, file -> file.getFD().sync());
  }

  static JobJournal open(Path directory, Disk disk) throws IOException {
    JobJournal journal = new JobJournal(directory, disk);
    journal.cutBack();
    journal.tidy();
    return journal;
  }

  private static FileChannel lock(Path path) throws IOException {
    FileChannel channel = FileChannel.open(path, WRITE, CREATE);
    try {
      FileLock lock = channel.tryLock();
      if (lock != null) {
        return channel;
      }
    } catch (OverlappingFileLockException sameProcess) {
      // Told below as the other case.
    }
    channel.close();
    throw new IOException(path + " is locked: another agent uses this state directory");
  }

  /** Returns the length of the part that ends with a whole line. */
  private long read(byte[] bytes) {
    int start = 0;
    for (int at = 0; at < bytes.length; at++) {
      if (bytes[at] == '\n') {
        line(new String(bytes, start, at - start, ISO_8859_1));
        start = at + 1;
      }
    }
    if (start < bytes.length) {
      warn(
          "line "
              + (lines + 1)
              + " dropped: "
              + (bytes.length - start)
              + " bytes without a newline");
    }
    return start;
  }

  private void line(String line) {
    lines++;
    JobJournalLine.parse(line)
        .ifPresentOrElse(
            this::read,
            () -> warn("line " + lines + " dropped: damaged, " + line.length() + " bytes"));
  }

  private void read(JobJournalLine line) {
    if (line instanceof JobJournalLine.Later later) {
      LOG.log(
          WARNING,
          "journal {0}: line {1}, about job {2}, is of a later version and stays; {3}",
          file,
          Integer.toString(lines),
          later.job(),
          later.known().isPresent() ? "the words that are known count" : "it does not count");
    }
    state.apply(line);
  }

  private void warn(String what) {
    damaged = true;
    warnings.add(file + ": " + what);
    LOG.log(WARNING, "journal {0}: {1}", file, what);
  }

  /** What was wrong with the file when it was opened. */
  public List<String> warnings() {
    return List.copyOf(warnings);
  }

  /** The jobs that have begun and not ended. */
  public synchronized List<JournalState.Entry> entries() {
    return state.entries();
  }

  /**
   * Appends a line and waits until it is on the disk. Others append meanwhile: a disk that jobs
   * keep busy takes seconds.
   *
   * @throws IOException naming the path and the kernel's reason; then the line does not count
   */
  public void append(JobJournalLine line) throws IOException {
    RandomAccessFile written = written(line);
    try {
      disk.sync(written);
    } catch (IOException e) {
      failed(line, written, e);
    }
  }

  /**
   * Appends a line that a crash of the node may lose, because it means nothing after a boot: the
   * page cache outlives the agent.
   */
  public void appendUnforced(JobJournalLine line) throws IOException {
    var _ = written(line);
  }

  /** Appends a line of what happens even if the disk is full: a restart finds it by the tree. */
  public void note(JobJournalLine line) {
    try {
      appendUnforced(line);
    } catch (IOException e) {
      LOG.log(WARNING, "not journalled: {0}: {1}", line.text(), e.getMessage());
    }
  }

  /** The file that has it now. */
  private synchronized RandomAccessFile written(JobJournalLine line) throws IOException {
    try {
      content.seek(length);
      content.write(line.bytes());
    } catch (IOException e) {
      cutBack();
      throw new IOException("journal " + file + ": " + e.getMessage(), e);
    }
    length += line.bytes().length;
    lines++;
    state.apply(line);
    tidy();
    return content;
  }

  /** Other lines may follow it by now: its job ends. */
  private synchronized void failed(JobJournalLine line, RandomAccessFile written, IOException why)
      throws IOException {
    if (written.equals(content)) {
      note(new JobJournalLine.Became(line.job(), JobState.CLOSED));
      throw new IOException("journal " + file + ": " + why.getMessage(), why);
    }
    // The file was written anew meanwhile, with this line, and is on the disk.
  }

  /** Half a line is left behind at worst: the next one is written over it. */
  private void cutBack() {
    try {
      content.setLength(length);
    } catch (IOException e) {
      LOG.log(WARNING, "journal {0}: cut back to {1} bytes: {2}", file, length, e.getMessage());
    }
  }

  /** Writes the file anew if much of it is dead or some of it damaged. Failing is no harm. */
  private synchronized void tidy() {
    if (!damaged && lines < DEAD_LINES + 4 * state.size()) {
      return;
    }
    List<JobJournalLine> live = state.lines();
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    live.forEach(line -> all.writeBytes(line.bytes()));
    try {
      RandomAccessFile next = replaced(all.toByteArray());
      content.close();
      content = next;
      length = all.size();
      lines = live.size();
      damaged = false;
    } catch (IOException e) {
      LOG.log(WARNING, "journal {0}: not compacted: {1}", file, e.getMessage());
    }
  }

  /** Another file in the place of this one, complete on the disk before it takes the name. */
  private RandomAccessFile replaced(byte[] all) throws IOException {
    Path fresh = file.resolveSibling(FILE + ".new");
    RandomAccessFile next = new RandomAccessFile(fresh.toFile(), "rw");
    try {
      next.setLength(0);
      next.write(all);
      next.getFD().sync();
      Files.move(fresh, file, ATOMIC_MOVE);
    } catch (IOException e) {
      next.close();
      Files.deleteIfExists(fresh);
      throw e;
    }
    try (FileChannel names = FileChannel.open(directory, READ)) {
      names.force(true);
    } catch (IOException e) {
      LOG.log(WARNING, "journal {0}: sync of its directory: {1}", file, e.getMessage());
    }
    return next;
  }

  @Override
  public synchronized void close() throws IOException {
    content.close();
    owner.close();
  }
}
