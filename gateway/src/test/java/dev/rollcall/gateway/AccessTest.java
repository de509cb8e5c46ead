package dev.rollcall.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Timestamp;
import dev.rollcall.gateway.Roles.Who;
import dev.rollcall.gateway.api.PrincipalResolver;
import dev.rollcall.model.Call;
import dev.rollcall.model.CallerAnswer;
import dev.rollcall.proto.roll.v1.ConnectRequest;
import dev.rollcall.proto.v1.Adoption;
import dev.rollcall.proto.v1.AdoptionServiceGrpc;
import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.ExplainRequest;
import dev.rollcall.proto.v1.Gateway;
import dev.rollcall.proto.v1.GetRequest;
import dev.rollcall.proto.v1.GetUsageRequest;
import dev.rollcall.proto.v1.IdentifyProcessesRequest;
import dev.rollcall.proto.v1.IdentifyRequest;
import dev.rollcall.proto.v1.JobServiceGrpc;
import dev.rollcall.proto.v1.ListAdoptionsRequest;
import dev.rollcall.proto.v1.ListGatewaysRequest;
import dev.rollcall.proto.v1.ListGatewaysResponse;
import dev.rollcall.proto.v1.ListNodesRequest;
import dev.rollcall.proto.v1.ListOutsideProcessesRequest;
import dev.rollcall.proto.v1.ListProcessesRequest;
import dev.rollcall.proto.v1.ListRequest;
import dev.rollcall.proto.v1.NodeServiceGrpc;
import dev.rollcall.proto.v1.Outcome;
import dev.rollcall.proto.v1.PredictRequest;
import dev.rollcall.proto.v1.PredictResponse;
import dev.rollcall.proto.v1.ProcessOnNode;
import dev.rollcall.proto.v1.WatchUsageRequest;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.wire.CallerMapper;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may ask what, over TLS with a certificate of each kind. */
class AccessTest {
  private static final Set<Who> KNOWN =
      EnumSet.complementOf(EnumSet.of(Who.OTHER_CLUSTER, Who.TWO_ROLES));
  private static final Set<Who> NODES = EnumSet.of(Who.NODE1, Who.NODE2, Who.LOGIN);

  /** A stream that nobody ended before the test did. */
  private static final Status.Code GOES_ON = Status.Code.CANCELLED;

