package dev.rollcall.wire.lines;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lines that wait in a local file, which is not forced to the disk: a killed process keeps them.
 * Lines that have been written stay in it until all are, and nothing in it is moved: so it needs no
 * more space on a full disk. Its first bytes then have the number of bytes that are written. Holds
 * a batch in memory, whatever the size of the file.
 */
final class SpoolFile implements Waiting {
  private static final Pattern MARK = Pattern.compile("written (\\d{18})\n");
  private static final int MARK_LENGTH = 27;

  private final RandomAccessFile spool;
  private final long largest;

  /** Bytes from its beginning on that are written. */
  private long done;

  private long owed;

  private SpoolFile(RandomAccessFile spool, long largest) {
    this.spool = spool;
    this.largest = largest;
  }

  /**
   * Opens it with the lines that another process left. Half a line at its end is dropped.
   *
   * @param largest bytes
   * @param written lines that are in the file: what is before the last of them is in it too
   * @param left hears of each line that was left, written or not
   */
  static SpoolFile open(Path path, long largest, Set<String> written, Consumer<String> left)
      throws IOException {
    var opened = new SpoolFile(new RandomAccessFile(path.toFile(), "rw"), largest);
    opened.done = opened.marked();
    opened.readLeft(written, left);
    return opened;
  }

  private void readLeft(Set<String> written, Consumer<String> left) throws IOException {
    long end = done;
    long at = done;
    for (byte[] batch = read(at); batch.length > 0; batch = read(at)) {
      int from = 0;
      for (int i = 0; i < batch.length; i++) {
        if (batch[i] == '\n') {
          String line = new String(batch, from, i - from, UTF_8);
          from = i + 1;
          end = at + from;
          owed++;
          if (written.contains(line)) {
            done = end;
            owed = 0;
          }
          left.accept(line);
        }
      }
      at += batch.length;
    }
    if (end < spool.length()) {
      spool.setLength(end);
    }
    emptyIfDone();
  }

  /** How many lines another process left that are not written. */
  long owed() {
    return owed;
  }

  @Override
  public void add(byte[] line) throws IOException {
    long end = spool.length();
    if (end - done > largest) {
      throw new IOException((end - done) + " bytes are waiting already");
    }
    spool.seek(end);
    try {
      spool.write(line);
    } catch (IOException e) {
      // Half a line would make the next one unreadable.
      spool.setLength(end);
      throw e;
    }
  }

  @Override
  public byte[] batch() throws IOException {
    return read(done);
  }

  /** Whole lines, unless the first is longer than a batch, or the last has no end. */
  private byte[] read(long at) throws IOException {
    byte[] bytes = new byte[(int) Math.min(BATCH, spool.length() - at)];
    spool.seek(at);
    spool.readFully(bytes);
    for (int end = bytes.length; end > 0; end--) {
      if (bytes[end - 1] == '\n') {
        return Arrays.copyOf(bytes, end);
      }
    }
    return bytes;
  }

  @Override
  public void written(int bytes) throws IOException {
    done += bytes;
    if (!emptyIfDone() && done >= MARK_LENGTH) {
      mark();
    }
  }

  private boolean emptyIfDone() throws IOException {
    if (done < spool.length()) {
      return false;
    }
    spool.setLength(0);
    done = 0;
    return true;
  }

  /** Over lines that are written. */
  private void mark() {
    try {
      spool.seek(0);
      spool.write("written %018d\n".formatted(done).getBytes(US_ASCII));
    } catch (IOException full) {
      // Where file systems copy on write. Another process still finds the last lines in the file.
      return;
    }
  }

  private long marked() throws IOException {
    if (spool.length() < MARK_LENGTH) {
      return 0;
    }
    byte[] first = new byte[MARK_LENGTH];
    spool.readFully(first);
    Matcher mark = MARK.matcher(new String(first, US_ASCII));
    return mark.matches() ? Math.min(Long.parseLong(mark.group(1)), spool.length()) : 0;
  }
}
