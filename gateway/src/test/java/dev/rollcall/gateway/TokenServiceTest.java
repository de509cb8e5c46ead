package dev.rollcall.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.gateway.Roles.Who;
import dev.rollcall.gateway.api.PrincipalResolver;
import dev.rollcall.gateway.identity.Identity;
import dev.rollcall.gateway.identity.TokenKeys;
import dev.rollcall.gateway.identity.Tokens;
import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.IdentifyManyResponse;
import dev.rollcall.proto.v1.IssueTokenRequest;
import dev.rollcall.proto.v1.IssueTokenResponse;
import dev.rollcall.proto.v1.Job;
import dev.rollcall.proto.v1.JobServiceGrpc;
import dev.rollcall.proto.v1.ListRequest;
import dev.rollcall.proto.v1.TokenServiceGrpc;
import dev.rollcall.proto.v1.WatchCallsRequest;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.wire.grpc.BearerToken;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who gets a token, and what it opens, by gRPC and by curl. */
@Timeout(180)
class TokenServiceTest {
  @TempDir Path directory = Path.of("unset");
  private Roles roles;

  @BeforeEach
  void start() throws Exception {
    roles = Roles.withTokens(directory);
    FakeAgent node1 = roles.agent(Who.NODE1, "node1", "10.0.0.1");
    node1.tell(FakeAgent.job(7, 1000), List.of());
    node1.tell(FakeAgent.job(8, 1001), List.of());
    node1.complete();
    Await.until("the jobs are there", () -> roles.gateways.memory.jobs().size() == 2);
  }

  @AfterEach
  void stop() {
    roles.close();
  }