  /** What a call with an empty request comes to for those who may make it. */
  private static final Map<String, Status.Code> MAY =
      Map.ofEntries(
          Map.entry("rollcall.v1.AdoptionService/Adopt", Status.Code.FAILED_PRECONDITION),
          Map.entry("rollcall.v1.AdoptionService/ChooseForCall", Status.Code.FAILED_PRECONDITION),
          Map.entry("rollcall.v1.AdoptionService/Explain", Status.Code.NOT_FOUND),
          Map.entry("rollcall.v1.AdoptionService/ListAdoptions", Status.Code.OK),
          Map.entry("rollcall.v1.AdoptionService/ListSessions", Status.Code.FAILED_PRECONDITION),
          Map.entry("rollcall.v1.AdoptionService/Predict", Status.Code.INVALID_ARGUMENT),
          Map.entry("rollcall.v1.AdoptionService/Switch", Status.Code.FAILED_PRECONDITION),
          Map.entry("rollcall.v1.AdoptionService/WatchAdoptions", GOES_ON),
          Map.entry("rollcall.v1.CallerIdService/Identify", Status.Code.INVALID_ARGUMENT),
          Map.entry("rollcall.v1.CallerIdService/IdentifyMany", Status.Code.INVALID_ARGUMENT),
          Map.entry("rollcall.v1.CallerIdService/IdentifyProcess", Status.Code.INVALID_ARGUMENT),
          Map.entry("rollcall.v1.CallerIdService/IdentifyProcesses", Status.Code.OK),
          Map.entry("rollcall.v1.CallerIdService/WatchCalls", GOES_ON),
          Map.entry("rollcall.v1.JobService/Begin", Status.Code.FAILED_PRECONDITION),
          Map.entry("rollcall.v1.JobService/BeginStep", Status.Code.FAILED_PRECONDITION),
          Map.entry("rollcall.v1.JobService/End", Status.Code.FAILED_PRECONDITION),
          Map.entry("rollcall.v1.JobService/Get", Status.Code.INVALID_ARGUMENT),
          Map.entry("rollcall.v1.JobService/GetUsage", Status.Code.INVALID_ARGUMENT),
          Map.entry("rollcall.v1.JobService/Limit", Status.Code.FAILED_PRECONDITION),
          Map.entry("rollcall.v1.JobService/List", Status.Code.OK),
          Map.entry("rollcall.v1.JobService/ListLeftovers", Status.Code.FAILED_PRECONDITION),
          Map.entry("rollcall.v1.JobService/ListProcesses", Status.Code.INVALID_ARGUMENT),
          Map.entry("rollcall.v1.JobService/Resume", Status.Code.FAILED_PRECONDITION),
          Map.entry("rollcall.v1.JobService/SetDevices", Status.Code.FAILED_PRECONDITION),
          Map.entry("rollcall.v1.JobService/Suspend", Status.Code.FAILED_PRECONDITION),
          Map.entry("rollcall.v1.JobService/Watch", GOES_ON),
          Map.entry("rollcall.v1.JobService/WatchUsage", Status.Code.INVALID_ARGUMENT),
          Map.entry("rollcall.v1.NodeService/ListOutsideProcesses", Status.Code.OK),
          Map.entry("rollcall.v1.NodeService/ListGateways", Status.Code.OK),
          Map.entry("rollcall.v1.NodeService/ListNodes", Status.Code.OK),
          Map.entry("rollcall.v1.TokenService/IssueToken", Status.Code.FAILED_PRECONDITION),
          // An empty event is not a HELLO.
          Map.entry("rollcall.roll.v1.RollService/Connect", Status.Code.INVALID_ARGUMENT));

  @TempDir Path directory = Path.of("unset");
  private Roles roles;

  @BeforeEach
  void start() throws Exception {
    roles = new Roles(directory);
  }

  @AfterEach
  void stop() {
    roles.close();
  }

  private FakeAgent connect() throws Exception {
    FakeAgent node1 = roles.agent(Who.NODE1, "node1", "10.0.0.1");
    FakeAgent node2 = roles.agent(Who.NODE2, "node2", "10.0.0.2");
    node1.tell(FakeAgent.job(7, 1000), List.of(FakeAgent.process(70)));
    node2.tell(FakeAgent.job(7, 1000), List.of(FakeAgent.process(71)));
    node2.tell(FakeAgent.job(8, 1001), List.of(FakeAgent.process(80)));
    node1.complete();
    node2.complete();
    Await.until("the jobs are there", () -> roles.gateways.memory.jobs().size() == 3);
    return node1;
  }

