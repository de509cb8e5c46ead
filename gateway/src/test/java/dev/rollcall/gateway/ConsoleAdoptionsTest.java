package dev.rollcall.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Duration;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import com.google.protobuf.util.JsonFormat;
import dev.rollcall.gateway.TestGateways.World;
import dev.rollcall.gateway.browser.BrowserPage;
import dev.rollcall.gateway.browser.Chromium;
import dev.rollcall.gateway.browser.SharedChromium;
import dev.rollcall.gateway.console.Console;
import dev.rollcall.gateway.http.HttpApi;
import dev.rollcall.proto.v1.Adoption;
import dev.rollcall.proto.v1.Connection;
import dev.rollcall.proto.v1.Endpoint;
import dev.rollcall.proto.v1.ExplainResponse;
import dev.rollcall.proto.v1.JobStep;
import dev.rollcall.proto.v1.Outcome;
import dev.rollcall.proto.v1.WatchAdoptionsResponse;
import dev.rollcall.wire.grpc.Peer;
import dev.rollcall.wire.grpc.VertxSettings;
import dev.rollcall.wire.memory.HeldMemory;
import dev.rollcall.wire.memory.MemoryBudget;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What the console shows of adoptions. The decisions are this test's own, told by a stand-in for
 * that service alone; everything else is the gateway's.
 */
@Tag("browser")
@ExtendWith(SharedChromium.class)
class ConsoleAdoptionsTest {
  private static final Adoption ADOPTED =
      Adoption.newBuilder()
          .setAdoptionId("a1")
          .setNode("node2")
          .setUid(1000)
          .setService("sshd")
          .setOutcome(Outcome.OUTCOME_ADOPTED)
          .setJob(JobStep.newBuilder().setJobId(7).setStep("extern"))
          .setReason("caller-job")
          .setConnection(
              Connection.newBuilder()
                  .setLocal(Endpoint.newBuilder().setAddress("10.0.0.2").setPort(22))
                  .setRemote(Endpoint.newBuilder().setAddress("10.0.0.1").setPort(40000)))
          .setDecidedAt(Timestamp.newBuilder().setSeconds(FakeAgent.NOW.getEpochSecond()))
          .setTook(Duration.newBuilder().setNanos(3_400_000))
          .build();
  private static final Adoption DENIED =
      ADOPTED.toBuilder()
          .setAdoptionId("a2")
          .setUid(1001)
          .setUser("dave")
          .setOutcome(Outcome.OUTCOME_DENIED)
          .clearJob()
          .setReason("caller-unknown")
          .setDoubt("gateway 10.0.0.1:7450 is unreachable")
          .build();
  private static final Adoption ELSEWHERE =
      ADOPTED.toBuilder()
          .setAdoptionId("a3")
          .setReason("caller-elsewhere")
          .setDoubt("the caller on login is in no job")
          .build();

  private final Vertx vertx = VertxSettings.start(VertxSettings.busy());
  private final List<HttpServerResponse> watching = new CopyOnWriteArrayList<>();
  private volatile boolean tells = true;
  private TestGateways gateways;
  private HttpServer server;
  private BrowserPage page;

