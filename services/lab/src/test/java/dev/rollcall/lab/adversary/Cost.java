package dev.rollcall.lab.adversary;

import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.demo.Stage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What an attack costs others: the gateway's CPU time, and how long the login socket took for bob.
 */
public final class Cost {
  private static final double TICKS_PER_SECOND = 100; // USER_HZ, proc(5)
  private static final Pattern DECIDED =
      Pattern.compile("session \\S+ of uid " + User.BOB.uid() + ": \\S+ in (\\d+) ms");

  private final Stage stage;
  private final long startNanos = System.nanoTime();
  private final long ticks;
  private final int sessions;

  private Cost(Stage stage) {
    this.stage = stage;
    this.ticks = gatewayTicks();
    this.sessions = tookMillis().size();
  }

  public static Cost from(Stage stage) {
    return new Cost(stage);
  }

  private long gatewayTicks() {
    try {
      String stat = Files.readString(Path.of("/proc/" + stage.cluster().gateway().pid() + "/stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Of bob's sessions at node2, oldest first. */
  private List<Long> tookMillis() {
    Path log = stage.cluster().directory().resolve(NodeAddress.NODE2.name() + "/log/agent.log");
    try {
      return DECIDED
          .matcher(Files.readString(log))
          .results()
          .map(result -> Long.valueOf(result.group(1)))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Prints it. It is no pass mark: what else the machine does counts too. */
  public void print(String attack) {
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    double share = 100 * (gatewayTicks() - ticks) / TICKS_PER_SECOND / seconds;
    List<Long> all = tookMillis();
    List<Long> took = all.subList(sessions, all.size()).stream().sorted().toList();
    System.out.printf(
        "[counts] %s: gateway %.1f %% of a core in %.0f s; loginSocket, %d answers: median %s ms,"
            + " p99 %s ms, most %s ms%n",
        attack, share, seconds, took.size(), at(took, 0.5), at(took, 0.99), at(took, 1));
  }

  private static String at(List<Long> sorted, double part) {
    return sorted.isEmpty()
        ? "-"
        : sorted
            .get((int) Math.min(sorted.size() - 1, Math.floor(part * sorted.size())))
            .toString();
  }
}
