package dev.rollcall.jobs.slurm;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
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
 * move).
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
      default -> throw new IllegalArgumentException(words[0]);
    }
  }

  private void serve(Path socket) throws IOException {
    ServerSocketChannel listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    listening.bind(UnixDomainSocketAddress.of(socket));
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          while (true) {
            try {
              SocketChannel client = listening.accept();
              Thread.ofPlatform().daemon().start(() -> converse(client));
            } catch (IOException e) {
              throw new AssertionError(e);
            }
          }
        });
  }

  private void converse(SocketChannel client) {
    try (client) {
      int offered = number(client);
      write(client, offered < (30 << 8) ? -1 : version);
      while (answer(client, number(client))) {}
    } catch (IOException hungUp) {
      return;
    }
  }

  /** Whether the conversation goes on. */
  private boolean answer(SocketChannel client, int request) throws IOException {
    while (silent) {
      Thread.onSpinWait();
      if (client.read(ByteBuffer.allocate(1)) < 0) {
        return false;
      }
    }
    switch (request) {
      case 5 -> write(client, state);
      case 20 -> write(client, uid);
      case 22 -> {
        int pid = number(client);
        if (state >= 3) {
          return false;
        }
        move(pid);
        write(client, 0);
      }
      case 23 -> write(client, display, 0);
      case 24 -> {
        number(client);
        number(client);
        number(client);
        write(client, 1, 0, 0, uid, uid + 1, 0, 0, 0);
      }
      case 26 -> {
        if (version < (44 << 8)) {
          write(client, 0);
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

  private static int number(SocketChannel client) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder());
    while (buffer.hasRemaining()) {
      if (client.read(buffer) < 0) {
        throw new IOException("end");
      }
    }
    return buffer.flip().getInt();
  }

  private static void write(SocketChannel client, int... numbers) throws IOException {
    ByteBuffer buffer =
        ByteBuffer.allocate(numbers.length * Integer.BYTES).order(ByteOrder.nativeOrder());
    for (int number : numbers) {
      buffer.putInt(number);
    }
    client.write(buffer.flip());
  }
}
