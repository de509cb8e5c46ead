package dev.rollcall.jobs.slurm;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;

/**
 * Stands in for slurmstepd of an extern step, as a process of its own: its socket, the answers of
 * either release, and the moves. Arguments: socket, version, uid, then the cgroup directories that
 * a process is moved into. Standard input tells it what to do next: {@code state N}, {@code
 * silent}, {@code lie} (move nobody), {@code display N}, {@code freeze FILE TEXT} (at the next
 * move), {@code namespaces FILE...} (of its job's container, the mount namespace last).
 */
final class FakeStepDaemon {
  private final int version;
  private final int uid;
  private final List<Path> directories;
  private volatile int state = 1;
  private volatile boolean silent;
  private volatile boolean lies;
  private volatile int display;
  private volatile String freeze = "";
  private volatile List<Path> namespaces = List.of();

  private FakeStepDaemon(int version, int uid, List<Path> directories) {
    this.version = version;
    this.uid = uid;
    this.directories = directories;
  }

  /** Runs until standard input ends. */
  public static void main(String[] arguments) throws IOException {
    List<Path> directories = Arrays.stream(arguments).skip(3).map(Path::of).toList();
    var daemon =
        new FakeStepDaemon(
            Integer.parseInt(arguments[1]) << 8, Integer.parseInt(arguments[2]), directories);
    daemon.serve(Path.of(arguments[0]));
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      daemon.obey(line.split(" ", 2));
      System.out.println(line);
    }
    Files.deleteIfExists(Path.of(arguments[0]));
  }

  private void obey(String[] words) {
    switch (words[0]) {
      case "state" -> state = Integer.parseInt(words[1]);
      case "silent" -> silent = true;
      case "lie" -> lies = true;
      case "display" -> display = Integer.parseInt(words[1]);
      case "freeze" -> freeze = words[1];
      case "namespaces" -> namespaces = Arrays.stream(words[1].split(" ")).map(Path::of).toList();
      default -> throw new IllegalArgumentException(words[0]);
    }
  }

  private void serve(Path socket) throws IOException {
    ServerSocketChannel listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    listening.bind(UnixDomainSocketAddress.of(socket), /* backlog= */ 64);
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          while (true) {
            try {
              var client = new StepDaemonClient(listening.accept());
              Thread.ofPlatform().daemon().start(() -> converse(client));
            } catch (IOException e) {
              throw new AssertionError(e);
            }
          }
        });
  }

  private void converse(StepDaemonClient client) {
    try (client) {
      int offered = client.number();
      client.write(offered < (30 << 8) ? -1 : version);
      while (answer(client, client.number())) {}
    } catch (IOException hungUp) {
      return;
    }
  }

  /** Whether the conversation goes on. */
  private boolean answer(StepDaemonClient client, int request) throws IOException {
    while (silent) {
      client.number();
    }
    switch (request) {
      case 5 -> client.write(state);
      case 20 -> client.write(uid);
      case 22 -> {
        int pid = client.number();
        if (state >= 3) {
          return false;
        }
        move(pid);
        client.write(0);
      }
      case 23 -> client.write(display, 0);
      case 24 -> {
        client.number();
        client.number();
        client.number();
        client.write(1, 0, 0, uid, uid + 1, 0, 0, 0);
      }
      case 26 -> {
        if (namespaces.isEmpty() && version < (44 << 8)) {
          client.write(0);
        } else if (!namespaces.isEmpty()) {
          client.write(1);
          client.pass(namespaces.getLast());
        }
        return false; // the end of the stream is a part of the answer
      }
      case 28 -> {
        if (version < (44 << 8)) {
          return false;
        }
        client.write(namespaces.size());
        for (Path each : namespaces) {
          client.write(0);
          client.pass(each);
        }
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private void move(int pid) throws IOException {
    if (lies) {
      return;
    }
    for (Path directory : directories) {
      Files.createDirectories(directory);
      write(directory.resolve("cgroup.procs"), Integer.toString(pid));
    }
    String[] words = freeze.split(" ", 2);
    if (words.length == 2) {
      write(Path.of(words[0]), words[1]);
    }
  }

  private static void write(Path file, String text) throws IOException {
    Files.writeString(file, text, StandardOpenOption.WRITE);
  }
}
