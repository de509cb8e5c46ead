package dev.rollcall.lab.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.cluster.ClusterShape;
import dev.rollcall.lab.soak.Planned.Attack;
import dev.rollcall.lab.soak.Planned.JobRuns;
import dev.rollcall.lab.soak.Planned.Login;
import dev.rollcall.lab.soak.Planned.Trouble;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class PlanTest {
  private static final ClusterShape SHAPE = new ClusterShape(20, 3);
  private static final Duration TEN_MINUTES = Duration.ofMinutes(10);

  private static Plan plan(long seed) {
    return Plan.of(seed, TEN_MINUTES, SHAPE);
  }

  @Test
  void theSeedDeterminesAllOfIt() {
    assertEquals(plan(7), plan(7));
    assertNotEquals(plan(7).all(), plan(8).all());
  }

  @Test
  void everyKindOfFaultComesInTenMinutesWithinThePlansTime() {
    List<Trouble> troubles = plan(7).only(Trouble.class);
    assertEquals(
        EnumSet.allOf(FaultKind.class),
        troubles.stream()
            .map(Trouble::kind)
            .collect(Collectors.toCollection(() -> EnumSet.noneOf(FaultKind.class))));
    for (Trouble trouble : troubles) {
      assertTrue(trouble.ends().compareTo(TEN_MINUTES.minusSeconds(8)) <= 0, trouble::toString);
      assertTrue(trouble.ends().compareTo(trouble.at()) > 0, trouble::toString);
    }
  }

  @Test
  void noTargetHasTwoFaultsAtOnce() {
    List<Trouble> troubles = plan(3).only(Trouble.class);
    for (Trouble one : troubles) {
      assertTrue(
          troubles.stream()
              .filter(other -> !other.equals(one) && other.target().equals(one.target()))
              .noneMatch(other ->
                  other.at().compareTo(one.ends()) < 0 && one.at().compareTo(other.ends()) < 0),
          one::toString);
    }
  }

  @Test
  void usersAndNodesAreHostileByTurnsAndNeverTwoAtOnce() {
    List<Attack> attacks = plan(7).only(Attack.class);
    assertEquals(
        EnumSet.allOf(AttackKind.class),
        attacks.stream()
            .map(Attack::kind)
            .collect(Collectors.toCollection(() -> EnumSet.noneOf(AttackKind.class))));
    assertTrue(attacks.size() <= 150, () -> "" + attacks.size());
    for (int i = 0; i < attacks.size(); i++) {
      Attack attack = attacks.get(i);
      Duration next = i + 1 < attacks.size() ? attacks.get(i + 1).at() : TEN_MINUTES;
      assertEquals(i % 2 == 1, attack.kind().isOfNode(), attack::toString);
      assertTrue(attack.ends().compareTo(next) < 0, attack::toString);
      assertTrue(
          attack.ends().minus(attack.at()).compareTo(Duration.ofSeconds(5)) <= 0, attack::toString);
    }
  }

  @Test
  void aMinuteHasBothWhateverTheSeed() {
    for (long seed = 0; seed < 100; seed++) {
      List<Attack> attacks = Plan.of(seed, Duration.ofMinutes(1), SHAPE).only(Attack.class);
      assertTrue(attacks.size() >= 4, attacks::toString);
    }
  }

  @Test
  void loginsGoToNodesOfAJobThatIsOpen() {
    Plan plan = plan(5);
    List<JobRuns> jobs = plan.only(JobRuns.class);
    List<Login> logins = plan.only(Login.class);
    assertTrue(logins.size() > 300, () -> "" + logins.size());
    for (Login login : logins) {
      assertTrue(
          jobs.stream()
              .anyMatch(job ->
                  job.owner() == login.user()
                      && job.nodes().contains(login.to())
                      && job.at().compareTo(login.at()) <= 0
                      && job.ends().compareTo(login.at()) > 0),
          login::toString);
    }
  }
}
