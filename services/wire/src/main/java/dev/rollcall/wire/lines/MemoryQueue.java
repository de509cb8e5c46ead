package dev.rollcall.wire.lines;

import java.io.ByteArrayOutputStream;
import java.io.IOException;

/** Lines that wait in memory: adding never touches a disk; a killed process loses them. */
final class MemoryQueue implements Waiting {
  private final int largest;
  private ByteArrayOutputStream lines = new ByteArrayOutputStream();

  /**
   * @param largest bytes
   */
  MemoryQueue(int largest) {
    this.largest = largest;
  }

  @Override
  public void add(byte[] line) throws IOException {
    if (lines.size() + line.length > largest) {
      throw new IOException(lines.size() + " bytes are waiting already");
    }
    lines.writeBytes(line);
  }

  @Override
  public byte[] all() {
    return lines.toByteArray();
  }

  @Override
  public void written(int bytes) {
    byte[] rest = lines.toByteArray();
    lines = new ByteArrayOutputStream();
    lines.write(rest, bytes, rest.length - bytes);
  }
}