  private Channel named(Who who, String uid) {
    var headers = new Metadata();
    headers.put(PrincipalResolver.UID, uid);
    return ClientInterceptors.intercept(
        roles.channel(who), MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  private static Channel bearing(Channel channel, String token) {
    var headers = new Metadata();
    headers.put(BearerToken.AUTHORIZATION, BearerToken.header(token));
    return ClientInterceptors.intercept(
        channel, MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  private static IssueTokenResponse issue(Channel channel, int hours) {
    return TokenServiceGrpc.newBlockingStub(channel)
        .withDeadlineAfter(60, TimeUnit.SECONDS)
        .issueToken(IssueTokenRequest.newBuilder().setHours(hours).build());
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

  private static String refusal(Status.Code code, Runnable call) {
    var failure = assertThrows(StatusRuntimeException.class, call::run);
    assertEquals(code, failure.getStatus().getCode(), failure.toString());
    return String.valueOf(failure.getStatus().getDescription());
  }

  @Test
  void opensWhatItsHolderSeesAndGivesNoOther() {
    IssueTokenResponse alices = issue(named(Who.LOGIN, "1000"), 1);
    assertEquals("uid 1000", alices.getHolder());
    Channel alice = bearing(roles.stranger(), alices.getToken());
    assertEquals(List.of(7L), jobs(alice));
    IssueTokenResponse admins = issue(roles.channel(Who.ADMINISTRATOR), 0);
    assertEquals("administrator alice", admins.getHolder());
    Channel admin = bearing(roles.stranger(), admins.getToken());
    assertEquals(List.of(7L, 8L), jobs(admin));
    for (Channel channel : List.of(alice, admin)) {
      assertEquals(
          "a token cannot be used to get another token",
          refusal(Status.Code.PERMISSION_DENIED, () -> issue(channel, 1)));
    }
    assertTrue(
        refusal(Status.Code.UNAUTHENTICATED, () -> jobs(roles.stranger()))
            .endsWith("proves nothing: a token is missing"));
    assertEquals(
        "the token is not signed with a key of this gateway",
        refusal(
            Status.Code.UNAUTHENTICATED,
            () ->
                jobs(bearing(roles.stranger(), alices.getToken().replaceFirst("[^.]+$", "AAAA")))));
    assertTrue(
        refusal(
                Status.Code.PERMISSION_DENIED,
                () -> jobs(bearing(roles.channel(Who.NODE1), alices.getToken())))
            .endsWith("has a certificate, and needs no token"));
  }

  /** Nobody names another user beside a token. */
  @Test
  void itsHolderAsksInNoOtherName() {
    String token = issue(named(Who.LOGIN, "1000"), 1).getToken();
    var headers = new Metadata();
    headers.put(PrincipalResolver.UID, "1001");
    Channel channel =
        ClientInterceptors.intercept(
            bearing(roles.stranger(), token), MetadataUtils.newAttachHeadersInterceptor(headers));
    assertTrue(
        refusal(Status.Code.PERMISSION_DENIED, () -> jobs(channel))
            .contains("may not ask in a user's name"));
  }

  @Test
  void isGivenToPeopleAlone() {
    assertTrue(
        refusal(Status.Code.PERMISSION_DENIED, () -> issue(named(Who.NODE1, "1000"), 1))
            .startsWith("node node1 is not a login node"));
    for (Who who : List.of(Who.NODE1, Who.LOGIN, Who.SERVICE, Who.GATEWAY)) {
      assertTrue(
          refusal(Status.Code.PERMISSION_DENIED, () -> issue(roles.channel(who), 1))
              .endsWith("is not a user: only users get tokens"),
          who.toString());
    }
    assertEquals(
        "hours: 13 is more than this gateway allows: 12",
        refusal(Status.Code.INVALID_ARGUMENT, () -> issue(roles.channel(Who.ADMINISTRATOR), 13)));
  }

  @Test
  void goesWithCurl() throws Exception {
    String token = issue(named(Who.LOGIN, "1000"), 1).getToken();
    assertTrue(curl("authorization: Bearer " + token).contains("\"jobId\":\"7\""));
    assertTrue(curl("authorization: bearer " + token).contains("\"jobId\":\"7\""));
    String refused = curl("authorization: Bearer rollcall1.AAAA.AAAA");
    assertTrue(refused.contains("\"code\":401"), refused);
    assertTrue(refused.contains("is not signed with a key of this gateway"), refused);
    assertTrue(curl("authorization: Basic YTpi").contains("a token is missing"));
  }

  /** The seconds are of the wall clock, and an expiry is to be seen: nothing else ends these. */
  @Test
  void aStreamEndsWithTheTokenThatBeganIt() throws Exception {
    String token = ofSeconds(4);
    Channel alice = bearing(roles.stranger(), token);
    var watched =
        CallerIdServiceGrpc.newBlockingStub(alice)
            .withDeadlineAfter(60, TimeUnit.SECONDS)
            .watchCalls(WatchCallsRequest.getDefaultInstance());
    var many = new CompletableFuture<Status>();
    var _ =
        CallerIdServiceGrpc.newStub(alice)
            .withDeadlineAfter(60, TimeUnit.SECONDS)
            .identifyMany(ended(many));
    var http =
        CompletableFuture.supplyAsync(
            () -> curl("authorization: Bearer " + token, "/v1/callers:watch"));
    String why = "the token expired: ask for another, by rollcall token";
    assertEquals(
        why, refusal(Status.Code.UNAUTHENTICATED, () -> watched.forEachRemaining(_ -> {})));
    assertEquals(Status.Code.UNAUTHENTICATED, many.get(60, TimeUnit.SECONDS).getCode());
    String told = http.get(60, TimeUnit.SECONDS);
    assertTrue(told.contains("\"code\":401") && told.contains(why), told);
  }

  private String ofSeconds(int seconds) {
    return new Tokens(
            FakeAgent.CLUSTER,
            TokenKeys.read(directory.resolve("token.key")),
            Duration.ofHours(1),
            InstantSource.system())
        .issue(new Identity.Person(1000), Duration.ofSeconds(seconds))
        .text();
  }

  private static StreamObserver<IdentifyManyResponse> ended(CompletableFuture<Status> end) {
    return new StreamObserver<>() {
      @Override
      public void onNext(IdentifyManyResponse answer) {}

      @Override
      public void onError(Throwable cause) {
        end.complete(Status.fromThrowable(cause));
      }

      @Override
      public void onCompleted() {
        end.complete(Status.OK);
      }
    };
  }

  private String curl(String header) {
    return curl(header, "/v1/jobs");
  }

  private String curl(String header, String path) {
    try {
      return curled(header, path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }

  private String curled(String header, String path) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                "curl",
                "--silent",
                "--max-time",
                "30",
                "--cacert",
                roles.files(Who.GATEWAY).ca().toString(),
                "--header",
                header,
                "https://127.0.0.1:" + roles.gateways.gateway(0).port() + path)
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
    return said;
  }
}
