package dev.rollcall.wire.lines;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;

/** Lines that wait in memory: adding never touches a disk; a killed process loses them. */
final class MemoryQueue implements Waiting {
  private final int largest;
  private final Queue<byte[]> lines = new ArrayDeque<>();
  private int size;

  /**
   * @param largest bytes
   */
  MemoryQueue(int largest) {
    this.largest = largest;
  }

  @Override
  public void add(byte[] line) throws IOException {
    if (size + line.length > largest) {
      throw new IOException(size + " bytes are waiting already");
    }
    lines.add(line);
    size += line.length;
  }

  @Override
  public byte[] batch() {
    var batch = new ByteArrayOutputStream();
    for (byte[] line : lines) {
      if (batch.size() > 0 && batch.size() + line.length > BATCH) {
        break;
      }
      batch.writeBytes(line);
    }
    return batch.toByteArray();
  }

  @Override
  public void written(int bytes) {
    for (int left = bytes; left > 0; ) {
      int length = lines.remove().length;
      left -= length;
      size -= length;
    }
  }
}
