package dev.rollcall.linux;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnixMessageTest {
  private ServerSocketChannel listener;
  private SocketChannel reader;
  private int readerNumber;
  private SocketChannel writer;
  private int writerNumber;

  @BeforeEach
  void connect(@TempDir Path directory) throws IOException {
    Path path = directory.resolve("x.sock");
    listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    listener.bind(UnixDomainSocketAddress.of(path));
    Set<Integer> before = sockets();
    reader = SocketChannel.open(UnixDomainSocketAddress.of(path));
    readerNumber = fresh(before);
    before = sockets();
    writer = listener.accept();
    writerNumber = fresh(before);
  }

  @AfterEach
  void disconnect() throws IOException {
    reader.close();
    writer.close();
    listener.close();
  }

  private static int fresh(Set<Integer> before) throws IOException {
    Set<Integer> now = sockets();
    now.removeAll(before);
    assertEquals(1, now.size());
    return now.iterator().next();
  }

  private static Set<Integer> sockets() throws IOException {
    Set<Integer> found = new HashSet<>();
    try (DirectoryStream<Path> fds = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path fd : fds) {
        if (Files.isSymbolicLink(fd)
            && Files.readSymbolicLink(fd).toString().startsWith("socket:")) {
          found.add(Integer.parseInt(fd.getFileName().toString()));
        }
      }
    }
    return found;
  }

  /** proc(5): descriptors that wait to be received, Linux 5.11. */
  private String waiting() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/fdinfo/" + readerNumber)).stream()
        .filter(line -> line.startsWith("scm_fds"))
        .findFirst()
        .orElse("none");
  }

  @Test
  void sendsBytesAndDescriptorsTogether() throws IOException {
    byte[] bytes = "twelve bytes".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    try (Descriptor one = Descriptor.open(Path.of("/proc/self"));
        Descriptor other = Descriptor.open(Path.of("/dev/null"))) {
      UnixMessage.send(writerNumber, bytes, List.of(one.number(), other.number(), one.number()));
    }
    assertEquals("scm_fds: 3", waiting());
    var buffer = ByteBuffer.allocate(100);
    assertEquals(12, reader.read(buffer));
    assertArrayEquals(bytes, java.util.Arrays.copyOf(buffer.array(), 12));
    assertEquals("scm_fds: 0", waiting());
  }

  @Test
  void sendsBytesAlone() throws IOException {
    UnixMessage.send(writerNumber, new byte[32_772], List.of());
    assertEquals("scm_fds: 0", waiting());
    assertTrue(reader.read(ByteBuffer.allocate(40_000)) > 0);
  }

  @Test
  void saysThatNobodyReads() throws IOException {
    reader.close();
    ErrnoException refused =
        assertThrows(
            ErrnoException.class, () -> UnixMessage.send(writerNumber, new byte[1], List.of()));
    assertEquals("sendmsg(fd " + writerNumber + ") failed: EPIPE (32)", refused.getMessage());
  }

  @Test
  void saysThatADescriptorIsNone() {
    ErrnoException refused =
        assertThrows(
            ErrnoException.class,
            () -> UnixMessage.send(writerNumber, new byte[1], List.of(1_000_000)));
    assertTrue(refused.is(Errno.EBADF), refused.getMessage());
  }

  @Test
  void waitsForNoRoom() {
    ErrnoException refused =
        assertThrows(
            ErrnoException.class,
            () -> {
              for (int each = 0; each < 10_000; each++) {
                UnixMessage.send(writerNumber, new byte[32_772], List.of());
              }
            });
    assertTrue(refused.is(Errno.EAGAIN) || refused.is(Errno.EMSGSIZE), refused.getMessage());
  }
}
