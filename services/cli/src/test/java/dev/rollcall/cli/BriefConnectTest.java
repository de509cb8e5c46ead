package dev.rollcall.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An ssh connection's way through {@code rollcall connect}, as processes: in C and in Java. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BriefConnectTest {
  /** Whose connect it is. */
  enum By {
    BRIEF,
    JAVA
  }

  @AutoClose private final ExecutorService others = Executors.newVirtualThreadPerTaskExecutor();
  @AutoClose private final ServerSocket far;
  @TempDir private Path folder = Path.of("");

  BriefConnectTest() throws IOException {
    far = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  @BeforeEach
  void bounded() throws IOException {
    far.setSoTimeout(60_000);
  }

  private Process start(By by) throws IOException {
    List<String> words =
        List.of("connect", "127.0.0.1", Integer.toString(far.getLocalPort()), "--within", "30s");
    if (by == By.BRIEF) {
      return new BriefProgram(folder).command(words).start();
    }
    List<String> argv =
        new ArrayList<>(
            List.of(
                System.getProperty("java.home") + "/bin/java",
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
    argv.addAll(words);
    return new ProcessBuilder(argv).start();
  }

  private static int end(Process process) throws InterruptedException {
    assertTrue(process.waitFor(60, TimeUnit.SECONDS), "it does not end");
    return process.exitValue();
  }

  @ParameterizedTest
  @EnumSource
  void carriesMuchBothWaysUntouchedAndTellsTheEndOfWhatItReads(By by) throws Exception {
    byte[] much = new byte[3_000_000];
    new Random(7).nextBytes(much);
    Process process = start(by);
    try (Socket socket = far.accept()) {
      var written =
          CompletableFuture.runAsync(
              () -> {
                try (OutputStream in = process.getOutputStream()) {
                  in.write(much);
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              },
              others);
      // Both ways at once, and the rest when the end of one was heard.
      byte[] first = Arrays.copyOf(much, much.length / 2);
      var answered =
          CompletableFuture.runAsync(
              () -> {
                try {
                  socket.getOutputStream().write(first);
                  byte[] heard = socket.getInputStream().readAllBytes();
                  socket.getOutputStream().write(heard);
                  socket.shutdownOutput();
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              },
              others);
      byte[] out = process.getInputStream().readAllBytes();
      written.get(60, TimeUnit.SECONDS);
      answered.get(60, TimeUnit.SECONDS);
      assertArrayEquals(first, Arrays.copyOf(out, first.length));
      assertArrayEquals(much, Arrays.copyOfRange(out, first.length, out.length));
      assertEquals(0, end(process));
    } finally {
      process.destroyForcibly();
    }
  }

  @ParameterizedTest
  @EnumSource
  void endsWithTheFarEndAlthoughMoreCouldBeRead(By by) throws Exception {
    Process process = start(by);
    try {
      try (Socket socket = far.accept()) {
        socket.getOutputStream().write("bye".getBytes(StandardCharsets.UTF_8));
      }
      assertEquals(
          "bye", new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
      assertEquals(0, end(process));
    } finally {
      process.destroyForcibly();
    }
  }

  /** The far end resets, since it had not read all. */
  @ParameterizedTest
  @EnumSource
  void saysThatTheConnectionBroke(By by) throws Exception {
    Process process = start(by);
    try {
      try (Socket socket = far.accept()) {
        process.getOutputStream().write(new byte[1]);
        process.getOutputStream().flush();
        assertEquals(0, socket.getInputStream().read());
        socket.setSoLinger(true, 0);
      }
      String said = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
      assertEquals("rollcall: the connection to 127.0.0.1 broke: Connection reset\n", said);
      assertEquals(1, end(process));
    } finally {
      process.destroyForcibly();
    }
  }

  @ParameterizedTest
  @EnumSource
  void saysThatNobodyReadsItsOutput(By by) throws Exception {
    Process process = start(by);
    try (Socket socket = far.accept()) {
      process.getInputStream().close();
      socket.getOutputStream().write("much".getBytes(StandardCharsets.UTF_8));
      String said = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
      assertEquals("rollcall: the connection to 127.0.0.1 broke: Broken pipe\n", said);
      assertEquals(1, end(process));
    } finally {
      process.destroyForcibly();
    }
  }
}
