package dev.rollcall.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Timestamp;
import dev.rollcall.model.Call;
import dev.rollcall.model.Caller;
import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Membership;
import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.Protocol;
import dev.rollcall.model.StepId;
import dev.rollcall.port.Roll;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CallerMapperTest {
  private static final Connection V4 =
      Connection.tcp(Endpoint.parse("10.77.0.1:40000"), Endpoint.parse("10.77.0.2:22"));
  private static final Connection V6 =
      new Connection(
          Protocol.UDP, Endpoint.parse("[fd77::1]:65535"), Endpoint.parse("[fd77::2]:0"));
  private static final Caller IN_JOB = caller(inJob(42, "extern"));
  private static final Caller IN_NONE = caller(new Membership.NoJob());

  private static Membership inJob(long job, String step) {
    return new Membership.InJob(new JobStep(new JobId(job), new StepId(step)));
  }

  private static Caller caller(Membership membership) {
    return new Caller(
        "cluster",
        new NodeName("node1"),
        membership,
        -2, // nobody's uid on some systems: the upper half of the kernel's range
        new ProcessRef(7, 123456789L),
        Instant.parse("2026-11-20T10:11:12.123456789Z"));
  }

  /** From a login node. */
  private static final Caller ASKING =
      new Caller(
          IN_NONE.cluster(),
          IN_NONE.node(),
          IN_NONE.membership(),
          IN_NONE.uid(),
          IN_NONE.process(),
          IN_NONE.at(),
          java.util.Optional.of(new JobId(42)));

  @Test
  void aConnectionComesBackAsItWas() {
    assertEquals(V4, CallerMapper.toModel(CallerMapper.toProto(V4), "c"));
    assertEquals(V6, CallerMapper.toModel(CallerMapper.toProto(V6), "c"));
  }

  static List<CallerAnswer> answers() {
    return List.of(
        new CallerAnswer.Found(IN_JOB),
        new CallerAnswer.Found(IN_NONE),
        new CallerAnswer.Found(ASKING),
        new CallerAnswer.Unknown("no node has it"),
        new CallerAnswer.Unreachable("node1: no answer"));
  }

  @ParameterizedTest
  @MethodSource("answers")
  void anAnswerComesBackAsItWas(CallerAnswer answer) {
    assertEquals(answer, CallerMapper.toModel(CallerMapper.toProto(answer), "a"));
  }

  @Test
  void aNodeAndACallComeBackAsTheyWere() {
    var description =
        new Roll.NodeDescription(
            new NodeEpoch(new NodeName("node1"), "boot", 3),
            Set.of(V4.local().address(), V6.local().address()),
            "10.0.0.9:7450",
            "0.1.0",
            "sock_ops");
    assertEquals(
        description, NodeMapper.description(NodeMapper.hello("c", description), "10.0.0.9:7450"));
    var call = new Call(V4, IN_JOB);
    assertEquals(call, NodeMapper.call(NodeMapper.announcement(call, 3, 1)));
  }

  @Test
  void aBadWordIsNamedWithItsFieldAndValue() {
    var connection = CallerMapper.toProto(V4).toBuilder();
    connection.getLocalBuilder().setAddress("10.0.3");
    assertNamed("connection.local.address: ", "'10.0.3'", connection.build());

    connection = CallerMapper.toProto(V4).toBuilder();
    connection.getRemoteBuilder().setPort(70_000);
    assertNamed("connection.remote.port: ", "70000", connection.build());

    connection = CallerMapper.toProto(V4).toBuilder().setProtocolValue(9);
    assertNamed("connection.protocol: ", "9", connection.build());

    connection =
        CallerMapper.toProto(V4).toBuilder().setRemote(CallerMapper.toProto(V6).getRemote());
    assertNamed("connection: ", "fd77", connection.build());
  }

  private static void assertNamed(
      String field, String value, dev.rollcall.proto.v1.Connection connection) {
    String text = failure(() -> CallerMapper.toModel(connection, "connection"));
    assertTrue(text.startsWith(field) && text.contains(value), text);
  }

  @Test
  void aCallerWithABadPartIsRefused() {
    var good = CallerMapper.toProto(IN_JOB);
    assertTrue(
        failure(() -> CallerMapper.toModel(good.toBuilder().setNode("a b").build(), "caller"))
            .startsWith("caller.node: 'a b'"));
    var noPid = good.toBuilder();
    noPid.getProcessBuilder().setPid(0);
    assertTrue(
        failure(() -> CallerMapper.toModel(noPid.build(), "caller"))
            .startsWith("caller.process.pid: "));
    var badStep = good.toBuilder();
    badStep.getJobBuilder().setStep("../x");
    assertTrue(
        failure(() -> CallerMapper.toModel(badStep.build(), "caller"))
            .startsWith("caller.job.step: '../x'"));
    var badJob = good.toBuilder();
    badJob.getJobBuilder().setJobId(1L << 40);
    assertTrue(
        failure(() -> CallerMapper.toModel(badJob.build(), "caller"))
            .startsWith("caller.job.job_id: "));
    var never = good.toBuilder().setCalledAt(Timestamp.newBuilder().setSeconds(Long.MAX_VALUE));
    assertTrue(
        failure(() -> CallerMapper.toModel(never.build(), "caller"))
            .startsWith("caller.called_at: "));
  }

  @Test
  void anAnswerThatHoldsNoneIsRefused() {
    assertEquals(
        "answer: holds no answer",
        failure(() ->
            CallerMapper.toModel(
                dev.rollcall.proto.v1.CallerAnswer.getDefaultInstance(), "answer")));
  }

  @Test
  void durationsComeBackAsTheyWere() {
    var patience = Duration.ofMillis(200);
    assertEquals(patience, CallerMapper.duration(CallerMapper.duration(patience), "patience"));
  }

  private static String failure(Runnable run) {
    return String.valueOf(assertThrows(BadWordException.class, run::run).getMessage());
  }
}
