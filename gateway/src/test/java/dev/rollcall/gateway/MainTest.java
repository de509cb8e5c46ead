package dev.rollcall.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.testkit.process.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The gateway as a process. */
class MainTest {
  @TempDir Path directory;
  private final List<Process> processes = new ArrayList<>();

  @AfterEach
  void end() {
    processes.forEach(Process::destroyForcibly);
  }

  private Process start(String name, String config) throws IOException {
    Path file = directory.resolve(name + ".yaml");
    Files.writeString(file, config);
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "--config",
                file.toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve(name + ".log").toFile())
            .start();
    processes.add(process);
    return process;
  }

  private String log(String name) throws IOException {
    return Files.readString(directory.resolve(name + ".log"));
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static String config(int listen, int member, int metrics) {
    return """
    listen: "127.0.0.1:%d"
    member_listen: "127.0.0.1:%d"
    metrics: "127.0.0.1:%d"
    """
        .formatted(listen, member, metrics);
  }

  private static HttpResponse<String> get(int port, String path) throws IOException {
    try (var client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
          BodyHandlers.ofString());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static int status(int port, String path) {
    try {
      return get(port, path).statusCode();
    } catch (IOException e) {
      return -1; // not yet
    }
  }

  private void awaitReady(Process process, String name, int metrics) throws Exception {
    Await.until(
        name + " is ready", () -> status(metrics, "/health/ready") == 200 || !process.isAlive());
    assertTrue(process.isAlive(), log(name));
  }

  @Test
  void itGetsReadyAndStopsWhenItIsTold() throws Exception {
    int metrics = freePort();
    Process gateway = start("one", config(freePort(), freePort(), metrics));
    awaitReady(gateway, "one", metrics);
    assertEquals(200, status(metrics, "/health/live"));
    String page = get(metrics, "/metrics").body();
    assertTrue(page.contains("rollcall_gateway_grid_members{cluster=\"cluster\"} 1.0"), page);
    assertTrue(page.contains("rollcall_gateway_nodes_lost_total 0.0"), page);
    assertTrue(page.contains("rollcall_gateway_adoptions_total{outcome=\"failed\"} 0.0"), page);
    assertEquals(404, status(metrics, "/elsewhere"));
    gateway.destroy();
    assertTrue(gateway.waitFor(30, TimeUnit.SECONDS), log("one"));
    assertEquals(143, gateway.exitValue()); // 128 + SIGTERM
    assertFalse(log("one").contains("did not stop cleanly"), log("one"));
  }

  @Test
  void aPortInUseIsNamedAndEndsIt() throws Exception {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      Process gateway = start("taken", config(port, freePort(), freePort()));
      assertTrue(gateway.waitFor(60, TimeUnit.SECONDS), log("taken"));
      assertEquals(1, gateway.exitValue(), log("taken"));
      assertTrue(log("taken").contains("cannot listen on 127.0.0.1:" + port), log("taken"));
    }
  }

  @Test
  void aConfigurationThatMakesNoSenseEndsIt() throws Exception {
    Process gateway = start("bad", "cluster: blue\nlease: 3\n");
    assertTrue(gateway.waitFor(60, TimeUnit.SECONDS), log("bad"));
    assertEquals(78, gateway.exitValue());
    assertTrue(log("bad").contains("line 2: unknown key 'lease'"), log("bad"));
  }
}
