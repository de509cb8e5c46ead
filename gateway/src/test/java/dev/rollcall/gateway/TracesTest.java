package dev.rollcall.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.CallerAnswer.Found;
import dev.rollcall.model.CallerAnswer.Unknown;
import dev.rollcall.model.Connection;
import dev.rollcall.proto.roll.v1.Answer;
import dev.rollcall.proto.roll.v1.ConnectRequest;
import dev.rollcall.proto.roll.v1.Question;
import dev.rollcall.settings.HostPort;
import dev.rollcall.settings.TracesPlace;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.testkit.trace.ReceivedSpan;
import dev.rollcall.testkit.trace.TraceCollector;
import dev.rollcall.wire.CallerMapper;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a collector gets of questions that nodes ask on their streams. */
class TracesTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String SPAN = "00f067aa0ba902b7";
  private static final String TRACEPARENT = "00-" + TRACE + "-" + SPAN + "-01";

  private TraceCollector collector;
  private TestGateways gateways;

  @BeforeEach
  void start() throws IOException {
    collector = TraceCollector.start(0);
    gateways =
        TestGateways.tracing(
            2, new TracesPlace(false, new HostPort("127.0.0.1", collector.port())));
  }

  @AfterEach
  void stop() throws Exception {
    gateways.close();
    collector.close();
  }

  private static ConnectRequest question(Connection call, String traceparent) {
    return ConnectRequest.newBuilder()
        .setQuestion(
            Question.newBuilder()
                .setQuestionId(99)
                .setConnection(CallerMapper.toProto(call))
                .setPatience(CallerMapper.duration(Duration.ofSeconds(2)))
                .setTraceparent(traceparent))
        .build();
  }

  private ReceivedSpan await(String name) {
    Await.until(
        name + " is told",
        () -> collector.spans().stream().anyMatch(span -> span.name().equals(name)));
    return collector.spans().stream()
        .filter(span -> span.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** At its own gateway, or at another, which passes the question on. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aNodesQuestionJoinsItsTraceAndTakesItOnToTheNodeThatIsAsked(int owner) throws Exception {
    var node1 = gateways.agent(owner, "node1", "10.0.0.1").connectWithoutJobs();
    var node2 = gateways.agent(0, "node2", "10.0.0.2").connectWithoutJobs();
    var call = node1.call("10.0.0.1:40000", "10.0.0.2:22");
    node2.say(question(call.connection(), TRACEPARENT));

    Question asked = node1.next().getQuestion();
    node1.say(
        ConnectRequest.newBuilder()
            .setAnswer(
                Answer.newBuilder()
                    .setQuestionId(asked.getQuestionId())
                    .setAnswer(CallerMapper.toProto(new Found(call.caller()))))
            .build());
    CallerAnswer answer = CallerMapper.toModel(node2.next().getAnswer().getAnswer(), "answer");
    assertEquals(new Found(call.caller()), answer);

    ReceivedSpan identify = await("identify");
    ReceivedSpan asking = await("ask node");
    assertEquals(TRACE + " " + SPAN, identify.trace() + " " + identify.parent());
    assertEquals(TRACE + " " + identify.id(), asking.trace() + " " + asking.parent());
    assertEquals("00-" + TRACE + "-" + asking.id() + "-01", asked.getTraceparent());
    assertEquals("node1", asking.attributes().get("rollcall.node"));
    assertEquals("rollcall-gateway", identify.process().get("service.name"));
    assertEquals("SERVER CLIENT", identify.kind() + " " + asking.kind());
  }

  @Test
  void whatNobodyTracesOrIsNoTraceIsAnsweredWithoutSpans() throws Exception {
    var node1 = gateways.agent(0, "node1", "10.0.0.1").connectWithoutJobs();
    node1.answerWith(_ -> new Unknown("asked"));
    var node2 = gateways.agent(0, "node2", "10.0.0.2").connectWithoutJobs();
    Connection call = node1.call("10.0.0.1:40000", "10.0.0.2:22").connection();
    for (String traceparent :
        List.of("", "none", TRACEPARENT.replaceFirst("1$", "0"), "x".repeat(3_000))) {
      node2.say(question(call, traceparent));
      assertTrue(node2.next().hasAnswer());
    }
    node2.say(question(call, TRACEPARENT));
    assertTrue(node2.next().hasAnswer());
    await("identify");
    assertEquals(
        List.of(TRACE), collector.spans().stream().map(ReceivedSpan::trace).distinct().toList());
  }
}