  @BeforeEach
  void start(Chromium chromium) throws Exception {
    gateways = new TestGateways(World.MEMORY, 1);
    gateways.agent(0, "node1", "10.0.0.1").connectWithoutJobs();
    var node2 = gateways.agent(0, "node2", "10.0.0.2").connect();
    node2.tell(FakeAgent.job(7, 1000), List.of(FakeAgent.process(71)));
    node2.complete();
    var console = new Console(new HttpApi(vertx, gateways.gateway(0).served(), "0.1.0"));
    var memory =
        new HeldMemory(new MemoryBudget(32 << 20, 64 << 20, new SimpleMeterRegistry()), "a test");
    server =
        vertx
            .createHttpServer()
            .requestHandler(request -> {
              if (!answered(request)) {
                console.handle(request, new Peer.Anonymous("127.0.0.1:1"), memory);
              }
            })
            .listen(0, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture()
            .orTimeout(30, TimeUnit.SECONDS)
            .join();
    page = chromium.page();
  }

  @AfterEach
  void stop() throws Exception {
    page.close();
    vertx.close().toCompletionStage().toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    gateways.close();
  }

  private boolean answered(HttpServerRequest request) {
    HttpServerResponse response = request.response();
    String path = String.valueOf(request.path());
    if (!tells && path.startsWith("/v1/adoptions")) {
      fail(response, 404, "NOT_FOUND", "nothing is at " + path);
    } else if (path.equals("/v1/adoptions/a1")) {
      fail(response, 503, "UNAVAILABLE", "node2 does not answer");
    } else if (path.equals("/v1/adoptions/a3")) {
      fail(response, 404, "NOT_FOUND", "no decision a3 is known on node2");
    } else if (path.equals("/v1/adoptions:watch")) {
      response.setChunked(true).putHeader("content-type", "text/event-stream");
      tell(response, ADOPTED);
      watching.add(response);
    } else if (path.equals("/v1/adoptions/a2") && "node2".equals(request.getParam("node"))) {
      response
          .putHeader("content-type", "application/json")
          .end(json(ExplainResponse.newBuilder().setAdoption(DENIED).build()));
    } else {
      return false;
    }
    return true;
  }

  private static void fail(HttpServerResponse response, int code, String status, String message) {
    response
        .setStatusCode(code)
        .putHeader("content-type", "application/json")
        .end(
            """
            {"error": {"code": %d, "status": "%s", "message": "%s", "details": []}}
            """
                .formatted(code, status, message));
  }

  private static void tell(HttpServerResponse response, Adoption adoption) {
    var _ =
        response.write(
            "data: "
                + json(WatchAdoptionsResponse.newBuilder().setAdoption(adoption).build())
                + "\n\n");
  }

  private static String json(Message message) {
    try {
      return JsonFormat.printer()
          .alwaysPrintFieldsWithNoPresence()
          .omittingInsignificantWhitespace()
          .print(message);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(e);
    }
  }

  private void open(String view) {
    page.open(origin() + "/console/#" + view);
  }

  private String origin() {
    return "http://127.0.0.1:" + server.actualPort();
  }

  @Test
  void decisionsAppearAsTheyAreMadeWithTheReasonForEach() throws Exception {
    open("/adoptions");
    page.shows("tbody", "adopted");
    page.shows("tbody", "caller-job The session’s caller is in this job.");
    page.shows("tbody", "3.4 ms");
    vertx.runOnContext(_ -> watching.forEach(response -> tell(response, DENIED)));
    vertx.runOnContext(_ -> watching.forEach(response -> tell(response, ELSEWHERE)));
    page.shows(".listing", "3 decisions");
    page.shows(
        "tbody", "the caller is in none of them. In doubt: the caller on login is in no job");
    page.shows("tbody", "In doubt: gateway 10.0.0.1:7450 is unreachable");
    page.screenshot(Path.of("target/screenshots/adoptions.png"));
    page.viewport(360, 740);
    page.screenshot(Path.of("target/screenshots/adoptions-360.png"));
    assertFalse(page.scrollsSideways());
    open("/");
    page.shows(".figures", "3 recent sessions, 1 denied");
    page.shows(".attention", "1 session was decided without a known caller");
    open("/jobs/7");
    page.shows("main", "2 decisions");
    open("/jobs");
    page.shows("tbody", "bob");
    page.isInOrder(origin());
  }

  @Test
  void aRefusedUserWithoutAJobIsFoundByName() {
    open("/search?q=user%20dave");
    page.shows("main", "No job of a user with this name is known.");
    vertx.runOnContext(_ -> watching.forEach(response -> tell(response, DENIED)));
    page.shows("main", "caller-unknown");
    page.shows("main", "1 decision");
    open("/search?q=user%201001");
    page.shows("main", "User dave");
    page.shows("main", "1 decision");
    page.isInOrder(origin());
  }

  @Test
  void oneDecisionIsExplainedByItsNodeOrAsItWasTold() throws Exception {
    open("/adoptions/node2/a2");
    page.shows(".answer", "The session of user dave on node2 was denied.");
    page.shows(".answer", "the caller is not known");
    page.shows(".facts", "gateway 10.0.0.1:7450 is unreachable");
    page.shows(".facts", "10.0.0.1:40000 → 10.0.0.2:22");
    page.screenshot(Path.of("target/screenshots/why.png"));
    open("/adoptions/node2/a3");
    page.shows(".problem", "It does not exist, or you may not see it. It says: no decision a3");
    // Its node does not answer, and what was told in passing is shown.
    open("/adoptions");
    page.shows("tbody", "adopted");
    page.tabTo("why");
    page.press("Enter");
    page.shows(".answer", "adopted into job 7.");
    page.shows("main", "Shown as it was reported when it was made.");
    assertTrue(page.focused().startsWith("Why: decision a1"), page.focused());
    assertEquals("", page.text(".problem"));
    page.isInOrder(origin(), "/v1/adoptions/");
  }

  @Test
  void aGatewayThatDoesNotTellOfAdoptionsIsSaidToBeOne() {
    tells = false;
    open("/adoptions");
    page.shows("main", "This gateway does not report adoptions");
    open("/adoptions/node1/a1");
    page.shows(".problem", "The decision cannot be shown. This gateway does not report it.");
    assertEquals("", page.text("#links"));
    page.isInOrder(origin(), "/v1/adoptions");
  }
}
