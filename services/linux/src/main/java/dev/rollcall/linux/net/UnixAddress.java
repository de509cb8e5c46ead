package dev.rollcall.linux.net;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/** struct sockaddr_un of unix(7): u16 family, then at most 107 bytes and a NUL. */
final class UnixAddress {
  static final int FAMILY = 1; // AF_UNIX
  static final int SIZE = 110;
  private static final int LONGEST_PATH = 107;

  private UnixAddress() {}

  /**
   * @throws IOException if the path is too long to be a socket's
   */
  static MemorySegment of(Path path, Arena arena) throws IOException {
    byte[] name = path.toString().getBytes(UTF_8);
    if (name.length > LONGEST_PATH) {
      throw new IOException("path of socket " + path + " is over " + LONGEST_PATH + " bytes");
    }
    MemorySegment address = arena.allocate(SIZE, 2);
    address.set(JAVA_SHORT, 0, (short) FAMILY);
    MemorySegment.copy(name, 0, address, JAVA_BYTE, 2, name.length);
    return address;
  }
}
