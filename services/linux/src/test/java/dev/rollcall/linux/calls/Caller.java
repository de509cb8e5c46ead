package dev.rollcall.linux.calls;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A process of a test that calls on command: {@code caller.pl}. */
final class Caller implements AutoCloseable {
  private final Process process;
  private final int pid;

  private Caller(Process process) throws IOException {
    this.process = process;
    String ready = String.valueOf(process.inputReader().readLine());
    assertTrue(ready.startsWith("ready "), ready);
    this.pid = Integer.parseInt(ready.substring("ready ".length()));
  }

  /**
   * @param before the command that runs it, such as nsenter; may be empty
   * @param groups cgroup directories to enter
   */
  static Caller start(List<String> before, List<Path> groups, String uid) throws IOException {
    List<String> procs = groups.stream().map(group -> group + "/cgroup.procs").toList();
    List<String> command = new ArrayList<>(before);
    command.addAll(List.of("perl", script().toString(), String.join(",", procs), uid));
    return new Caller(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  static Path script() {
    return Path.of("src/test/resources/caller.pl").toAbsolutePath();
  }

  int pid() {
    return pid;
  }

  int listen(String address) throws IOException {
    return Integer.parseInt(ask("listen " + address));
  }

  void listenAt(String address, int port) throws IOException {
    ask("listen " + address + " " + port);
  }

  /** Connects; the connection as this end sees it. Both ends have the same address. */
  Connection connect(String address, int port) throws IOException {
    return connection(address, ask("connect " + address + " " + port), port);
  }

  Connection connectFrom(int localPort, String address, int port) throws IOException {
    return connection(address, ask("connect " + address + " " + port + " " + localPort), port);
  }

  List<Connection> flood(String address, int port, int count) throws IOException {
    return Arrays.stream(ask("flood " + address + " " + port + " " + count).split(" ", -1))
        .map(local -> connection(address, local, port))
        .toList();
  }

  void accept() throws IOException {
    ask("accept");
  }

  void reset() throws IOException {
    ask("reset");
  }

  int udp(String address, int port) throws IOException {
    return Integer.parseInt(ask("udp " + address + " " + port));
  }

  /**
   * Opens a UDP socket.
   *
   * @param option {@code reuse}, {@code v6only} or {@code -}
   * @param to an address and a port, or nothing
   */
  int bound(String address, int port, String option, String to) throws IOException {
    return Integer.parseInt(ask("bound %s %d %s %s".formatted(address, port, option, to)));
  }

  private static Connection connection(String address, String localPort, int port) {
    InetAddress both = InetAddress.ofLiteral(address);
    return Connection.tcp(
        new Endpoint(both, Integer.parseInt(localPort)), new Endpoint(both, port));
  }

  private String ask(String command) throws IOException {
    var input = process.outputWriter();
    input.write(command + "\n");
    input.flush();
    String answer = String.valueOf(process.inputReader().readLine());
    assertTrue(!answer.startsWith("failed") && !answer.equals("null"), command + ": " + answer);
    return answer;
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
