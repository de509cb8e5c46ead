package dev.rollcall.deploy.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.cli.demo.Stage;
import dev.rollcall.testkit.cluster.User;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("cluster")
@ExtendWith(OnStage.class)
class SessionsClusterTest {
  private static final Duration DEADLINE = Duration.ofMinutes(8);

  @Test
  void arriveInTheirCallersJobOneAndAllWhenTwoJobsOpenThemAtOnce(Stage stage) {
    int each = Counts.of("sessions, two jobs each", 60, 1000) / 2;
    try (var jobs = stage.begin(2, User.ALICE, stage.node1(), stage.node2())) {
      long start = System.nanoTime();
      var older = Storm.from(stage, jobs.oldest(), each);
      var newer = Storm.from(stage, jobs.newest(), each);
      var fromOlder = older.arrivals(DEADLINE);
      var fromNewer = newer.arrivals(DEADLINE);
      System.out.printf(
          "%d sessions in %d ms%n", 2 * each, (System.nanoTime() - start) / 1_000_000);
      assertEquals(Map.of("job " + jobs.oldest(), (long) each), fromOlder, stage.cluster()::logs);
      assertEquals(Map.of("job " + jobs.newest(), (long) each), fromNewer, stage.cluster()::logs);
    }
  }
}
