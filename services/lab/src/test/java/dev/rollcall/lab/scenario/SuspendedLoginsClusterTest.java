package dev.rollcall.lab.scenario;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.testkit.count.Counts;
import dev.rollcall.testkit.process.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
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

  private static final int LOGINS_AT_ONCE = 8;
  private static final int MOST_SUSPENSIONS = 60;

  private static final String IN = "in the job";
  private static final String REFUSED = "refused";
  private static final String CLOSED = "closed";

  /** Exists as long as logins are to go on, though their number is reached. */
  private static final String GOING_ON = "/run/logins-go-on";

  /** 124 is the status of timeout(1) for a login that hangs. */
  private static final String LOGIN =
      "said=$(timeout 60 ssh node2 \"grep ^0:: /proc/self/cgroup\" 2>&1);"
          + " printf \"%s %s\\n\" $? \"$(echo $said)\"";

  @Test
  void eachIsInTheJobBeforeOrRefusedAndNoneHangs(Stage stage) throws Exception {
    int logins = Counts.of("logins racing suspend", 60, 1000);
    try (var jobs = stage.begin(1, User.ALICE, stage.node2())) {
      Map<String, Long> ends = storm(stage, jobs.newest(), logins);
      assertTrue(Set.of(IN, REFUSED, CLOSED).containsAll(ends.keySet()), ends::toString);
      assertTrue(ends.keySet().containsAll(Set.of(IN, REFUSED)), ends::toString);
    }
  }

  /**
   * Logins, eight at a time, while the job is suspended and resumed; how they ended. On a fast node
   * all of them may come during one suspension, so they go on until both ends were seen.
   */
  private static Map<String, Long> storm(Stage stage, long job, int logins)
      throws IOException, InterruptedException {
    ClusterNode login = stage.cluster().node(NodeAddress.LOGIN);
    Path goingOn = Files.createFile(login.file(GOING_ON));
    int each = (logins + LOGINS_AT_ONCE - 1) / LOGINS_AT_ONCE;
    String script =
        "for line in $(seq %d); do (n=0; while [ $n -lt %d ] || [ -e %s ]; do"
            .concat(" n=$((n + 1)); %s; done) & done; wait")
            .formatted(LOGINS_AT_ONCE, each, GOING_ON, LOGIN);
    Running storm = login.start(User.ALICE, "sh", "-c", script);
    int suspensions = 0;
    while (storm.isAlive() && suspensions < MOST_SUSPENSIONS) {
      stage.agents().suspend(stage.node2(), job);
      Thread.sleep(SUSPENDED_MS);
      stage.agents().resume(stage.node2(), job);
      suspensions++;
      Thread.sleep(OPEN_MS);
      if (ends(stage, job, storm.outSoFar()).keySet().containsAll(Set.of(IN, REFUSED))) {
        Files.deleteIfExists(goingOn);
      }
    }
    Files.deleteIfExists(goingOn);
    Map<String, Long> ends = ends(stage, job, storm.await(DEADLINE).out());
    long all = ends.values().stream().mapToLong(Long::longValue).sum();
    assertTrue(all >= logins, ends::toString);
    System.out.printf("%d logins, %d suspensions: %s%n", all, suspensions, ends);
    return ends;
  }

  /** Counts whole lines only: the last one may still be written. */
  private static Map<String, Long> ends(Stage stage, long job, String said) {
    return said.substring(0, said.lastIndexOf('\n') + 1)
        .lines()
        .collect(Collectors.groupingBy(line -> end(stage, job, line), Collectors.counting()));
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
