package dev.rollcall.agent.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.agent.event.StageHealth;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class GrpcUsersTest {
  private final Map<String, Integer> names = new HashMap<>(Map.of("alice", 1001, "2002", 77));
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  private GrpcUsers listed(String... users) {
    var listed = new GrpcUsers(List.of(users), this::uid, registry);
    listed.lookUp();
    return listed;
  }

  private OptionalInt uid(String name) {
    return Optional.ofNullable(names.get(name)).map(OptionalInt::of).orElse(OptionalInt.empty());
  }

  @Test
  void namesAndUidsAreAdmitted() {
    GrpcUsers listed = listed("alice", "993", "4294967293");
    assertTrue(listed.admits(1001));
    assertTrue(listed.admits(993));
    assertTrue(listed.admits(-3));
    assertFalse(listed.admits(1002));
    assertEquals(
        1, registry.get("rollcall.serve.refused").tag("reason", "not-listed").counter().count());
  }

  @Test
  void aNameOfDigitsIsThatUser() {
    GrpcUsers listed = listed("2002");
    assertTrue(listed.admits(77));
    assertFalse(listed.admits(2002));
  }

  @Test
  void anUnknownNameAdmitsNobodyUntilItIsKnown() {
    GrpcUsers listed = listed("bob");
    assertFalse(listed.admits(0));
    assertEquals(
        new StageHealth(
            "grpc-users",
            false,
            false,
            "grpc_users: this node has no user bob; correct agent.yaml, or create the user"),
        listed.lookUp());
    assertEquals(1, registry.get("rollcall.serve.grpc.users.unknown").gauge().value());
    names.put("bob", 1002);
    assertTrue(listed.lookUp().well());
    assertEquals(0, registry.get("rollcall.serve.grpc.users.unknown").gauge().value());
    assertTrue(listed.admits(1002));
  }

  @Test
  void nobodyIsListedByDefault() {
    assertTrue(listed().isEmpty());
    assertFalse(listed().admits(1001));
  }
}
