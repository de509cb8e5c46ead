package dev.rollcall.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.gateway.Roles.Who;
import dev.rollcall.gateway.api.PrincipalResolver;
import dev.rollcall.gateway.identity.NamedCertificates;
import dev.rollcall.gateway.limit.Rates;
import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.GetRequest;
import dev.rollcall.proto.v1.IdentifyRequest;
import dev.rollcall.proto.v1.JobServiceGrpc;
import dev.rollcall.proto.v1.ListRequest;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.wire.CallerMapper;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the gateway's audit log has of peers with certificates of each kind. */
class AuditTest {
  @TempDir Path directory = Path.of("unset");
  private Roles roles;
  private AuditLines audit = new AuditLines(directory);

  @BeforeEach
  void start() throws Exception {
    roles = new Roles(directory);
    audit = AuditLines.of(roles.gateways);
  }

  @AfterEach
  void stop() {
    roles.close();
  }

  private static void refused(Channel channel) {
    var jobs = JobServiceGrpc.newBlockingStub(channel);
    var list = ListRequest.newBuilder().setUid(1000).build();
    assertThrows(StatusRuntimeException.class, () -> jobs.list(list));
  }

  private Channel named(Who who) {
    var headers = new Metadata();
    headers.put(PrincipalResolver.UID, "1000");
    return ClientInterceptors.intercept(
        roles.channel(who), MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  @Test
  void whoIsRefusedAndWhatAnAdministratorAsksAreLines() {
    refused(roles.channel(Who.OTHER_CLUSTER));
    refused(named(Who.SERVICE));
    // Nobody but an administrator has a line for what is answered.
    var _ =
        JobServiceGrpc.newBlockingStub(roles.channel(Who.NODE1))
            .list(ListRequest.getDefaultInstance());
    var _ =
        JobServiceGrpc.newBlockingStub(roles.channel(Who.ADMINISTRATOR))
            .get(GetRequest.newBuilder().setJobId(7).build());
    List<String> lines = audit.of("call", 3);
    assertTrue(
        lines
            .getFirst()
            .startsWith(
                """
                {"writer":"gateway","host":"gate0:7450","role":"unrecognised",\
                "name":"cn-OTHER_CLUSTER","uid":null,"for_uid":null,"pid":null,\
                "method":"rollcall.v1.JobService/List","job":null,"step":null,\
                "outcome":"refused","status":"PERMISSION_DENIED","detail":"\
                """),
        lines.getFirst());
    var service = new JsonObject(lines.get(1));
    assertEquals("service", service.getString("role"));
    assertTrue(service.getString("detail").endsWith("only nodes may"), service::encode);
    assertEquals(
        """
        {"writer":"gateway","host":"gate0:7450","role":"administrator","name":"alice",\
        "uid":null,"for_uid":null,"pid":null,"method":"rollcall.v1.JobService/Get","job":7,\
        "step":null,"outcome":"done","status":"OK","detail":null}\
        """,
        lines.getLast());
  }

  @Test
  void aNodeThatSaysItIsAnotherIsALine() throws Exception {
    var liar = new FakeAgent(roles.channel(Who.NODE1), "node2", "10.0.0.2");
    liar.say(liar.hello());
    assertEquals(
        List.of(
            """
            {"writer":"gateway","host":"gate0:7450","role":"node","name":"node1","uid":null,\
            "node":"node2","status":"PERMISSION_DENIED",\
            "detail":"the certificate of node node1 is not valid for node node2"}\
            """),
        audit.of("connect", 1));
    assertEquals(List.of(), audit.of("call"));
  }

  @Test
  void anAddressThatIsNotTheNodesIsALine() throws Exception {
    roles.agent(Who.NODE1, "node1", "10.0.0.1", "10.0.0.2");
    assertEquals(
        List.of(
            """
            {"writer":"gateway","host":"gate0:7450","address":"10.0.0.2","nodes":"node1",\
            "outcome":"ignored",\
            "detail":"1 address is not accepted: 10.0.0.2 (the certificate and node_file do not \
            have it)"}\
            """),
        audit.of("address", 1));
  }

  /** With a line for each the node used up what all clients share, and hid refusals of others. */
  @Test
  void addressesThatAreNotTheNodesAreOneLine() throws Exception {
    roles.agent(
        Who.NODE1,
        "node1",
        IntStream.range(0, 4_096)
            .mapToObj(i -> "10.77.%d.%d".formatted(i >> 8, i & 255))
            .toArray(String[]::new));
    refused(named(Who.SERVICE));
    assertEquals(1, audit.of("call", 1).size());
    assertEquals(
        List.of(
            """
            {"writer":"gateway","host":"gate0:7450","address":"10.77.0.0","nodes":"node1",\
            "outcome":"ignored",\
            "detail":"4096 addresses are not accepted: \
            10.77.0.0 (the certificate and node_file do not have it), \
            10.77.0.1 (the certificate and node_file do not have it), \
            10.77.0.2 (the certificate and node_file do not have it), \
            10.77.0.3 (the certificate and node_file do not have it), \
            10.77.0.4 (the certificate and node_file do not have it), \
            10.77.0.5 (the certificate and node_file do not have it), \
            10.77.0.6 (the certificate and node_file do not have it), \
            10.77.0.7 (the certificate and node_file do not have it), \
            …"}\
            """),
        audit.of("address", 1));
    assertEquals(List.of(), audit.of("left-out"));
  }

  @Test
  void anAddressThatTwoNodesClaimIsALineWhenItMatters() throws Exception {
    try (var gateways = new TestGateways(TestGateways.World.MEMORY, 1)) {
      FakeAgent first = gateways.agent(0, "node1", "10.0.0.7").connect();
      gateways.agent(0, "node2", "10.0.0.7").connect();
      var question =
          IdentifyRequest.newBuilder()
              .setConnection(
                  CallerMapper.toProto(first.call("10.0.0.7:5000", "10.0.0.8:22").connection()))
              .build();
      var asking = CallerIdServiceGrpc.newBlockingStub(gateways.channel(0));
      Path file = gateways.audit("gate0:7450");
      Await.until(
          "the dispute is told",
          () -> {
            var _ = asking.identify(question);
            try {
              return Files.exists(file)
                  && Files.readString(file)
                      .contains(
                          """
                          "event":"address","address":"10.0.0.7","nodes":"node1 node2",\
                          "outcome":"disputed"\
                          """);
            } catch (IOException e) {
              throw new AssertionError(e);
            }
          });
    }
  }

  @Test
  void aFullDiskHoldsNoCallAndLosesNoLine() throws Exception {
    Await.until("the start is written", () -> !audit.of("start").isEmpty());
    Files.delete(audit.file());
    // write(2) to it is ENOSPC.
    Files.createSymbolicLink(audit.file(), Path.of("/dev/full"));
    for (int at = 0; at < 3; at++) {
      refused(roles.channel(Who.OTHER_CLUSTER));
    }
    var _ =
        JobServiceGrpc.newBlockingStub(roles.channel(Who.ADMINISTRATOR))
            .list(ListRequest.getDefaultInstance());
    Files.delete(audit.file());
    assertEquals(4, audit.of("call", 4).size());
  }

  @Test
  void whoIsRefusedAgainAndAgainIsCounted() {
    for (int at = 0; at < 100; at++) {
      refused(roles.channel(Who.OTHER_CLUSTER));
    }
    refused(named(Who.SERVICE));
    Await.until("what was left out is told", () -> !audit.of("left-out").isEmpty());
    List<JsonObject> calls = audit.of("call");
    long leftOut = audit.of("left-out").stream().mapToLong(line -> line.getLong("count")).sum();
    assertTrue(calls.size() < 40, () -> calls.size() + " lines");
    assertEquals("service", calls.getLast().getString("role"));
    assertTrue(leftOut + calls.size() <= 101 && leftOut > 0, () -> leftOut + " left out");
  }

  @Test
  void whoAsksTooOftenIsALine() throws Exception {
    var once =
        new TrustConfig(
            NamedCertificates.NONE,
            Set.of(),
            Optional.empty(),
            List.of(),
            Optional.empty(),
            Duration.ofHours(12),
            Optional.empty(),
            new Rates(1, 1, 1));
    try (var bounded = new Roles(Files.createDirectory(directory.resolve("bounded")), once)) {
      var jobs = JobServiceGrpc.newBlockingStub(bounded.channel(Who.NODE1));
      Await.until("a call is one too many", () -> isRefused(jobs));
      assertEquals(
          List.of(
              """
              {"writer":"gateway","host":"gate0:7450","role":"node","name":"node1","uid":null,\
              "for_uid":null,"pid":null,"method":"rollcall.v1.JobService/List","job":null,\
              "step":null,"outcome":"refused","status":"RESOURCE_EXHAUSTED",\
              "detail":"node node1 asks more than 1 times a second"}\
              """),
          AuditLines.of(bounded.gateways).of("call", 1));
    }
  }

  private static boolean isRefused(JobServiceGrpc.JobServiceBlockingStub jobs) {
    try {
      var _ = jobs.list(ListRequest.getDefaultInstance());
      return false;
    } catch (StatusRuntimeException e) {
      assertEquals(Status.Code.RESOURCE_EXHAUSTED, e.getStatus().getCode(), e.toString());
      return true;
    }
  }
}
