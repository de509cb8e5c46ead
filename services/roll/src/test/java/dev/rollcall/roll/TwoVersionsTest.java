package dev.rollcall.roll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.rollcall.model.Call;
import dev.rollcall.model.Caller;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobProcess;
import dev.rollcall.model.JobState;
import dev.rollcall.model.Membership;
import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.StepId;
import dev.rollcall.port.Roll;
import dev.rollcall.port.Roll.NodeDescription;
import dev.rollcall.port.Roll.Registration;
import dev.rollcall.port.Roll.Standing;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.testkit.roll.SettableClock;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Gateways of two versions in one cluster, as in the middle of an upgrade. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TwoVersionsTest {
  private static final Duration LEASE = Duration.ofSeconds(15);
  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
  private static final NodeName NODE = new NodeName("node1");
  private static final JobId JOB = new JobId(7);

  private final Members members = new Members("versions", new SettableClock());
  private Roll present;
  private Roll later;

  @BeforeEach
  void startMembers() throws IOException {
    Grid first = start("present:7450", List.of(Members.LATER_ONES), /* isLater= */ false);
    Grid second = start("later:7450", List.of(first.listening().toString()), /* isLater= */ true);
    Await.until("they are one cluster", () -> first.members() == 2 && second.members() == 2);
    present = first.roll();
    later = second.roll();
  }

  private Grid start(String gateway, List<String> known, boolean isLater) throws IOException {
    var config =
        new GridConfig(members.cluster(), gateway, Endpoint.parse("127.0.0.1:0"), known, false);
    return members.start(
        config,
        member -> {
          if (isLater) {
            LaterVersion.of(member);
          }
        });
  }

  @AfterEach
  void endMembers() {
    members.close();
  }

  private static Registration connect(Roll roll, String gateway) {
    var said =
        new NodeDescription(
            new NodeEpoch(NODE, "boot", 1),
            Set.of(InetAddress.ofLiteral("10.0.0.1")),
            gateway,
            "0.1.0",
            "sock_ops");
    return assertInstanceOf(Standing.Connected.class, roll.connect(said, LEASE)).registration();
  }

  private static Job job() {
    return new Job(JOB, 1001, 1001, NOON, JobState.OPEN);
  }

  /** A node that goes from one gateway to the other, and what each of them then knows of it. */
  private static void aNodeMoves(Roll from, Roll to) throws Exception {
    Registration before = connect(from, "from:7450");
    from.complete(before);
    Registration registration = connect(to, "to:7450");
    assertInstanceOf(Standing.Replaced.class, from.renew(before, LEASE));
    to.enterJob(
        registration,
        job(),
        "alice",
        List.of(new JobProcess(new ProcessRef(42, 1), StepId.EXTERN, "")),
        NOON);
    to.complete(registration);
    assertInstanceOf(Standing.Connected.class, to.renew(registration, LEASE));
    assertEquals(List.of(job()), from.jobs().stream().map(Roll.JobEntry::job).toList());
    assertEquals(Set.of(NODE), from.processesByPid(Map.of(NODE, Set.of(42))).keySet());
    var call = Connection.tcp(Endpoint.parse("10.0.0.1:50000"), Endpoint.parse("10.0.0.2:22"));
    var made = new Call(call, caller());
    to.enterCalls(registration, List.of(made), Duration.ofMinutes(5));
    Await.until(
        "the other gateway finds the caller",
        () ->
            from.caller(call, Duration.ofDays(1))
                .toCompletableFuture()
                .join()
                .equals(Optional.of(caller())));
    to.strikeCall(registration, call);
    to.strikeJob(registration, JOB);
    assertEquals(List.of(), from.jobs());
  }

  private static Caller caller() {
    return new Caller(
        "c", NODE, new Membership.NoJob(), 1001, new ProcessRef(42, 1), NOON, Optional.of(JOB));
  }

  @Test
  void aNodeMovesToTheLaterVersion() throws Exception {
    aNodeMoves(present, later);
  }

  @Test
  void aNodeMovesBackToTheEarlierVersion() throws Exception {
    aNodeMoves(later, present);
  }
}
