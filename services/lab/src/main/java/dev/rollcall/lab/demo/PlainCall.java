package dev.rollcall.lab.demo;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.Protocol;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Patience;
import dev.rollcall.testkit.process.RigException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A TCP connection that a shell holds open and over which nothing is said, until closed. */
record PlainCall(InJob shell, Connection connection) implements AutoCloseable {
  private static final Duration DEADLINE = Patience.ofSeconds(5);

  /** The command that makes it: the process that called is the one that stays. */
  static String[] command(NodeAddress to, int port) {
    return new String[] {
      "bash", "-c", "exec 3<>/dev/tcp/%s/%d; exec sleep 60".formatted(to.v4(), port)
    };
  }

  /** Waits until the connection of a started command stands. */
  static PlainCall of(ClusterNode from, InJob shell, NodeAddress to, int port) {
    String remote = to.v4() + ":" + port;
    if (!Eventually.holds(DEADLINE, () -> local(from, shell, remote).isPresent())) {
      shell.kill();
      throw new RigException(from.name() + " has no connection to " + remote);
    }
    Endpoint local = Endpoint.parse(local(from, shell, remote).orElseThrow());
    return new PlainCall(shell, new Connection(Protocol.TCP, local, Endpoint.parse(remote)));
  }

  /** The local end, as the node's own ss(8) lists it, of a socket that the process holds. */
  private static Optional<String> local(ClusterNode from, InJob shell, String remote) {
    Set<String> held = inodes(shell.pid());
    return from.exec(User.ROOT, "ss", "-tneH", "state", "established", "dst", remote)
        .out()
        .lines()
        .map(line -> List.of(line.strip().split("\\s+", -1)))
        .filter(words -> words.stream().anyMatch(held::contains))
        .map(words -> words.get(2))
        .findFirst();
  }

  /** The inodes of a process's sockets, as ss(8) writes them. */
  private static Set<String> inodes(long pid) {
    Set<String> found = new HashSet<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc/" + pid + "/fd"))) {
      for (Path each : all) {
        String target = Files.readSymbolicLink(each).toString();
        if (target.startsWith("socket:[")) {
          found.add("ino:" + target.substring("socket:[".length(), target.length() - 1));
        }
      }
    } catch (IOException ended) {
      return Set.of();
    }
    return found;
  }

  @Override
  public void close() {
    shell.kill();
  }
}
