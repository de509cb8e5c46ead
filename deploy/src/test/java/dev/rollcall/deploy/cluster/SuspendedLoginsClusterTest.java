package dev.rollcall.deploy.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.cli.demo.Stage;
import dev.rollcall.testkit.cluster.NodeAddress;
import dev.rollcall.testkit.cluster.Running;
import dev.rollcall.testkit.cluster.User;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Real logins, by sshd and PAM, that come while their job is suspended and resumed. */
@Tag("cluster")
@ExtendWith(OnStage.class)
class SuspendedLoginsClusterTest {
  private static final Duration DEADLINE = Duration.ofMinutes(8);

  /** Longer than a login under way is given, so that one that was frozen would show. */
  private static final long SUSPENDED_MS = 3_000;

  private static final long OPEN_MS = 1_500;

  /** 124 is what timeout(1) says of a login that hangs. */
  private static final String LOGIN =
      "said=$(timeout 60 ssh node2 \"grep ^0:: /proc/self/cgroup\" 2>&1);"
          + " printf \"%s %s\\n\" $? \"$(echo $said)\"";

  @Test
  void eachIsInTheJobBeforeOrRefusedAndNoneHangs(Stage stage) throws InterruptedException {
    int logins = Counts.of("logins racing suspend", 60, 1000);
    try (var jobs = stage.begin(1, User.ALICE, stage.node2())) {
      long job = jobs.newest();
      String script = "seq %d | xargs -P 8 -I{} sh -c '%s'".formatted(logins, LOGIN);
      Running storm = stage.cluster().node(NodeAddress.LOGIN).start(User.ALICE, "sh", "-c", script);
      int suspensions = 0;
      while (storm.isAlive() && suspensions < logins * 5) {
        stage.agents().suspend(stage.node2(), job);
        Thread.sleep(SUSPENDED_MS);
        stage.agents().resume(stage.node2(), job);
        suspensions++;
        Thread.sleep(OPEN_MS);
      }
      List<String> said = storm.await(DEADLINE).out().lines().toList();
      assertEquals(logins, said.size(), said::toString);
      Map<String, Long> ends =
          said.stream()
              .collect(Collectors.groupingBy(line -> end(stage, job, line), Collectors.counting()));
      System.out.printf("%d logins, %d suspensions: %s%n", logins, suspensions, ends);
      assertTrue(
          List.of("in the job", "refused", "closed").containsAll(ends.keySet()), ends::toString);
      assertTrue(ends.containsKey("in the job") && ends.containsKey("refused"), ends::toString);
    }
  }

  private static String end(Stage stage, long job, String line) {
    if (line.startsWith("0 0::")) {
      String place = Storm.place(stage.node2().below(line.substring(2).strip()));
      return place.equals("job " + job) ? "in the job" : place;
    }
    // 254 is sshd's where the session phase is refused, after the account phase was not.
    boolean refused = line.startsWith("255 ") || line.startsWith("254 ");
    if (refused && line.contains("job " + job + " is suspended")) {
      return "refused";
    }
    boolean closed = line.contains("onnection closed") || line.contains("onnection reset");
    return line.startsWith("255 ") && closed ? "closed" : line;
  }
}
