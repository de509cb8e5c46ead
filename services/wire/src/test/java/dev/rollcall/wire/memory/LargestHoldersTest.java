package dev.rollcall.wire.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LargestHoldersTest {
  private final List<PeerConnection> open = new ArrayList<>();

  private PeerConnection add(PeerKind kind, String account, long received) {
    var connection = new FakeConnection(kind, account, received);
    open.add(connection);
    return connection;
  }

  private Set<PeerConnection> chosen(Map<Object, Long> held, int peers) {
    return Set.copyOf(LargestHolders.among(open, account -> held.getOrDefault(account, 0L), peers));
  }

  @Test
  void strangersGoBeforeUsersBeforeServicesAndProtectedPeersNever() {
    var node = add(PeerKind.PROTECTED, "node", 1 << 30);
    var service = add(PeerKind.SERVICE, "service", 1 << 20);
    var user = add(PeerKind.USER, "user", 1 << 10);
    var stranger = add(PeerKind.STRANGER, "stranger", 1);
    assertEquals(Set.of(stranger), chosen(Map.of(), 8));
    open.remove(stranger);
    assertEquals(Set.of(user), chosen(Map.of(), 8));
    open.remove(user);
    assertEquals(Set.of(service), chosen(Map.of(), 8));
    open.remove(service);
    assertEquals(List.of(node), open);
    assertEquals(Set.of(), chosen(Map.of(), 8));
  }

  @Test
  void whatIsCountedAndWhatWasReceivedIsWhatAPeerHolds() {
    var small = add(PeerKind.USER, "small", 10);
    var counted = add(PeerKind.USER, "counted", 0);
    var received = add(PeerKind.USER, "received", 500);
    assertEquals(Set.of(counted), chosen(Map.of("counted", 1_000L), 1));
    assertEquals(Set.of(received), chosen(Map.of("counted", 400L), 1));
    assertEquals(Set.of(received, counted), chosen(Map.of("counted", 400L), 2));
    assertEquals(Set.of(received, counted, small), chosen(Map.of("counted", 400L), 4));
  }

  @Test
  void allConnectionsOfAPeerAreOneHolder() {
    var one = add(PeerKind.STRANGER, "many", 40);
    var two = add(PeerKind.STRANGER, "many", 40);
    var other = add(PeerKind.STRANGER, "one", 60);
    assertEquals(Set.of(one, two), chosen(Map.of(), 1));
    open.removeAll(List.of(one, two));
    assertEquals(Set.of(other), chosen(Map.of(), 1));
  }

  @Test
  void whereNothingIsOpenNothingIsChosen() {
    assertEquals(Set.of(), chosen(Map.of(), 1));
  }
}
