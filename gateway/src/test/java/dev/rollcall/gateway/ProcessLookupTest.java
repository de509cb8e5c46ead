package dev.rollcall.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.gateway.api.PrincipalResolver;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.StepId;
import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.IdentifyProcessRequest;
import dev.rollcall.proto.v1.IdentifyProcessesRequest;
import dev.rollcall.proto.v1.ProcessAnswer;
import dev.rollcall.proto.v1.ProcessAnswer.AnswerCase;
import dev.rollcall.proto.v1.ProcessOnNode;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.wire.CallerMapper;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The jobs of processes, by a gateway that has one node with two jobs and one without. */
class ProcessLookupTest {
  private TestGateways gateways;
  private FakeAgent node1;

  @BeforeEach
  void start() throws Exception {
    gateways = new TestGateways(TestGateways.World.MEMORY, 1);
    node1 = gateways.agent(0, "node1", "10.0.0.1").connect();
    node1.tell(FakeAgent.job(7, 1000), List.of(FakeAgent.process(70), FakeAgent.process(71)));
    node1.tell(FakeAgent.job(8, 1001), List.of(FakeAgent.process(80)));
    node1.complete();
    gateways.agent(0, "node2", "10.0.0.2").connectWithoutJobs();
    Await.until("the jobs are there", () -> gateways.memory.jobs().size() == 2);
    Await.until(
        "node2 is complete", () -> find(everybody(), "node2", 1).getAnswerCase() == IN_NO_JOB);
  }

  private static final AnswerCase IN_NO_JOB = AnswerCase.IN_NO_JOB;

  @AfterEach
  void stop() {
    gateways.close();
  }

  private Channel everybody() {
    return gateways.channel(0);
  }

