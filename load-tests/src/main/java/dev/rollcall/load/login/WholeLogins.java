package dev.rollcall.load.login;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.load.bench.Bench;
import dev.rollcall.load.bench.BenchCase;
import dev.rollcall.load.bench.BenchFailedException;
import dev.rollcall.load.bench.Figure;
import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.process.RigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code ssh NODE true} from its start to its end, through the real sshd: with ours as a site has
 * it, in auth, account and session; with pam_slurm_adopt in account; and with pam_permit there. For
 * these two sshd runs on other ports, with another file laid over its PAM stack.
 */
final class WholeLogins {
  private static final Duration ENDS_WITHIN = Duration.ofMinutes(15);
  private static final int SSH = 22;

  /**
   * Prints "NODE:PORT MICROSECONDS STATUS" for each login, and for one that failed what was said;
   * bash has the time without a process.
   */
  private static final String BY_TURNS =
      """
      rounds=$1; shift
      said=$(mktemp)
      while [ $((rounds--)) -gt 0 ]; do
        for at; do
          from=${EPOCHREALTIME/./}
          ssh -p "${at#*:}" -o "HostKeyAlias=${at%:*}" "${at%:*}" true </dev/null 2>"$said"
          status=$?
          echo "$at $((${EPOCHREALTIME/./} - from)) $status"
          [ "$status" = 0 ] || tr '[:space:]' ' ' <"$said" >&2
        done
        set -- "${@:2}" "$1"
      done
      rm "$said"
      """;

  private static final String SSHD =
      """
      mount --bind "$1" /etc/pam.d/sshd
      exec /usr/sbin/sshd -f /etc/ssh/sshd_config -p "$2" -o "PidFile=/run/sshd-$2.pid"
      """;

  private final Bench bench;
  private final LoginCluster cluster;
  private final Map<Sshd, List<Double>> took = new HashMap<>();
  private final Map<Sshd, Integer> failed = new HashMap<>();

  /** One of them, as ssh is told. */
  private record Sshd(Module module, NodeAddress node) {
    int port() {
      return switch (module) {
        case OURS -> SSH;
        case FLOOR -> 2222;
        case PEER -> 2223;
      };
    }

    String text() {
      return node.name() + ":" + port();
    }
  }

  private static final Sshd OURS = new Sshd(Module.OURS, LoginCluster.OWN);
  private static final Sshd OURS_ON_SLURMS = new Sshd(Module.OURS, LoginCluster.SLURMS);
  private static final Sshd PEER = new Sshd(Module.PEER, LoginCluster.SLURMS);
  private static final List<Sshd> ALL =
      List.of(
          new Sshd(Module.FLOOR, LoginCluster.OWN),
          OURS,
          new Sshd(Module.FLOOR, LoginCluster.SLURMS),
          OURS_ON_SLURMS,
          PEER);

  WholeLogins(Bench bench, LoginCluster cluster) {
    this.bench = bench;
    this.cluster = cluster;
  }

  /** Starts the sshds that the cluster does not start itself. */
  WholeLogins open() {
    try {
      for (Sshd one : ALL) {
        if (one.module() != Module.OURS) {
          open(one);
        }
      }
      return this;
    } catch (IOException | RigException e) {
      throw new BenchFailedException("sshd does not start: " + e.getMessage(), e);
    }
  }

  private void open(Sshd sshd) throws IOException {
    ClusterNode node = cluster.node(sshd.node());
    String stack = "/etc/pam.d/sshd-" + sshd.module().service();
    var lines = new ArrayList<String>();
    for (String line : Files.readAllLines(node.file("/etc/pam.d/sshd"))) {
      if (!line.contains("pam_rollcall.so")) {
        lines.add(line);
      }
    }
    lines.add(sshd.module().account(node.name()).strip());
    Path file = node.file(stack);
    Files.write(file, lines);
    node.exec(
            User.ROOT,
            "unshare",
            "-m",
            "sh",
            "-euc",
            SSHD,
            "sh",
            stack,
            Integer.toString(sshd.port()))
        .outOrThrow("sshd on port " + sshd.port() + " of " + node.name());
  }

  List<BenchCase> measure(String name, User user, long job) {
    bench.progress().accept(name);
    took.clear();
    failed.clear();
    var argv = new ArrayList<>(List.of("bash", "-c", BY_TURNS, "bash"));
    argv.add(Integer.toString(bench.count(60, 1)));
    ALL.forEach(sshd -> argv.add(sshd.text()));
    try {
      Result said = cluster.fromJob(job, user, argv.toArray(String[]::new)).await(ENDS_WITHIN);
      said.outOrThrow("logins by ssh").lines().forEach(this::take);
      if (!failed.isEmpty()) {
        String why = said.err().strip() + "; " + cluster.logs();
        bench.progress().accept("not in: " + failed + ", " + why);
      }
    } catch (RigException e) {
      throw new BenchFailedException(name + ": " + e.getMessage() + "; " + cluster.logs(), e);
    }
    return List.of(told(name, OURS), told(name + LoginScenes.WITH_SLURMS_JOBS, OURS_ON_SLURMS));
  }

  private void take(String line) {
    String[] words = line.split(" ", -1);
    Sshd sshd =
        ALL.stream()
            .filter(one -> words.length == 3 && one.text().equals(words[0]))
            .findFirst()
            .orElseThrow(() ->
                new BenchFailedException("'" + line + "' is not a node, microseconds, a status"));
    if (words[2].equals("0")) {
      took.computeIfAbsent(sshd, _ -> new ArrayList<>()).add(Long.parseLong(words[1]) / 1e3);
    } else {
      failed.merge(sshd, 1, Integer::sum);
    }
  }

  private BenchCase told(String name, Sshd ours) {
    return BenchCase.of(name, "ms", figure(ours))
        .withPeer(figure(PEER))
        .withFloor(figure(new Sshd(Module.FLOOR, ours.node())))
        .withFact("ours_failed", failed.getOrDefault(ours, 0))
        .withFact("peer_failed", failed.getOrDefault(PEER, 0));
  }

  private Figure figure(Sshd sshd) {
    List<Double> samples = took.getOrDefault(sshd, List.of());
    return Figure.ofSamples(samples.stream().mapToDouble(Double::doubleValue).toArray());
  }
}
