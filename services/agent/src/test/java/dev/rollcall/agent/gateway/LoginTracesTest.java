package dev.rollcall.agent.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.agent.TestNode;
import dev.rollcall.agent.login.socket.ModuleRequest;
import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.NodeName;
import dev.rollcall.proto.loginsocket.v1.LoginReply;
import dev.rollcall.proto.loginsocket.v1.LoginRequest;
import dev.rollcall.proto.loginsocket.v1.Phase;
import dev.rollcall.proto.roll.v1.Answer;
import dev.rollcall.proto.roll.v1.ConnectRequest.EventCase;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import dev.rollcall.proto.roll.v1.Question;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Patience;
import dev.rollcall.testkit.trace.ReceivedSpan;
import dev.rollcall.testkit.trace.TraceCollector;
import dev.rollcall.wire.CallerMapper;
import dev.rollcall.wire.grpc.GrpcChannel;
import dev.rollcall.wire.grpc.KeepAlive;
import dev.rollcall.wire.trace.Span;
import dev.rollcall.wire.trace.SpanSender;
import dev.rollcall.wire.trace.Tracer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a collector gets of logins of users with two jobs, of whose callers a gateway is asked. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LoginTracesTest {
  private static final Connection CALL = TestNode.callFrom(TestNode.FAR, 40_000);

  private TestNode node;
  private FakeGateway gateway;
  private TraceCollector collector;
  private SpanSender sender;

  @BeforeEach
  void start() throws IOException {
    node = new TestNode();
    gateway = new FakeGateway(node.vertx);
    collector = TraceCollector.start(0);
    sender =
        new SpanSender(
            node.vertx,
            new SpanSender.Way(
                "127.0.0.1", collector.port(), Optional.empty(), Map.of("host.name", "node2")),
            new SpanSender.Counts(
                node.registry.counter("spans", "sent", "yes"),
                node.registry.counter("spans", "sent", "no")));
    for (JobId id : List.of(TestNode.OLDER, TestNode.NEWER)) {
      node.jobs.put(new Job(id, TestNode.ALICE, TestNode.ALICE, TestNode.NOON, JobState.OPEN));
    }
  }

  @AfterEach
  void stop() throws IOException {
    TestNode.await(sender.close());
    collector.close();
    gateway.close();
    node.close();
  }

  private void trace(Tracer tracer) {
    node.tracer = tracer;
    node.withStages();
    var self =
        new NodeSelf(
            "test",
            new NodeEpoch(new NodeName("node2"), "boot", 7),
            new AnnouncedAddresses(() -> Set.of(TestNode.HERE)),
            "0.1.0",
            "sock_ops",
            uid -> "user" + uid);
    var way =
        new GatewayTarget(
            "127.0.0.1:" + gateway.port(),
            GrpcChannel.tcp(
                node.vertx, "127.0.0.1", gateway.port(), Optional.empty(), KeepAlive.CALM),
            _ -> {},
            () -> {});
    node.deploy(
        new GatewayVerticle(
            node.vertx,
            node.bus,
            node.beat,
            self,
            List.of(way),
            node.jobs,
            node.workers,
            node.registry,
            tracer));
    node.withLoginSocket();
    gateway.next(EventCase.STATE_COMPLETE);
  }

  private CompletableFuture<LoginReply> knock(LoginRequest.Builder request) {
    return CompletableFuture.supplyAsync(() -> ModuleRequest.ask(node.loginSocket(), request));
  }

  private void answer(Question question) {
    gateway.order(
        ConnectResponse.newBuilder()
            .setAnswer(
                Answer.newBuilder()
                    .setQuestionId(question.getQuestionId())
                    .setAnswer(CallerMapper.toProto(new CallerAnswer.Unknown("nobody calls")))));
  }

  private List<ReceivedSpan> await(String last) {
    Eventually.await(
        Patience.ofSeconds(20),
        () -> collector.spans().stream().anyMatch(span -> span.name().equals(last)),
        () -> "no " + last + " among " + collector.spans());
    return collector.spans();
  }

  private static ReceivedSpan named(List<ReceivedSpan> spans, String name) {
    return spans.stream().filter(span -> span.name().equals(name)).findFirst().orElseThrow();
  }

  @Test
  void aLoginIsOneTraceFromTheDoorToTheReply() {
    trace(sender.tracer(false));
    var replying = knock(ModuleRequest.login(TestNode.ALICE, CALL));
    Question question = gateway.next(EventCase.QUESTION).getQuestion();
    answer(question);
    LoginReply reply = replying.join();
    List<ReceivedSpan> spans = await("login");

    ReceivedSpan login = named(spans, "login");
    assertEquals("", login.parent());
    assertEquals(
        Map.of(
            "rollcall.decision_id",
            reply.getAdoptionId(),
            "rollcall.outcome",
            "adopted",
            "rollcall.reason",
            reply.getReason()),
        login.attributes());
    assertEquals(
        Map.of("decide", 2L, "facts", 1L, "move", 1L, "reply", 1L),
        spans.stream()
            .filter(span -> span.parent().equals(login.id()))
            .collect(Collectors.groupingBy(ReceivedSpan::name, Collectors.counting())));
    ReceivedSpan asking = named(spans, "ask gateway");
    assertEquals(named(spans, "facts").id(), asking.parent());
    assertEquals("00-" + login.trace() + "-" + asking.id() + "-01", question.getTraceparent());
    assertTrue(spans.stream().allMatch(span -> span.trace().equals(login.trace())));
    assertTrue(
        spans.stream()
            .allMatch(span ->
                span.startNanos() >= login.startNanos()
                    && span.startNanos() + span.took().toNanos()
                        <= login.startNanos() + login.took().toNanos()),
        spans.toString());
  }

  @Test
  void theSessionPhaseIsAPartOfTheSameTrace() {
    trace(sender.tracer(false));
    var replying = knock(ModuleRequest.login(TestNode.ALICE, CALL));
    answer(gateway.next(EventCase.QUESTION).getQuestion());
    String decision = replying.join().getAdoptionId();
    var session =
        knock(ModuleRequest.login(TestNode.ALICE, CALL).setPhase(Phase.PHASE_OPEN_SESSION));
    assertEquals(decision, session.join().getAdoptionId());
    List<ReceivedSpan> spans = await("session");
    assertEquals(named(spans, "login").id(), named(spans, "session").parent());
    assertEquals(decision, named(spans, "session").attributes().get("rollcall.decision_id"));
    assertEquals(1, spans.stream().map(ReceivedSpan::trace).distinct().count());
  }

  @Test
  void aUserAndAJobAreNamedWhereTheSiteChoseIt() {
    trace(sender.tracer(true));
    var replying = knock(ModuleRequest.login(TestNode.ALICE, CALL));
    answer(gateway.next(EventCase.QUESTION).getQuestion());
    String job = String.valueOf(replying.join().getJobId());
    ReceivedSpan login = named(await("login"), "login");
    assertEquals("somebody", login.attributes().get("user.name"));
    assertEquals(job, login.attributes().get("rollcall.job_id"));
  }

  @Test
  void anotherNodesQuestionIsAnsweredAsAPartOfItsTrace() {
    trace(sender.tracer(false));
    Span asker = sender.tracer(false).begin("ask node", Span.Kind.CLIENT);
    gateway.order(
        ConnectResponse.newBuilder()
            .setQuestion(
                Question.newBuilder()
                    .setQuestionId(3)
                    .setConnection(CallerMapper.toProto(CALL.flipped()))
                    .setTraceparent(asker.traceparent())));
    assertEquals(3, gateway.next(EventCase.ANSWER).getAnswer().getQuestionId());
    asker.end();
    List<ReceivedSpan> spans = await("ask node");
    assertEquals(named(spans, "ask node").id(), named(spans, "look").parent());
    assertEquals("SERVER", named(spans, "look").kind());
  }

  @Test
  void whoDoesNotTraceAsksNobodyTo() {
    trace(Tracer.OFF);
    var replying = knock(ModuleRequest.login(TestNode.ALICE, CALL));
    Question question = gateway.next(EventCase.QUESTION).getQuestion();
    assertEquals("", question.getTraceparent());
    answer(question);
    assertFalse(replying.join().getAdoptionId().isEmpty());
    assertEquals(0, collector.requests());
  }

  @Test
  void aCollectorThatIsAwayKeepsNoLogin() {
    collector.close();
    trace(sender.tracer(false));
    for (int i = 0; i < 20; i++) {
      var replying =
          knock(ModuleRequest.login(TestNode.ALICE, TestNode.callFrom(TestNode.FAR, 41_000 + i)));
      answer(gateway.next(EventCase.QUESTION).getQuestion());
      assertFalse(replying.join().getAdoptionId().isEmpty());
    }
  }
}
