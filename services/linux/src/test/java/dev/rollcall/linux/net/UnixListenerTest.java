package dev.rollcall.linux.net;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.Errno;
import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.UnixMessage;
import dev.rollcall.linux.UnixMessage.Received;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class UnixListenerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @TempDir Path directory;

  private Path file() {
    return directory.resolve("socket");
  }

  private static byte[] bytes(Descriptor socket) throws IOException {
    var received =
        assertInstanceOf(Received.Bytes.class, UnixMessage.receive(socket.number())).bytes();
    byte[] bytes = new byte[received.remaining()];
    received.get(bytes);
    return bytes;
  }

  @Test
  void doesNotWaitForAnybody() throws IOException {
    try (var listener = UnixListener.open(file(), 8)) {
      assertEquals(Optional.empty(), listener.accept());
    }
  }

  @Test
  void acceptsInTheOrderOfComing() throws IOException {
    try (var listener = UnixListener.open(file(), 8);
        var first = UnixStream.connect(file(), PATIENCE);
        var second = UnixStream.connect(file(), PATIENCE)) {
      first.write("first".getBytes(US_ASCII));
      second.write("second".getBytes(US_ASCII));
      try (Descriptor one = listener.accept().orElseThrow();
          Descriptor other = listener.accept().orElseThrow()) {
        assertArrayEquals("first".getBytes(US_ASCII), bytes(one));
        assertArrayEquals("second".getBytes(US_ASCII), bytes(other));
      }
      assertEquals(Optional.empty(), listener.accept());
    }
  }

  @Test
  void tellsNothingYetFromTheEnd() throws IOException {
    try (var listener = UnixListener.open(file(), 8)) {
      Descriptor served;
      try (var client = UnixStream.connect(file(), PATIENCE)) {
        served = listener.accept().orElseThrow();
        assertEquals(new Received.NothingYet(), UnixMessage.receive(served.number()));
        client.write(new byte[5_000]);
        assertEquals(4_096, bytes(served).length);
        assertEquals(904, bytes(served).length);
      }
      try (served) {
        assertEquals(new Received.End(), UnixMessage.receive(served.number()));
        var gone =
            assertThrows(
                ErrnoException.class,
                () -> UnixMessage.send(served.number(), new byte[1], List.of()));
        assertTrue(gone.is(Errno.EPIPE), gone.getMessage());
      }
    }
  }

  @Test
  void namesAFileThatIsInTheWay() throws IOException {
    Files.createFile(file());
    var refused = assertThrows(ErrnoException.class, () -> UnixListener.open(file(), 8));
    assertEquals("bind(" + file() + ") failed: EADDRINUSE (98)", refused.getMessage());
  }

  @Test
  void namesAPathThatIsTooLong() {
    Path path = directory.resolve("s".repeat(120));
    var refused = assertThrows(IOException.class, () -> UnixListener.open(path, 8));
    assertEquals("path of socket " + path + " is over 107 bytes", refused.getMessage());
  }
}
