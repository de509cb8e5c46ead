package dev.rollcall.lab.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.cluster.Daemon;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.testkit.count.Counts;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.process.Running;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Real logins, by sshd and PAM, at a node whose agent is hung, has its login socket full, or is
 * dead.
 */
@Tag("cluster")
@ExtendWith(OnStage.class)
class DeafAgentClusterTest {
  private static final Duration WITHIN = Duration.ofMinutes(2);

  /** The module waits 1.25 s or 5 s; what waits for the agent takes for ever. */
  private static final long BOUND_MS = 60_000;

  /** Connects until there is no room, says so, and keeps what it has. */
  private static final String CROWD =
      """
      ulimit -n 8192
      exec perl -MSocket=:DEFAULT,SOCK_NONBLOCK -e '
        $| = 1;
        my @crowd;
        while (@crowd < 8000) {
          socket(my $one, AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0) or die "socket: $!";
          connect($one, sockaddr_un($ARGV[0])) or last;
          push @crowd, $one;
        }
        print "full after " . scalar(@crowd) . " connections\\n";
        sleep 600;
      '\
       /run/rollcall/login.sock
      """;

  @Test
  void entersTheNewestJobInTimeAndHoldsUpNobodyElse(Stage stage) throws Exception {
    int logins = Counts.of("logins while the agent is deaf", 5, 30);
    Daemon agent = stage.cluster().agent(NodeAddress.NODE2);
    try (var jobs = stage.begin(2, User.ALICE, stage.node2());
        var bobs = stage.begin(1, User.BOB, stage.node2())) {
      // Alice's jobs are two, and the login node's calls are of none of them: the agent is asked.
      long newest = jobs.newest();
      served(stage, User.ALICE, newest);
      tell("well", logins(stage, User.ALICE, logins));
      signal(agent, "-STOP");
      try {
        guessed(stage, "hung", logins, newest);
        served(stage, User.BOB, bobs.newest());
        Running crowd = stage.node2().start(User.ROOT, "sh", "-c", CROWD);
        try {
          crowd.awaitOutput("full after", WITHIN);
          guessed(stage, "full", logins, newest);
          served(stage, User.BOB, bobs.newest());
        } finally {
          crowd.kill();
        }
      } finally {
        signal(agent, "-CONT");
      }
      served(stage, User.ALICE, newest);
      agent.kill();
      served(stage, User.BOB, bobs.newest());
      served(stage, User.ALICE, newest); // by action_unknown=newest
      agent.start();
      agent.awaitReady();
      stage.awaitConnection();
      served(stage, User.ALICE, newest);
    }
  }

  private static void guessed(Stage stage, String state, int times, long newest) {
    List<Result> results = logins(stage, User.ALICE, times);
    tell(state, results);
    for (Result result : results) {
      assertEquals("job " + newest, place(stage, result), result::toString);
      assertTrue(result.millis() < BOUND_MS, result::toString);
    }
  }

  private static String place(Stage stage, Result login) {
    return Storm.place(stage.node2().below(login.out().strip()));
  }

  /** A login that the busy machine refuses in time comes again. */
  private static void served(Stage stage, User user, long job) {
    Eventually.await(
        WITHIN,
        () -> {
          Result result = login(stage, user);
          return result.ok() && place(stage, result).equals("job " + job);
        },
        () -> "no login: " + login(stage, user) + stage.cluster().logs());
  }

  private static List<Result> logins(Stage stage, User user, int times) {
    return Stream.generate(() -> login(stage, user)).limit(times).toList();
  }

  private static Result login(Stage stage, User user) {
    return stage
        .cluster()
        .node(NodeAddress.LOGIN)
        .exec(user, "timeout", "100", "ssh", "node2", "grep ^0:: /proc/self/cgroup");
  }

  private static void tell(String state, List<Result> results) {
    long[] millis = results.stream().mapToLong(Result::millis).sorted().toArray();
    System.out.printf(
        "logins at an agent that is %s: %d, median %d ms, longest %d ms%n",
        state, millis.length, millis[millis.length / 2], millis[millis.length - 1]);
  }

  private static void signal(Daemon agent, String signal) throws IOException, InterruptedException {
    var kill = new ProcessBuilder("kill", signal, Long.toString(agent.pid())).start();
    assertEquals(0, kill.waitFor());
  }
}
