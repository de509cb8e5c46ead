package dev.rollcall.roll;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.model.Endpoint;
import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.NodeName;
import dev.rollcall.port.GatewayMail.Delivery;
import dev.rollcall.port.Roll;
import dev.rollcall.port.Roll.NodeDescription;
import dev.rollcall.port.RollUnavailableException;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.testkit.roll.SettableClock;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A member that hangs without dying, which Hazelcast itself notices after 15 s. */
class HungMemberTest {
  private static final Duration LEASE = Duration.ofSeconds(15);

  /** Well over the bound of 2 s, well under the 15 s after which the member is thrown out. */
  private static final Duration SOON = Duration.ofSeconds(8);

  private final Members members = new Members("hung", new SettableClock());
  private OtherProcess other;
  private Grid grid;

  @BeforeEach
  void startMembers() throws IOException {
    other = OtherProcess.start(members.cluster(), "other:7450");
    grid =
        members.start(
            new GridConfig(
                members.cluster(),
                "here:7450",
                Endpoint.parse("127.0.0.1:0"),
                List.of(other.listening().toString()),
                false),
            member -> member.getProperties().remove("hazelcast.partition.count"));
    Await.until(
        "both hold their share",
        () -> grid.members() == 2 && grid.member().getPartitionService().isClusterSafe());
  }

  @AfterEach
  void endMembers() {
    other.close();
    members.close();
  }

  @Test
  void itsShareIsUnavailableSoonAndAnswersAgainWhenItIsGone() throws Exception {
    String node = nodeOfTheOthersShare();
    other.hang();
    assertTimeout(SOON, () -> assertThrows(RollUnavailableException.class, () -> connect(node)));
    Delivery delivery =
        grid.mail()
            .send("other:7450", new byte[1], Duration.ofMillis(200))
            .toCompletableFuture()
            .get(SOON.toMillis(), TimeUnit.MILLISECONDS);
    String reason = assertInstanceOf(Delivery.Undelivered.class, delivery).reason();
    assertTrue(reason.contains("other:7450"), reason);
    other.close();
    Await.until("it is gone", () -> grid.members() == 1);
    assertInstanceOf(Roll.Standing.Connected.class, connect(node));
  }

  private String nodeOfTheOthersShare() {
    return IntStream.range(0, 1000)
        .mapToObj(i -> "n" + i)
        .filter(node ->
            !grid.member().getPartitionService().getPartition(node).getOwner().localMember())
        .findFirst()
        .orElseThrow();
  }

  private Roll.Standing connect(String node) {
    var epoch = new NodeEpoch(new NodeName(node), "boot", 1);
    return grid.roll()
        .connect(new NodeDescription(epoch, Set.of(), "here:7450", "0.1.0", "sock_ops"), LEASE);
  }
}