  private Channel named(Who who, String uid) {
    var headers = new Metadata();
    headers.put(PrincipalResolver.UID, uid);
    return ClientInterceptors.intercept(
        roles.channel(who), MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  private static Set<String> jobs(Channel channel) {
    var seen = new TreeSet<String>();
    JobServiceGrpc.newBlockingStub(channel)
        .list(ListRequest.getDefaultInstance())
        .getJobsList()
        .forEach(job -> seen.add(job.getJobId() + "@" + job.getNode()));
    return seen;
  }

  private static CallerAnswer identify(Channel channel, Call call) {
    return CallerMapper.toModel(
        CallerIdServiceGrpc.newBlockingStub(channel)
            .identify(
                IdentifyRequest.newBuilder()
                    .setConnection(CallerMapper.toProto(call.connection()))
                    .build())
            .getAnswer(),
        "answer");
  }

  private <Q, R> CompletableFuture<Status.Code> outcome(Who who, MethodDescriptor<Q, R> method)
      throws Exception {
    Q empty = method.parseRequest(new ByteArrayInputStream(new byte[0]));
    var ended = new CompletableFuture<Status>();
    StreamObserver<R> answers =
        new StreamObserver<>() {
          @Override
          public void onNext(R answer) {}

          @Override
          public void onError(Throwable cause) {
            ended.complete(Status.fromThrowable(cause));
          }

          @Override
          public void onCompleted() {
            ended.complete(Status.OK);
          }
        };
    boolean goesOn = isStream(method);
    var call =
        roles
            .channel(who)
            .newCall(
                method, CallOptions.DEFAULT.withDeadlineAfter(goesOn ? 1 : 20, TimeUnit.SECONDS));
    switch (method.getType()) {
      case UNARY -> ClientCalls.asyncUnaryCall(call, empty, answers);
      case SERVER_STREAMING -> ClientCalls.asyncServerStreamingCall(call, empty, answers);
      case BIDI_STREAMING -> ClientCalls.asyncBidiStreamingCall(call, answers).onNext(empty);
      case CLIENT_STREAMING, UNKNOWN -> throw new AssertionError(method.getFullMethodName());
    }
    // Client and server both hold the deadline.
    return ended
        .thenApply(Status::getCode)
        .thenApply(code -> goesOn && code == Status.Code.DEADLINE_EXCEEDED ? GOES_ON : code)
        .orTimeout(30, TimeUnit.SECONDS);
  }

  private static boolean isStream(MethodDescriptor<?, ?> method) {
    return method.getType() == MethodDescriptor.MethodType.SERVER_STREAMING;
  }

  @Test
  void everyMethodHasARuleForEveryCertificate() throws Exception {
    var started = new TreeMap<String, CompletableFuture<Status.Code>>();
    var expected = new TreeMap<String, Status.Code>();
    for (var service : roles.gateways.gateway(0).served()) {
      for (ServerMethodDefinition<?, ?> method : service.getMethods()) {
        String name = method.getMethodDescriptor().getFullMethodName();
        Status.Code may = MAY.get(name);
        assertTrue(may != null, name + " is served, and nothing says who may call it");
        for (Who who : Who.values()) {
          boolean allowed = name.endsWith("/Connect") ? NODES.contains(who) : KNOWN.contains(who);
          expected.put(who + " " + name, allowed ? may : Status.Code.PERMISSION_DENIED);
          var outcome = outcome(who, method.getMethodDescriptor());
          started.put(who + " " + name, outcome);
          if (!isStream(method.getMethodDescriptor())) {
            outcome.join(); // streams wait for their deadlines together, beside the others
          }
        }
      }
    }
    var outcomes = new TreeMap<String, Status.Code>();
    started.forEach((call, outcome) -> outcomes.put(call, outcome.join()));
    assertEquals(expected, outcomes);
    assertEquals(MAY.size() * Who.values().length, outcomes.size());
  }

  @Test
  void aRefusedCertificateIsNamedWithTheReason() {
    var failure =
        assertThrows(StatusRuntimeException.class, () -> jobs(roles.channel(Who.OTHER_CLUSTER)));
    assertEquals(
        "the certificate of 'cn-OTHER_CLUSTER' is refused: it is for cluster 'jura', but this"
            + " gateway is in 'cluster'",
        failure.getStatus().getDescription());
  }

  @Test
  void everybodySeesTheJobsThatAreTheirs() throws Exception {
    var _ = connect();
    Set<String> all = Set.of("7@node1", "7@node2", "8@node2");
    assertEquals(all, jobs(roles.channel(Who.ADMINISTRATOR)));
    // Root on a node: what is on that node.
    assertEquals(Set.of("7@node1"), jobs(roles.channel(Who.NODE1)));
    assertEquals(Set.of("7@node2", "8@node2"), jobs(named(Who.NODE2, "0")));
    assertEquals(Set.of(), jobs(roles.channel(Who.LOGIN)));
    // A user whom a node names: theirs on that node; on a login node, all of theirs.
    assertEquals(Set.of("7@node1"), jobs(named(Who.NODE1, "1000")));
    assertEquals(Set.of(), jobs(named(Who.NODE1, "1001")));
    assertEquals(Set.of("7@node1", "7@node2"), jobs(named(Who.LOGIN, "1000")));
    assertEquals(Set.of(), jobs(roles.channel(Who.SERVICE)));
    assertEquals(Set.of(), jobs(roles.channel(Who.GATEWAY)));
  }

  private static List<String> restrictions(Channel channel) {
    var stub = JobServiceGrpc.newBlockingStub(channel);
    return List.of(
        stub.list(ListRequest.getDefaultInstance()).getRestriction(),
        stub.get(GetRequest.newBuilder().setJobId(8).build()).getRestriction(),
        stub.listProcesses(ListProcessesRequest.newBuilder().setJobId(8).build()).getRestriction(),
        stub.getUsage(GetUsageRequest.newBuilder().setJobId(8).build()).getRestriction());
  }

  /** The same whether the job exists or not: it is about the client. */
  @Test
  void whoSeesOneNodeOnlyIsToldWhy() throws Exception {
    var _ = connect();
    for (String uid : List.of("1000", "1001", "1002")) {
      String why =
          "this node may not list your jobs of other nodes: it has no certificate of a login node"
              + " ('rollcall ca issue login node1')";
      assertEquals(List.of(why, why, why, why), restrictions(named(Who.NODE1, uid)));
    }
    String root =
        "root of node login1 sees only that node: administrators ask a gateway with a certificate";
    assertEquals(List.of(root, root, root, root), restrictions(roles.channel(Who.LOGIN)));
    for (Channel channel :
        List.<Channel>of(named(Who.LOGIN, "1000"), roles.channel(Who.ADMINISTRATOR))) {
      assertEquals(List.of("", "", "", ""), restrictions(channel));
    }
  }

  /** A year, as the test's certificates. */
  private static boolean isLater(Timestamp ends) {
    return ends.getSeconds() > Instant.now().getEpochSecond();
  }

  @Test
  void theEndsOfCertificatesAreListed() throws Exception {
    var _ = connect();
    var nodes = NodeServiceGrpc.newBlockingStub(roles.channel(Who.ADMINISTRATOR));
    nodes
        .listNodes(ListNodesRequest.getDefaultInstance())
        .getNodesList()
        .forEach(node -> assertTrue(isLater(node.getCertificateEndsAt()), node.toString()));
    var gateways = ListGatewaysRequest.getDefaultInstance();
    Gateway gateway = nodes.listGateways(gateways).getGateways(0);
    assertTrue(isLater(gateway.getCertificateEndsAt()), gateway.toString());
    assertEquals(
        ListGatewaysResponse.getDefaultInstance(),
        NodeServiceGrpc.newBlockingStub(roles.channel(Who.SERVICE)).listGateways(gateways));
  }

  @Test
  void aLoginNodeIsWelcomedAsOne() throws Exception {
    for (Who who : NODES) {
      var agent =
          new FakeAgent(
              roles.channel(who),
              who == Who.LOGIN ? "login1" : who.name().toLowerCase(Locale.ROOT));
      agent.say(agent.hello());
      assertEquals(who == Who.LOGIN, agent.next().getWelcome().getLoginNode(), who.name());
    }
  }

  @Test
  void aJobOfSomebodyElseIsNotThere() throws Exception {
    var _ = connect();
    for (Channel channel :
        List.<Channel>of(
            named(Who.NODE1, "1001"),
            named(Who.LOGIN, "1000"),
            roles.channel(Who.NODE1),
            roles.channel(Who.SERVICE),
            roles.channel(Who.GATEWAY))) {
      var stub = JobServiceGrpc.newBlockingStub(channel);
      assertEquals(
          stub.get(GetRequest.newBuilder().setJobId(99).build()),
          stub.get(GetRequest.newBuilder().setJobId(8).build()));
      assertEquals(
          stub.listProcesses(ListProcessesRequest.newBuilder().setJobId(99).build()),
          stub.listProcesses(ListProcessesRequest.newBuilder().setJobId(8).build()));
      assertEquals(
          stub.getUsage(GetUsageRequest.newBuilder().setJobId(99).build()),
          stub.getUsage(GetUsageRequest.newBuilder().setJobId(8).build()));
      for (long job : List.of(8L, 99L)) {
        var watched = stub.watchUsage(WatchUsageRequest.newBuilder().setJobId(job).build());
        var refused = assertThrows(StatusRuntimeException.class, watched::next);
        assertEquals(Status.Code.NOT_FOUND, refused.getStatus().getCode());
        assertTrue(
            String.valueOf(refused.getMessage())
                .contains("no job " + job + " that you may see is on a node"));
      }
    }
  }

  /** The pids whose job is shown. */
  private static Set<String> identified(Channel channel) {
    var questions =
        IdentifyProcessesRequest.newBuilder()
            .addProcesses(ProcessOnNode.newBuilder().setNode("node1").setPid(70))
            .addProcesses(ProcessOnNode.newBuilder().setNode("node2").setPid(71))
            .addProcesses(ProcessOnNode.newBuilder().setNode("node2").setPid(80));
    var seen = new TreeSet<String>();
    CallerIdServiceGrpc.newBlockingStub(channel)
        .identifyProcesses(questions.build())
        .getAnswersList()
        .forEach(answer -> {
          if (answer.hasInJob()) {
            seen.add(String.valueOf(answer.getInJob().getProcess().getPid()));
          } else {
            assertEquals("no process of yours is known there", answer.getUnknown().getReason());
          }
        });
    return seen;
  }

  @Test
  void everybodyFindsTheProcessesOfJobsThatAreTheirs() throws Exception {
    var _ = connect();
    assertEquals(Set.of("70", "71", "80"), identified(roles.channel(Who.ADMINISTRATOR)));
    assertEquals(Set.of("70"), identified(roles.channel(Who.NODE1)));
    assertEquals(Set.of("71", "80"), identified(named(Who.NODE2, "0")));
    assertEquals(Set.of(), identified(roles.channel(Who.LOGIN)));
    assertEquals(Set.of("70"), identified(named(Who.NODE1, "1000")));
    assertEquals(Set.of(), identified(named(Who.NODE1, "1001")));
    assertEquals(Set.of("70", "71"), identified(named(Who.LOGIN, "1000")));
    assertEquals(Set.of(), identified(roles.channel(Who.SERVICE)));
    assertEquals(Set.of(), identified(roles.channel(Who.GATEWAY)));
  }

  /** Pids at nodes. */
  private static Set<String> outsideProcesses(Channel channel) {
    var seen = new TreeSet<String>();
    NodeServiceGrpc.newBlockingStub(channel)
        .listOutsideProcesses(
            ListOutsideProcessesRequest.newBuilder().addNodes("node1").addNodes("node2").build())
        .getNodesList()
        .forEach(node ->
            node.getOutsideProcessesList()
                .forEach(each -> seen.add(each.getProcess().getPid() + "@" + node.getNode())));
    return seen;
  }

  @Test
  void everybodySeesTheirOwnProcessesInNoJob() throws Exception {
    FakeAgent node1 = roles.agent(Who.NODE1, "node1", "10.0.0.1");
    FakeAgent node2 = roles.agent(Who.NODE2, "node2", "10.0.0.2");
    // A node that is asked about one user may still tell of others.
    node1.escaped(FakeAgent.outsideProcess(70, 1000), FakeAgent.outsideProcess(80, 1001));
    node2.escaped(FakeAgent.outsideProcess(71, 1000), FakeAgent.outsideProcess(81, 1001));
    node1.complete();
    node2.complete();
    Set<String> all = Set.of("70@node1", "80@node1", "71@node2", "81@node2");
    assertEquals(all, outsideProcesses(roles.channel(Who.ADMINISTRATOR)));
    assertEquals(Set.of("70@node1", "80@node1"), outsideProcesses(roles.channel(Who.NODE1)));
    assertEquals(Set.of("71@node2", "81@node2"), outsideProcesses(named(Who.NODE2, "0")));
    assertEquals(Set.of(), outsideProcesses(roles.channel(Who.LOGIN)));
    assertEquals(Set.of("70@node1"), outsideProcesses(named(Who.NODE1, "1000")));
    assertEquals(Set.of("80@node1"), outsideProcesses(named(Who.NODE1, "1001")));
    assertEquals(Set.of("70@node1", "71@node2"), outsideProcesses(named(Who.LOGIN, "1000")));
    assertEquals(Set.of(), outsideProcesses(roles.channel(Who.SERVICE)));
    assertEquals(Set.of(), outsideProcesses(roles.channel(Who.GATEWAY)));
  }

  @Test
  void aDecisionIsThereForThoseWhoSeeTheUsersJobsThere() throws Exception {
    FakeAgent node1 = connect();
    node1.say(
        ConnectRequest.newBuilder()
            .setAdoption(
                Adoption.newBuilder()
                    .setAdoptionId("a-1")
                    .setUid(1000)
                    .setOutcome(Outcome.OUTCOME_ADOPTED))
            .build());
    Await.until(
        "it is known", () -> adoptions(roles.channel(Who.ADMINISTRATOR)).equals(List.of("a-1")));
    for (Channel channel :
        List.<Channel>of(
            roles.channel(Who.NODE1), named(Who.NODE1, "1000"), named(Who.LOGIN, "1000"))) {
      assertEquals(List.of("a-1"), adoptions(channel));
    }
    for (Channel channel :
        List.<Channel>of(
            named(Who.NODE1, "1001"),
            named(Who.NODE2, "1000"),
            named(Who.LOGIN, "1001"),
            roles.channel(Who.NODE2),
            roles.channel(Who.SERVICE),
            roles.channel(Who.GATEWAY))) {
      assertEquals(List.of(), adoptions(channel));
      var hidden =
          assertThrows(
              StatusRuntimeException.class,
              () ->
                  AdoptionServiceGrpc.newBlockingStub(channel)
                      .explain(ExplainRequest.newBuilder().setAdoptionId("a-1").build()));
      assertEquals(Status.Code.NOT_FOUND, hidden.getStatus().getCode());
    }
  }

  private static List<String> adoptions(Channel channel) {
    return AdoptionServiceGrpc.newBlockingStub(channel)
        .listAdoptions(ListAdoptionsRequest.getDefaultInstance())
        .getAdoptionsList()
        .stream()
        .map(Adoption::getAdoptionId)
        .toList();
  }

  /** About whom, on which node, somebody may ask what would be decided. */
  @Test
  void aLoginIsForetoldForThoseWhoWouldSeeIt() throws Exception {
    FakeAgent node1 = connect();
    node1.predict(_ -> PredictResponse.newBuilder().setReason("only-job").build());
    for (Channel channel :
        List.<Channel>of(
            roles.channel(Who.ADMINISTRATOR),
            roles.channel(Who.NODE1),
            named(Who.NODE1, "1000"),
            named(Who.LOGIN, "1000"))) {
      assertEquals("only-job", prediction(channel).getReason());
    }
    for (Channel channel :
        List.<Channel>of(
            roles.channel(Who.NODE2),
            named(Who.NODE2, "1000"),
            named(Who.NODE1, "1001"),
            named(Who.LOGIN, "1001"),
            roles.channel(Who.LOGIN),
            roles.channel(Who.SERVICE),
            roles.channel(Who.GATEWAY))) {
      Status refused =
          assertThrows(StatusRuntimeException.class, () -> prediction(channel)).getStatus();
      assertEquals(Status.Code.PERMISSION_DENIED, refused.getCode());
      assertEquals("you may not ask about uid 1000 on node node1", refused.getDescription());
    }
  }

  private static PredictResponse prediction(Channel channel) {
    return AdoptionServiceGrpc.newBlockingStub(channel)
        .withDeadlineAfter(60, TimeUnit.SECONDS)
        .predict(PredictRequest.newBuilder().setNode("node1").setUid(1000).build());
  }

  @Test
  void aCallIsThereForThoseWhomItConcerns() throws Exception {
    FakeAgent node1 = connect();
    Call login = node1.call("10.0.0.1:40000", "10.0.0.2:22", 1000);
    Call licence = node1.call("10.0.0.1:40001", "10.0.0.5:27000", 1001);
    Call otherPort = node1.call("10.0.0.1:40002", "10.0.0.5:27001", 1001);
    List<Call> calls = List.of(login, licence, otherPort);
    Map<dev.rollcall.model.Connection, Call> made = new HashMap<>();
    calls.forEach(call -> made.put(call.connection(), call));
    node1.answerWith(asked ->
        made.containsKey(asked)
            ? new CallerAnswer.Found(java.util.Objects.requireNonNull(made.get(asked)).caller())
            : new CallerAnswer.Unknown("nothing"));
    var seen = new HashMap<String, List<Boolean>>();
    Map.<String, Channel>of(
            "administrator", roles.channel(Who.ADMINISTRATOR),
            "root at the caller's node", roles.channel(Who.NODE1),
            "root at the called node", roles.channel(Who.NODE2),
            "root at another node", roles.channel(Who.LOGIN),
            "user 1000 at the called node", named(Who.NODE2, "1000"),
            "user 1001 at the called node", named(Who.NODE2, "1001"),
            "user 1001 at a login node", named(Who.LOGIN, "1001"),
            "the licence server", roles.channel(Who.SERVICE),
            "a gateway", roles.channel(Who.GATEWAY))
        .forEach((who, channel) ->
            seen.put(
                who,
                calls.stream()
                    .map(call -> identify(channel, call) instanceof CallerAnswer.Found)
                    .toList()));
    assertEquals(
        Map.of(
            "administrator", List.of(true, true, true),
            "root at the caller's node", List.of(true, true, true),
            "root at the called node", List.of(true, false, false),
            "root at another node", List.of(false, false, false),
            "user 1000 at the called node", List.of(true, false, false),
            "user 1001 at the called node", List.of(false, false, false),
            "user 1001 at a login node", List.of(false, true, true),
            "the licence server", List.of(false, true, false),
            "a gateway", List.of(false, false, false)),
        seen);
  }

  @Test
  void aNodeAsksOnItsStreamAboutItsOwnConnectionsAlone() throws Exception {
    FakeAgent node1 = connect();
    Call call = node1.call("10.0.0.1:40000", "10.0.0.2:22", 1000);
    node1.answerWith(_ -> new CallerAnswer.Found(call.caller()));
    FakeAgent login = roles.agent(Who.LOGIN, "login1", "10.0.0.3");
    assertTrue(login.ask(call.connection()) instanceof CallerAnswer.Unknown);
    FakeAgent called = roles.agent(Who.NODE2, "node2", "10.0.0.2");
    assertEquals(new CallerAnswer.Found(call.caller()), called.ask(call.connection()));
  }

  @Test
  void nodesAloneNameUsers() {
    for (Who who : EnumSet.of(Who.SERVICE, Who.GATEWAY, Who.ADMINISTRATOR)) {
      var failure = assertThrows(StatusRuntimeException.class, () -> jobs(named(who, "1000")));
      assertEquals(Status.Code.PERMISSION_DENIED, failure.getStatus().getCode());
      assertTrue(String.valueOf(failure.getMessage()).contains("only nodes may"));
    }
  }

  @Test
  void servicesAndGatewaysAreToldOfNoNodes() throws Exception {
    var _ = connect();
    for (Who who : KNOWN) {
      int nodes =
          NodeServiceGrpc.newBlockingStub(roles.channel(who))
              .listNodes(ListNodesRequest.getDefaultInstance())
              .getNodesCount();
      assertEquals(EnumSet.of(Who.SERVICE, Who.GATEWAY).contains(who) ? 0 : 2, nodes, who.name());
    }
  }

  @Test
  void nobodyConnectsWithAnotherCertificate() {
    for (Who who : EnumSet.of(Who.NODE2, Who.SERVICE, Who.ADMINISTRATOR, Who.GATEWAY)) {
      var agent = new FakeAgent(roles.channel(who), "node1", "10.0.0.1");
      agent.say(agent.hello());
      assertEquals(Status.Code.PERMISSION_DENIED, agent.end().getCode(), who.name());
    }
  }
}
