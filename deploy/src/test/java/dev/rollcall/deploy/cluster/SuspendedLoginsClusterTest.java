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
import java.util.TreeMap;
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
  private static final int MOST_STORMS = 5;

  private static final String IN = "in the job";
  private static final String REFUSED = "refused";
  private static final String CLOSED = "closed";
  private static final List<String> BOTH = List.of(IN, REFUSED);

  private static final String LOGIN =
      "said=$(timeout 60 ssh node2 \"grep ^0:: /proc/self/cgroup\" 2>&1);"
          + " printf \"%s %s\\n\" $? \"$(echo $said)\"";

  @Test
  void eachIsInTheJobBeforeOrRefusedAndNoneHangs(Stage stage) throws InterruptedException {
    int logins = Counts.of("logins racing suspend", 60, 1000);
    try (var jobs = stage.begin(1, User.ALICE, stage.node2())) {
      long job = jobs.newest();
      var ends = new TreeMap<String, Long>();
      // On a fast node all of a storm may pass during one suspension.
      for (int storm = 0; storm < MOST_STORMS && !ends.keySet().containsAll(BOTH); storm++) {
        storm(stage, job, logins).forEach((end, count) -> ends.merge(end, count, Long::sum));
      }
      assertTrue(List.of(IN, REFUSED, CLOSED).containsAll(ends.keySet()), ends::toString);
      assertTrue(ends.keySet().containsAll(BOTH), ends::toString);
    }
  }

  /** Logins, eight at a time, while the job is suspended and resumed; how they ended. */
  private static Map<String, Long> storm(Stage stage, long job, int logins)
      throws InterruptedException {
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
    return ends;
  }

  private static String end(Stage stage, long job, String line) {
    if (line.startsWith("0 0::")) {
      String place = Storm.place(stage.node2().below(line.substring(2).strip()));
      return place.equals("job " + job) ? IN : place;
    }
    // 254 is sshd's where the session phase is refused, after the account phase was not.
    boolean refused = line.startsWith("255 ") || line.startsWith("254 ");
    if (refused && line.contains("job " + job + " is suspended")) {
      return REFUSED;
    }
    boolean closed = line.contains("onnection closed") || line.contains("onnection reset");
    return line.startsWith("255 ") && closed ? CLOSED : line;
  }
}