  private Channel user(String uid) {
    var headers = new Metadata();
    headers.put(PrincipalResolver.UID, uid);
    return ClientInterceptors.intercept(
        everybody(), MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  /** By the roll, as long as no node answers. */
  private static ProcessAnswer find(Channel channel, String node, int pid) {
    return find(channel, ProcessOnNode.newBuilder().setNode(node).setPid(pid));
  }

  private static ProcessAnswer find(Channel channel, ProcessOnNode.Builder process) {
    return CallerIdServiceGrpc.newBlockingStub(channel)
        .identifyProcesses(IdentifyProcessesRequest.newBuilder().addProcesses(process).build())
        .getAnswers(0);
  }

  private static ProcessAnswer findOne(Channel channel, String node, int pid) {
    return CallerIdServiceGrpc.newBlockingStub(channel)
        .identifyProcess(IdentifyProcessRequest.newBuilder().setNode(node).setPid(pid).build())
        .getAnswer();
  }

  @Test
  void aProcessOfAJobIsFoundByNodeAndPid() {
    var found = find(everybody(), "node1", 71).getInJob();
    assertEquals(7, found.getJob().getJobId());
    assertEquals("0", found.getJob().getStep());
    assertEquals(1000, found.getUid());
    assertEquals(CallerMapper.toProto(FakeAgent.process(71).process()), found.getProcess());
    assertEquals(CallerMapper.timestamp(FakeAgent.NOW), found.getSeenAt());
    assertTrue(found.getAge().getSeconds() > 0, found.toString());
    assertFalse(found.getStale());
  }

  @Test
  void anotherProcessWithThatPidIsNotTheOne() {
    var request = ProcessOnNode.newBuilder().setNode("node1").setPid(70);
    assertEquals(7, find(everybody(), request.setStartTime(490)).getInJob().getJob().getJobId());
    assertTrue(find(everybody(), request.setStartTime(491)).hasUnknown());
  }

  @Test
  void aProcessThatNoJobHasIsUnknownWhileItMayHaveStartedSince() {
    assertTrue(
        find(everybody(), "node1", 99).getUnknown().getReason().contains("may have started since"));
    assertEquals(
        "node node9 is not known", find(everybody(), "node9", 99).getUnknown().getReason());
  }

  @Test
  void theNodeItselfAnswersAboutASingleProcess() {
    node1.answerMemberships();
    var none = findOne(everybody(), "node1", 99);
    assertTrue(none.hasInNoJob(), none.toString());
    assertEquals(CallerMapper.timestamp(FakeAgent.NOW), none.getInNoJob().getSeenAt());
    var found = findOne(everybody(), "node1", FakeAgent.NEW_PID).getInJob();
    assertEquals(7, found.getJob().getJobId());
    assertEquals(1000, found.getUid());
    assertEquals(
        7, findOne(user("1000"), "node1", FakeAgent.NEW_PID).getInJob().getJob().getJobId());
    ProcessAnswer others = findOne(user("1001"), "node1", FakeAgent.NEW_PID);
    assertEquals("no process of yours is known there", others.getUnknown().getReason());
    assertEquals(others, findOne(user("1000"), "node1", 99));
    // The process has left the job that the roll has it in.
    assertTrue(findOne(everybody(), "node1", 70).hasInNoJob());
  }

  @Test
  void theRollAnswersForANodeThatDoesNot() {
    assertEquals(7, findOne(everybody(), "node1", 70).getInJob().getJob().getJobId());
    assertTrue(
        findOne(everybody(), "node1", 99)
            .getUnknown()
            .getReason()
            .contains("may have started since"));
    assertEquals(
        "node node9 is not known", findOne(everybody(), "node9", 99).getUnknown().getReason());
  }

  /** Another pid, and a process that had the same pid before. */
  @ParameterizedTest
  @CsvSource({"999,28", "4,29"})
  void anAnswerAboutAnotherProcessIsNotBelieved(int pid, long startTime) {
    node1.answerMemberships(_ ->
        new dev.rollcall.model.ProcessAnswer.InJob(
            new ProcessRef(pid, startTime),
            new JobStep(new JobId(42), StepId.of(0)),
            2002,
            FakeAgent.NOW,
            false));
    var request = IdentifyProcessRequest.newBuilder().setNode("node1").setPid(4).setStartTime(28);
    String reason =
        CallerIdServiceGrpc.newBlockingStub(everybody())
            .identifyProcess(request.build())
            .getAnswer()
            .getUnknown()
            .getReason();
    assertTrue(reason.startsWith("node node1 sent an invalid answer: "), reason);
    assertTrue(reason.contains("is not the process that was asked for"), reason);
  }

  @Test
  void onANodeWithoutJobsEveryProcessIsInNone() {
    var answer = find(everybody(), "node2", 99);
    assertTrue(answer.hasInNoJob(), answer.toString());
    assertTrue(answer.getInNoJob().hasSeenAt());
  }

  @Test
  void aLostNodeAnswersStale() {
    gateways.clock.advance(TestGateways.LEASE.plusSeconds(1));
    Await.until("stale", () -> find(everybody(), "node1", 70).getInJob().getStale());
    assertTrue(find(everybody(), "node2", 99).getUnknown().getReason().contains("is lost"));
  }

  @Test
  void aUserFindsOnlyTheirOwnProcesses() {
    assertEquals(7, find(user("1000"), "node1", 70).getInJob().getJob().getJobId());
    ProcessAnswer nobodys = find(user("1000"), "node9", 1);
    assertEquals(nobodys, find(user("1000"), "node1", 80));
    assertEquals(nobodys, find(user("1000"), "node1", 99));
    assertEquals(nobodys, find(user("1000"), "node2", 99));
    assertEquals("no process of yours is known there", nobodys.getUnknown().getReason());
  }

  @Test
  void manyAreAnsweredInTheOrderOfTheRequest() {
    List<ProcessAnswer> answers =
        CallerIdServiceGrpc.newBlockingStub(everybody())
            .identifyProcesses(
                IdentifyProcessesRequest.newBuilder()
                    .addProcesses(ProcessOnNode.newBuilder().setNode("node1").setPid(80))
                    .addProcesses(ProcessOnNode.newBuilder().setNode("node2").setPid(80))
                    .addProcesses(ProcessOnNode.newBuilder().setNode("node1").setPid(70))
                    .addProcesses(ProcessOnNode.newBuilder().setNode("node1").setPid(80))
                    .build())
            .getAnswersList();
    assertEquals(
        List.of(AnswerCase.IN_JOB, IN_NO_JOB, AnswerCase.IN_JOB, AnswerCase.IN_JOB),
        answers.stream().map(ProcessAnswer::getAnswerCase).toList());
    assertEquals(8, answers.get(0).getInJob().getJob().getJobId());
    assertEquals(7, answers.get(2).getInJob().getJob().getJobId());
  }

  @Test
  void aRequestHasAThousandProcessesAtMost() {
    var request = IdentifyProcessesRequest.newBuilder();
    IntStream.rangeClosed(1, 1_001)
        .forEach(
            pid -> request.addProcesses(ProcessOnNode.newBuilder().setNode("node1").setPid(pid)));
    var stub = CallerIdServiceGrpc.newBlockingStub(everybody());
    var refused =
        assertThrows(StatusRuntimeException.class, () -> stub.identifyProcesses(request.build()));
    assertEquals(Status.Code.INVALID_ARGUMENT, refused.getStatus().getCode());
    node1.answerMemberships();
    IdentifyProcessesRequest most = request.removeProcesses(1_000).build();
    Await.until(
        "the node answers about each",
        () ->
            stub.identifyProcesses(most).getAnswersList().stream()
                    .filter(ProcessAnswer::hasInNoJob)
                    .count()
                == 1_000);
  }

  @Test
  void aNodeThatAnswersAboutFewerIsNotBelieved() {
    node1.answerMemberships();
    node1.leavesAnswersOut();
    String refused = "node node1 sent an invalid answer: membership_answer.answers: 0 are not 1";
    Await.until(
        "the answer is refused",
        () -> find(everybody(), "node1", 70).getUnknown().getReason().equals(refused));
  }

  @Test
  void aProcessThatCannotBeIsRefusedByItsField() {
    var refused = assertThrows(StatusRuntimeException.class, () -> find(everybody(), "node1", 0));
    assertEquals(Status.Code.INVALID_ARGUMENT, refused.getStatus().getCode());
    assertTrue(String.valueOf(refused.getMessage()).contains("pid"));
  }

  @Test
  void theSameIsAnsweredByHttp() throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      var at =
          URI.create(
              "http://127.0.0.1:"
                  + gateways.gateway(0).port()
                  + "/v1/processes:identify?node=node1&pid=70");
      var request = HttpRequest.newBuilder(at).version(HttpClient.Version.HTTP_1_1).build();
      String body = client.send(request, BodyHandlers.ofString()).body();
      assertTrue(body.contains("\"jobId\": \"7\"") || body.contains("\"jobId\":\"7\""), body);
    }
  }
}
