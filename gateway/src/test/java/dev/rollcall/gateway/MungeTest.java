package dev.rollcall.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.gateway.Roles.Who;
import dev.rollcall.gateway.api.PrincipalResolver;
import dev.rollcall.gateway.identity.NamedCertificates;
import dev.rollcall.gateway.limit.Rates;
import dev.rollcall.linux.munge.Encoded;
import dev.rollcall.linux.munge.Munge;
import dev.rollcall.proto.v1.Job;
import dev.rollcall.proto.v1.JobServiceGrpc;
import dev.rollcall.proto.v1.ListRequest;
import dev.rollcall.testkit.munge.Munged;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.wire.grpc.GrpcChannel;
import dev.rollcall.wire.grpc.MungePurpose;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Users without a certificate, with a real munged; root makes credentials of others. */
@Tag("root")
class MungeTest {
  private static final int ALICE = 4711;
  private static final int ADMINISTRATOR = 4712;

  @TempDir Path directory = Path.of("unset");
  private Munged munged;
  private Roles roles;

  @BeforeEach
  void start() throws Exception {
    munged = Munged.start();
    roles =
        new Roles(
            directory,
            new TrustConfig(
                NamedCertificates.NONE,
                Set.of(ADMINISTRATOR),
                Optional.empty(),
                List.of(),
                Optional.of(munged.socket()),
                Duration.ofHours(12),
                Optional.empty(),
                Rates.DEFAULTS));
    FakeAgent node1 = roles.agent(Who.NODE1, "node1", "10.0.0.1");
    node1.tell(FakeAgent.job(7, ALICE), List.of());
    node1.tell(FakeAgent.job(8, 1001), List.of());
    node1.complete();
    Await.until("the jobs are there", () -> roles.gateways.memory.jobs().size() == 2);
  }

  @AfterEach
  void stop() throws Exception {
    roles.close();
    munged.close();
  }

  private static String binding(GrpcChannel channel) throws Exception {
    return channel
        .binding()
        .toCompletionStage()
        .toCompletableFuture()
        .get(60, TimeUnit.SECONDS)
        .orElseThrow();
  }

  private String credential(int uid, String payload) throws Exception {
    Process process =
        new ProcessBuilder(
                "setpriv",
                "--reuid=" + uid,
                "--regid=" + uid,
                "--clear-groups",
                "munge",
                "--socket=" + munged.socket(),
                "--ttl=60",
                "--string=" + payload)
            .start();
    return new String(process.getInputStream().readAllBytes(), UTF_8).strip();
  }

  private static Channel with(Channel channel, String credential) {
    var headers = new Metadata();
    headers.put(MungePurpose.CREDENTIAL, credential);
    return ClientInterceptors.intercept(
        channel, MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  private static List<Long> jobs(Channel channel) {
    return JobServiceGrpc.newBlockingStub(channel)
        .withDeadlineAfter(60, TimeUnit.SECONDS)
        .list(ListRequest.getDefaultInstance())
        .getJobsList()
        .stream()
        .map(Job::getJobId)
        .toList();
  }

  private static void assertRefused(Status.Code code, String words, Channel channel) {
    var failure = assertThrows(StatusRuntimeException.class, () -> jobs(channel));
    assertEquals(code, failure.getStatus().getCode(), failure.toString());
    assertTrue(String.valueOf(failure.getMessage()).contains(words), failure.toString());
  }

  private Channel as(int uid) throws Exception {
    GrpcChannel channel = roles.stranger();
    return with(channel, credential(uid, MungePurpose.payload(binding(channel))));
  }

  @Test
  void aUserSeesTheirJobsAnAdministratorAllAndRootNothing() throws Exception {
    assertEquals(List.of(7L), jobs(as(ALICE)));
    assertEquals(List.of(), jobs(as(4713)));
    assertEquals(List.of(7L, 8L), jobs(as(ADMINISTRATOR)));
    assertEquals(List.of(), jobs(as(0)));
  }

  @Test
  void whatAUserAsksIsALineOfTheAuditLog() throws Exception {
    assertEquals(List.of(7L), jobs(as(ALICE)));
    assertEquals(
        List.of(
            """
            {"writer":"gateway","host":"gate0:7450","role":"person","name":null,"uid":4711,\
            "for_uid":null,"pid":null,"method":"rollcall.v1.JobService/List","job":null,\
            "step":null,"outcome":"done","status":"OK","detail":null}\
            """),
        AuditLines.of(roles.gateways).of("call", 1));
  }

  @Test
  void withoutACredentialNothingIsAnswered() {
    assertRefused(Status.Code.UNAUTHENTICATED, "a munge credential is missing", roles.stranger());
  }

  @Test
  void aCredentialIsGoodForOneCall() throws Exception {
    Channel channel = as(ALICE);
    assertEquals(List.of(7L), jobs(channel));
    assertRefused(Status.Code.UNAUTHENTICATED, "was used before", channel);
  }

  @Test
  void aCredentialIsGoodOnItsConnectionAlone() throws Exception {
    String stolen = credential(ALICE, MungePurpose.payload(binding(roles.stranger())));
    GrpcChannel thief = roles.stranger();
    binding(thief);
    assertRefused(Status.Code.UNAUTHENTICATED, "for another connection", with(thief, stolen));
    String other = credential(ALICE, "ssh me");
    assertRefused(Status.Code.UNAUTHENTICATED, "another connection or purpose", with(thief, other));
  }

  @Test
  void aCredentialOfAnotherKeyIsRefused() throws Exception {
    try (Munged other = Munged.start()) {
      GrpcChannel channel = roles.stranger();
      var made =
          assertInstanceOf(
              Encoded.Credential.class,
              new Munge(other.socket())
                  .encode(MungePurpose.payload(binding(channel)), Duration.ofSeconds(60)));
      assertRefused(
          Status.Code.UNAUTHENTICATED, "not valid: Invalid credential", with(channel, made.text()));
    }
  }

  @Test
  void nobodyConnectsOrNamesUsersByMunge() throws Exception {
    var agent = new FakeAgent(as(0), "node1", "10.0.0.1");
    agent.say(agent.hello());
    assertEquals(Status.Code.PERMISSION_DENIED, agent.end().getCode());
    var headers = new Metadata();
    headers.put(PrincipalResolver.UID, "1001");
    assertRefused(
        Status.Code.PERMISSION_DENIED,
        "may not ask in a user's name",
        ClientInterceptors.intercept(
            as(ALICE), MetadataUtils.newAttachHeadersInterceptor(headers)));
  }

  @Test
  void aCertificateNeedsNoCredential() throws Exception {
    assertRefused(
        Status.Code.PERMISSION_DENIED,
        "service licence has a certificate",
        with(roles.channel(Who.SERVICE), credential(ALICE, "x")));
  }

  @Test
  void aMungedThatHangsIsToldAndHoldsNobodyElse() throws Exception {
    Channel channel = as(ALICE);
    munged.hang();
    assertRefused(Status.Code.UNAVAILABLE, "munged did not answer within 3 s", channel);
    assertEquals(List.of(7L, 8L), jobs(roles.channel(Who.ADMINISTRATOR)));
    munged.goOn();
  }

  @Test
  void aMungedThatIsGoneIsNamedByItsSocket() throws Exception {
    Channel channel = as(ALICE);
    Path socket = munged.socket();
    munged.close();
    assertRefused(Status.Code.UNAVAILABLE, "munged at " + socket, channel);
    munged = Munged.start();
  }
}
