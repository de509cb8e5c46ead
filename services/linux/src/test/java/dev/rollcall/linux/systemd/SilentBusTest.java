package dev.rollcall.linux.systemd;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.linux.cgroup.BoundedWait;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A bus that is there and says nothing, or no more than half of what it should. */
@Timeout(60)
class SilentBusTest {
  private static final Duration TIMEOUT = Duration.ofMillis(300);

  @TempDir private Path folder = Path.of("");
  private Path socket = Path.of("");
  private ServerSocketChannel server;

  SilentBusTest() throws IOException {
    server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
  }

  @BeforeEach
  void listen() throws IOException {
    socket = folder.resolve("bus");
    server.bind(UnixDomainSocketAddress.of(socket));
  }

  @AfterEach
  void close() throws IOException {
    server.close();
  }

  private void serve(List<String> words) {
    Thread.ofVirtual()
        .start(() -> {
          try (SocketChannel client = server.accept()) {
            ByteBuffer heard = ByteBuffer.allocate(4096);
            for (String word : words) {
              client.read(heard.clear());
              client.write(StandardCharsets.US_ASCII.encode(word));
            }
            while (client.read(heard.clear()) >= 0) {
              heard.clear(); // until the other side hangs up
            }
          } catch (IOException closed) {
            // The test is over.
          }
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "DATA\r\n",
        "OK 00112233445566778899aabbccddeeff\r\n",
        "REJECTED KERBEROS\r\n"
      })
  void itIsGivenUpInTimeAndLeavesNoThread(String words) {
    serve(words.isEmpty() ? List.of() : List.of(words));

    var e = assertThrows(IOException.class, () -> SystemBus.open("unix:path=" + socket, TIMEOUT));

    assertTrue(e.toString().contains(socket.toString()), e.toString());
    awaitNoThread();
  }

  @Test
  void aSocketThatIsNotThereIsNamed() {
    var e =
        assertThrows(IOException.class, () -> SystemBus.open("unix:path=/nowhere/bus", TIMEOUT));

    assertTrue(e.toString().contains("there is no D-Bus socket /nowhere/bus"), e.toString());
  }

  private static void awaitNoThread() {
    BoundedWait patience = BoundedWait.of(Duration.ofSeconds(30));
    while (!threads().isEmpty() && patience.pause()) {
      Thread.onSpinWait();
    }
    assertTrue(threads().isEmpty(), threads().toString());
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.contains("DBus") || name.contains("dbus"))
        .toList();
  }
}
