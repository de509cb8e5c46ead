package dev.rollcall.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.rollcall.gateway.Roles.Who;
import dev.rollcall.gateway.identity.NodeFile;
import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobProcess;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.Prefix;
import dev.rollcall.proto.roll.v1.ConnectRequest;
import dev.rollcall.proto.roll.v1.JobGone;
import dev.rollcall.proto.roll.v1.JobOnNode;
import dev.rollcall.proto.roll.v1.RollServiceGrpc;
import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.IdentifyRequest;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.wire.CallerMapper;
import dev.rollcall.wire.JobMapper;
import dev.rollcall.wire.PrefixMapper;
import dev.rollcall.wire.grpc.MessageLimits;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeStreamTest {
  private TestGateways gateways;

  @BeforeEach
  void start() throws Exception {
    gateways = new TestGateways(TestGateways.World.MEMORY, 1);
  }

  @AfterEach
  void stop() {
    gateways.close();
  }

  private FakeAgent agent(String node, String... addresses) {
    return gateways.agent(0, node, addresses);
  }

  private void assertEnds(FakeAgent agent, Status.Code code, String... words) {
    Status end = agent.end();
    assertEquals(code, end.getCode(), end.toString());
    for (String word : words) {
      assertTrue(String.valueOf(end.getDescription()).contains(word), end.toString());
    }
  }

  private Set<Long> jobs() {
    return gateways.memory.jobs().stream()
        .map(entry -> entry.job().id().number())
        .collect(Collectors.toSet());
  }

  private List<String> versions() {
    return gateways.memory.nodes().stream().map(node -> node.description().version()).toList();
  }

  private List<JobProcess> processesOf(long job) {
    return gateways.memory.processes(new NodeName("node1"), new JobId(job));
  }

  @Test
  void aNodeIsWelcomedAndStandsInTheRoll() throws Exception {
    var agent = agent("node1", "10.0.0.1");
    agent.say(agent.hello());
    var welcome = agent.next().getWelcome();
    assertEquals("gate0:7450", welcome.getGateway());
    assertEquals(TestGateways.LEASE, CallerMapper.duration(welcome.getLease(), "lease"));
    assertEquals(
        TestGateways.LEASE.dividedBy(3),
        CallerMapper.duration(welcome.getHeartbeat(), "heartbeat"));
    assertEquals("node1", gateways.memory.nodes().getFirst().description().epoch().node().text());
  }

  @Test
  void aNodeIsSentTheNetworksOfAllNodesAndLaterChanges() throws Exception {
    var first = agent("node1", "10.0.1.7", "fd77:1::7").connect();
    Set<Prefix> own = prefixes("10.0.1.0/24", "fd77:1::/64");
    assertEquals(own, sent(first));

    var later = agent("node2", "10.0.2.8");
    later.say(later.hello());
    var welcome = later.next().getWelcome();
    assertEquals(own, PrefixMapper.toModel(welcome.getClusterPrefixes(), "welcome").all());

    Set<Prefix> both = prefixes("10.0.1.0/24", "fd77:1::/64", "10.0.2.0/24");
    assertEquals(both, sent(first));
    assertEquals(both, sent(later));
  }

  /** As an agent does before it is ready. */
  @Test
  void aNodeThatAsksAboutACallOfItsOwnAddressIsAskedInTurn() throws Exception {
    var agent = agent("node1", "10.0.0.1").connectWithoutJobs();
    agent.answerWith(_ -> new CallerAnswer.Unknown("nobody made it"));
    var end = new Endpoint(InetAddress.ofLiteral("10.0.0.1"), 1);
    assertEquals(new CallerAnswer.Unknown("nobody made it"), agent.ask(Connection.tcp(end, end)));
  }

  private static Set<Prefix> prefixes(String... texts) {
    return Arrays.stream(texts).map(Prefix::parse).collect(Collectors.toSet());
  }

  private static Set<Prefix> sent(FakeAgent agent) throws InterruptedException {
    var next = agent.prefixes.poll(60, TimeUnit.SECONDS);
    return PrefixMapper.toModel(Objects.requireNonNull(next), "order").all();
  }

  @Test
  void aStreamMustBeginWithHello() {
    var agent = agent("node1", "10.0.0.1");
    agent.heartbeat();
    assertEnds(agent, Status.Code.INVALID_ARGUMENT, "HEARTBEAT", "HELLO");
  }

  @Test
  void aSecondHelloEndsTheStream() throws Exception {
    var agent = agent("node1", "10.0.0.1").connect();
    agent.say(agent.hello());
    assertEnds(agent, Status.Code.INVALID_ARGUMENT, "second HELLO");
  }

  @Test
  void aStreamThatSaysNothingIsSentAway() {
    assertEnds(agent("node1"), Status.Code.DEADLINE_EXCEEDED, "HELLO");
  }

  @Test
  void aNodeOfAnotherClusterIsRefused() {
    var agent = agent("node1", "10.0.0.1");
    agent.say(agent.hello().toBuilder().setCluster("elsewhere").build());
    assertEnds(agent, Status.Code.FAILED_PRECONDITION, "'elsewhere'", "'cluster'");
  }

  @Test
  void anAgentOfADistantVersionIsRefused() {
    var agent = agent("node1", "10.0.0.1");
    agent.say(agent.hello().toBuilder().setVersion("0.3.0").build());
    assertEnds(agent, Status.Code.FAILED_PRECONDITION, "'0.3.0'", "'0.1.0'");
  }

  /** Fields, and an event, that this version does not have. */
  @Test
  void anAgentOfTheNextVersionIsHeardAsFarAsItIsUnderstood() throws Exception {
    var unknown =
        UnknownFieldSet.newBuilder()
            .addField(
                1_000,
                UnknownFieldSet.Field.newBuilder()
                    .addLengthDelimited(ByteString.copyFromUtf8("later"))
                    .build())
            .build();
    var agent = agent("node1", "10.0.0.1");
    agent.say(agent.hello().toBuilder().setVersion("0.2.0").setUnknownFields(unknown).build());
    assertTrue(agent.next().hasWelcome());
    agent.say(ConnectRequest.newBuilder().setUnknownFields(unknown).build());
    agent.complete();
    agent.say(ConnectRequest.newBuilder().setUnknownFields(unknown).build());
    agent.tell(FakeAgent.job(7, 1000), List.of());
    Await.until("the job is in the roll", () -> jobs().equals(Set.of(7L)));
    assertEquals(List.of("0.2.0"), versions());
  }

  @Test
  void anAddressOfThreeBytesIsRefusedByItsName() {
    var agent = agent("node1", "10.0.0.1");
    agent.say(agent.hello().toBuilder().addAddresses(ByteString.copyFrom(new byte[3])).build());
    assertEnds(agent, Status.Code.INVALID_ARGUMENT, "hello.addresses[1]");
  }

  @Test
  void aLaterStreamOfANodeEndsTheEarlierOneByName() throws Exception {
    var first = agent("node1", "10.0.0.1").connectWithoutJobs();
    var second = agent("node1", "10.0.0.1").connectWithoutJobs();
    assertEnds(first, Status.Code.ABORTED, "node1", "newer stream");
    second.tell(FakeAgent.job(7, 1000), List.of());
    Await.until("the second stream is heard", () -> jobs().equals(Set.of(7L)));
  }

  @Test
  void anEarlierRunOfAnAgentCannotComeBack() throws Exception {
    var later = agent("node1", "10.0.0.1").epoch(5).connectWithoutJobs();
    var earlier = agent("node1", "10.0.0.1").epoch(4);
    earlier.say(earlier.hello());
    assertEnds(earlier, Status.Code.ABORTED, "node1", "epoch 5");
    assertFalse(later.hasEnded());
  }

  @Test
  void jobsAreToldWholeThenAsChanges() throws Exception {
    var agent = agent("node1", "10.0.0.1").connect();
    agent.tell(FakeAgent.job(7, 1000), List.of(FakeAgent.process(1), FakeAgent.process(2)));
    agent.complete();
    agent.say(
        ConnectRequest.newBuilder()
            .setJob(
                JobOnNode.newBuilder()
                    .setJob(
                        JobMapper.toProto(FakeAgent.job(7, 1000), new NodeName("node1"), "", false))
                    .setObservedAt(CallerMapper.timestamp(FakeAgent.NOW))
                    .addProcesses(JobMapper.member(FakeAgent.process(3)))
                    .addGone(CallerMapper.toProto(FakeAgent.process(1).process())))
            .build());
    Await.until(
        "the change is in the roll",
        () ->
            new HashSet<>(processesOf(7))
                .equals(Set.of(FakeAgent.process(2), FakeAgent.process(3))));
    agent.say(ConnectRequest.newBuilder().setJobGone(JobGone.newBuilder().setJobId(7)).build());
    Await.until("the job is gone", () -> jobs().isEmpty());
  }

  @Test
  void whatWasToldBeforeStaysUntilTheFullStateIsTold() throws Exception {
    var first = agent("node1", "10.0.0.1").connect();
    first.tell(FakeAgent.job(1, 1000), List.of());
    first.tell(FakeAgent.job(2, 1000), List.of());
    first.complete();
    Await.until("both are there", () -> jobs().equals(Set.of(1L, 2L)));

    var halfway = agent("node1", "10.0.0.1").epoch(2).connect();
    halfway.tell(FakeAgent.job(2, 1000), List.of());
    halfway.tell(FakeAgent.job(3, 1000), List.of());
    Await.until("the new one is there too", () -> jobs().equals(Set.of(1L, 2L, 3L)));
    halfway.vanish();
    assertEquals(Status.Code.CANCELLED, halfway.end().getCode());
    assertEquals(Set.of(1L, 2L, 3L), jobs());

    var whole = agent("node1", "10.0.0.1").epoch(3).connect();
    whole.tell(FakeAgent.job(3, 1000), List.of());
    whole.complete();
    Await.until("what was not told again is gone", () -> jobs().equals(Set.of(3L)));
  }

  @Test
  void aFullStateOfSixtyThousandProcessesArrives() throws Exception {
    var agent = agent("node1", "10.0.0.1").connect();
    int members = 20_000;
    List<JobProcess> processes =
        IntStream.rangeClosed(1, members)
            .mapToObj(pid -> FakeAgent.process(1_000_000 + pid))
            .toList();
    for (int job = 1; job <= 3; job++) {
      agent.tell(FakeAgent.job(job, 1000), processes);
    }
    agent.complete();
    Await.until("every job is there", () -> jobs().size() == 3);
    Await.until("with every process", () -> processesOf(3).size() == members);
  }

  @Test
  void anEventOverTheLimitIsRefusedByItsSize() throws Exception {
    var agent = agent("node1", "10.0.0.1").connectWithoutJobs();
    agent.say(
        agent.hello().toBuilder().setVersion("x".repeat(MessageLimits.MESSAGE_BYTES)).build());
    assertEnds(agent, Status.Code.RESOURCE_EXHAUSTED, "1048576");
    assertFalse(agent("node1", "10.0.0.1").connectWithoutJobs().hasEnded());
  }

  @Test
  void nonsenseInAnEventIsRefusedByItsField() throws Exception {
    var agent = agent("node1", "10.0.0.1").connectWithoutJobs();
    agent.say(ConnectRequest.newBuilder().setJob(JobOnNode.getDefaultInstance()).build());
    assertEnds(agent, Status.Code.INVALID_ARGUMENT, "job.job.job_id");
  }

  @Test
  void aNodeSpeaksOfItsOwnCallsAlone() throws Exception {
    var agent = agent("node1", "10.0.0.1").connectWithoutJobs();
    var other = agent("node2", "10.0.0.2").connectWithoutJobs();
    agent.announce(other.call("10.0.0.2:1000", "10.0.0.3:22"), 1); // another node's
    agent.announce(agent.call("10.0.0.9:1000", "10.0.0.3:22"), 1); // not its address
    agent.announce(agent.call("10.0.0.1:1000", "10.0.0.3:22"), 1);
    Await.until("its own call is there", () -> knows("10.0.0.1:1000"));
    assertFalse(knows("10.0.0.2:1000"));
    assertFalse(knows("10.0.0.9:1000"));
  }

  private boolean knows(String from) {
    return knows(gateways, from);
  }

  private static boolean knows(TestGateways gateways, String from) {
    return gateways
        .memory
        .caller(
            Connection.tcp(Endpoint.parse(from), Endpoint.parse("10.0.0.3:22")), Duration.ofDays(1))
        .join()
        .isPresent();
  }

  /** Of the addresses 10.0.0.1, of the certificate, and 10.1.0.1. Node2 reports 10.3.0.3. */
  @Test
  void aNodeConnectsAgainWhenItsAddressesInTheFileChange(@TempDir Path directory) throws Exception {
    Path hosts = Files.writeString(directory.resolve("hosts"), "10.2.0.2 node2\n");
    var file = Optional.of(NodeFile.read(hosts));
    try (var roles = Roles.withAddresses(directory, file, "10.3.0.0/24")) {
      var other = roles.agent(Who.NODE2, "node2", "10.0.0.2", "10.3.0.3");
      for (String line : List.of("10.1.0.1 node1\n", "")) {
        var agent = roles.agent(Who.NODE1, "node1", "10.0.0.1", "10.1.0.1");
        replace(hosts, "10.2.0.2 node2\n" + line);
        assertEnds(agent, Status.Code.UNAVAILABLE, "node_file", "connect again");
        var again = roles.agent(Who.NODE1, "node1", "10.0.0.1", "10.1.0.1");
        again.complete();
        String port = ":" + (1000 + line.length());
        again.announce(again.call("10.1.0.1" + port, "10.0.0.3:22"), 1);
        again.announce(again.call("10.0.0.1" + port, "10.0.0.3:22"), 2);
        Await.until("its call is there", () -> knows(roles.gateways, "10.0.0.1" + port));
        assertEquals(!line.isEmpty(), knows(roles.gateways, "10.1.0.1" + port));
        again.vanish();
      }
      assertFalse(other.hasEnded());
      assertEquals(0, other.refused().count());
      replace(hosts, "10.2.0.2 node2\n10.3.0.3 node1\n");
      assertEnds(other, Status.Code.UNAVAILABLE, "node_file", "connect again");
      assertEquals(
          "1 address is not accepted: 10.3.0.3 (node_file has it for node1)",
          roles.agent(Who.NODE2, "node2", "10.0.0.2", "10.3.0.3").refused().toString());
    }
  }

  private static void replace(Path file, String text) throws IOException {
    Path next = Files.writeString(file.resolveSibling("next"), text);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** From node1, which lets it go later than node2 has it. In between it is neither's. */
  @Test
  void anAddressThatNodesReportMovesAndIsNeithersInBetween(@TempDir Path directory)
      throws Exception {
    try (var roles = Roles.withNetwork(directory, "10.1.0.0/24")) {
      var node1 = roles.agent(Who.NODE1, "node1", "10.0.0.1", "10.1.0.7");
      announced(roles, node1, "10.1.0.7:1", true);
      var node2 = roles.agent(Who.NODE2, "node2", "10.0.0.2", "10.1.0.7");
      assertEquals(
          "1 address is not accepted: 10.1.0.7 (claimed by node node1, too)",
          String.valueOf(node2.refused()));
      announced(roles, node2, "10.1.0.7:2", false);
      announced(roles, node1, "10.1.0.7:3", false);
      node1.vanish();
      roles.agent(Who.NODE1, "node1", "10.0.0.1");
      Await.until("node2 is told that it counts", () -> node2.refused().count() == 0);
      announced(roles, node2, "10.1.0.7:4", true);
      assertFalse(knows(roles.gateways, "10.1.0.7:1"));
    }
  }

  @Test
  void aNodeDoesNotGetTheAddressOfAnotherNodesCertificateByItsReport(@TempDir Path directory)
      throws Exception {
    try (var roles = Roles.withNetwork(directory, "10.0.0.0/16")) {
      var hostile = roles.agent(Who.NODE2, "node2", "10.0.0.2", "10.0.0.1", "10.0.9.9");
      assertEquals(0, hostile.refused().count());
      var victim = roles.agent(Who.NODE1, "node1", "10.0.9.8"); // its card is down
      Await.until(
          "node2 is told",
          () ->
              String.valueOf(hostile.refused())
                  .equals(
                      "1 address is not accepted: 10.0.0.1 (it is listed for another node, which"
                          + " does not have it)"));
      announced(roles, hostile, "10.0.0.1:1", false);
      announced(roles, hostile, "10.0.9.9:1", true);
      victim.vanish();
      var again = roles.agent(Who.NODE1, "node1", "10.0.0.1");
      announced(roles, again, "10.0.0.1:2", true);
      assertEquals(0, again.refused().count());
      Await.until(
          "node2 is told whose it is",
          () ->
              String.valueOf(hostile.refused())
                  .equals("1 address is not accepted: 10.0.0.1 (it is listed for node node1)"));
    }
  }

  /** A call counts, or another one that follows it counts and this one does not. */
  private void announced(Roles roles, FakeAgent node, String from, boolean counts)
      throws Exception {
    node.complete();
    node.announce(node.call(from, "10.0.0.3:22"), 1);
    if (counts) {
      Await.until("the call is there", () -> knows(roles.gateways, from));
    } else {
      String own = node.node().equals("node1") ? "10.0.0.1" : "10.0.0.2";
      String after = own + from.substring(from.indexOf(':'));
      node.announce(node.call(after, "10.0.0.3:22"), 2);
      Await.until("the next one is there", () -> knows(roles.gateways, after));
      assertFalse(knows(roles.gateways, from));
    }
  }

  @Test
  void heartbeatsRenewTheLeaseAndSilenceEndsIt() throws Exception {
    var agent = agent("node1", "10.0.0.1").connectWithoutJobs();
    var silent = agent("node2", "10.0.0.2").connectWithoutJobs();
    silent.announce(silent.call("10.0.0.2:1000", "10.0.0.3:22"), 1);
    Await.until("the call is there", () -> knows("10.0.0.2:1000"));
    gateways.clock.advance(TestGateways.LEASE.minusSeconds(1));
    agent.heartbeat();
    Await.until("the heartbeat is heard", () -> heardNow("node1"));
    gateways.clock.advance(Duration.ofSeconds(2));
    Await.until("node2 is lost, node1 is not", () -> lost().equals(Set.of("node2")));
    assertFalse(knows("10.0.0.2:1000"));
    silent.heartbeat();
    assertEnds(silent, Status.Code.ABORTED, "node2", "connect again");
    assertFalse(agent.hasEnded());
  }

  @Test
  void aNodeThatLeavesIsLostBeforeItsLeaseWouldEnd() throws Exception {
    agent("node1", "10.0.0.1").connectWithoutJobs();
    var leaves = agent("node2", "10.0.0.2").connectWithoutJobs();
    gateways.clock.advance(Duration.ofSeconds(1));
    leaves.vanish();
    Await.until("node2 has left", () -> heardNow("node2"));
    gateways.clock.advance(Duration.ofSeconds(30));
    Await.until("node2 is lost, node1 is not", () -> lost().equals(Set.of("node2")));
    agent("node2", "10.0.0.2").connectWithoutJobs();
    assertEquals(Set.of(), lost());
  }

  @Test
  void aNodeThatComesBackAfterItLeftIsNotLost() throws Exception {
    var leaves = agent("node1", "10.0.0.1").connectWithoutJobs();
    gateways.clock.advance(Duration.ofSeconds(1));
    leaves.vanish();
    Await.until("node1 has left", () -> heardNow("node1"));
    agent("node1", "10.0.0.1").connectWithoutJobs();
    gateways.clock.advance(Duration.ofSeconds(31));
    gateways.memory.expire();
    assertEquals(Set.of(), lost());
  }

  private boolean heardNow(String node) {
    return gateways.memory.nodes().stream()
        .anyMatch(one ->
            one.description().epoch().node().text().equals(node)
                && one.heardAt().equals(gateways.clock.instant()));
  }

  private Set<String> lost() {
    return gateways.memory.nodes().stream()
        .filter(node -> node.lost())
        .map(node -> node.description().epoch().node().text())
        .collect(Collectors.toSet());
  }

  @Test
  void aLostStreamLetsTheLeaseRunOn() throws Exception {
    var agent = agent("node1", "10.0.0.1").connect();
    agent.tell(FakeAgent.job(7, 1000), List.of());
    agent.complete();
    Await.until("the job is there", () -> jobs().contains(7L));
    agent.vanish();
    var again = agent("node1", "10.0.0.1").connect();
    assertEquals(Set.of(7L), jobs());
    assertFalse(gateways.memory.nodes().getFirst().lost());
    assertFalse(again.hasEnded());
  }

  @Test
  void aRollThatStaysAwayEndsTheStreamByItsName() throws Exception {
    var agent = agent("node1", "10.0.0.1").connectWithoutJobs();
    gateways.memory.setUnavailable(true);
    agent.tell(FakeAgent.job(7, 1000), List.of());
    assertEnds(agent, Status.Code.UNAVAILABLE, "the roll is not available: the roll was made");
    var absent = agent("node2", "10.0.0.2");
    absent.say(absent.hello());
    assertEnds(absent, Status.Code.UNAVAILABLE, "the roll is not available: the roll was made");
    gateways.memory.setUnavailable(false);
    var again = agent("node1", "10.0.0.1").connectWithoutJobs();
    assertFalse(again.hasEnded());
  }

  @Test
  void aRollThatIsAwayForAMomentLosesNothing() throws Exception {
    var agent = agent("node1", "10.0.0.1").connectWithoutJobs();
    gateways.memory.setUnavailable(true);
    agent.tell(FakeAgent.job(7, 1000), List.of());
    agent.tell(FakeAgent.job(8, 1000), List.of());
    gateways.memory.setUnavailable(false);
    Await.until("both jobs are there", () -> jobs().equals(Set.of(7L, 8L)));
    assertFalse(agent.hasEnded());
  }

  @Test
  void aNodeThatDoesNotReadIsCutOffByName() throws Exception {
    var end = new CompletableFuture<Status>();
    var mute = new FakeAgent(gateways.channel(0), "node2", "10.0.0.2");
    ClientCall<ConnectRequest, ?> call =
        gateways.freshChannel(0).newCall(RollServiceGrpc.getConnectMethod(), CallOptions.DEFAULT);
    start(call, end);
    call.sendMessage(ConnectRequest.newBuilder().setHello(mute.hello()).build());
    Await.until("node2 is known", () -> gateways.memory.nodes().size() == 1);

    var loud = agent("node1", "10.0.0.1").connectWithoutJobs();
    long sequence = 0;
    while (sequence < 20_000) {
      sequence++;
      loud.announce(loud.call("10.0.0.1:" + (1024 + sequence % 60_000), "10.0.0.2:22"), sequence);
    }
    Await.until("node2 is cut off", () -> !connects("node2", "10.0.0.2:1"));
    // Reading at last, it finds out why.
    call.request(Integer.MAX_VALUE);
    Status status = end.get(20, TimeUnit.SECONDS);
    assertEquals(Status.Code.RESOURCE_EXHAUSTED, status.getCode(), status.toString());
    assertTrue(String.valueOf(status.getDescription()).contains("does not read"));
    assertFalse(loud.hasEnded());
  }

  private boolean connects(String node, String owned) {
    var answer =
        CallerIdServiceGrpc.newBlockingStub(gateways.channel(0))
            .identify(
                IdentifyRequest.newBuilder()
                    .setConnection(
                        CallerMapper.toProto(
                            Connection.tcp(Endpoint.parse(owned), Endpoint.parse("10.0.0.9:22"))))
                    .build())
            .getAnswer();
    return !answer.getUnreachable().getReason().equals("node " + node + " is no longer connected");
  }

  /** Never asks for a message, so that none is read. */
  private static <Q, R> void start(ClientCall<Q, R> call, CompletableFuture<Status> end) {
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onClose(Status status, Metadata trailers) {
            end.complete(status);
          }
        },
        new Metadata());
  }

  @Test
  void afterAHealedSplitEveryNodeConnectsAgain() throws Exception {
    var agent = agent("node1", "10.0.0.1").connectWithoutJobs();
    gateways.mergeGrid();
    assertEnds(agent, Status.Code.UNAVAILABLE, "merged", "connect again");
    assertFalse(agent("node1", "10.0.0.1").connectWithoutJobs().hasEnded());
  }
}
