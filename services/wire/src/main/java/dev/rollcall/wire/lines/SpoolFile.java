package dev.rollcall.wire.lines;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Lines that wait in a local file, which is not forced to the disk: a killed process keeps them.
 */
final class SpoolFile implements Waiting {
  private final RandomAccessFile spool;
  private final long largest;
  private long done;

  private SpoolFile(RandomAccessFile spool, long largest) {
    this.spool = spool;
    this.largest = largest;
  }

  /** Lines that another process left; half a line is none. */
  static List<String> left(Path path) throws IOException {
    return Files.exists(path)
        ? Files.readString(path).lines().filter(it -> it.endsWith("}")).toList()
        : List.of();
  }

  /**
   * @param owed what is to be in it at the beginning
   * @param largest bytes
   */
  static SpoolFile open(Path path, List<String> owed, long largest) throws IOException {
    var spool = new RandomAccessFile(path.toFile(), "rw");
    byte[] text =
        owed.stream().map(line -> line + "\n").collect(Collectors.joining()).getBytes(UTF_8);
    if (spool.length() != text.length) {
      // What is owed was in it, so there is room for it on a full disk as well, as long as it is
      // not cut first.
      spool.write(text);
      spool.setLength(text.length);
    }
    return new SpoolFile(spool, largest);
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
  public byte[] all() throws IOException {
    byte[] bytes = new byte[(int) (spool.length() - done)];
    spool.seek(done);
    spool.readFully(bytes);
    return bytes;
  }

  /** Emptied only when all of it is written: nothing in it is ever moved. */
  @Override
  public void written(int bytes) throws IOException {
    done += bytes;
    if (done == spool.length()) {
      spool.setLength(0);
      done = 0;
    }
  }
}
