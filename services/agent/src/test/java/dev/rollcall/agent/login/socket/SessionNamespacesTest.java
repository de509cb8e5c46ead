package dev.rollcall.agent.login.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.agent.TestNode;
import dev.rollcall.agent.event.Adoption;
import dev.rollcall.agent.event.Adoption.Outcome;
import dev.rollcall.agent.event.AdoptionsWanted;
import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.Queries;
import dev.rollcall.agent.login.adopt.UserNamespaceSessions;
import dev.rollcall.linux.Descriptor;
import dev.rollcall.model.JobState;
import dev.rollcall.model.NamespaceType;
import dev.rollcall.model.Reason;
import dev.rollcall.model.allocation.Rlimit;
import dev.rollcall.model.allocation.SessionSetup;
import dev.rollcall.port.JobNamespaces;
import dev.rollcall.proto.loginsocket.v1.Choice;
import dev.rollcall.proto.loginsocket.v1.EnvironmentVariable;
import dev.rollcall.proto.loginsocket.v1.LoginReply;
import dev.rollcall.proto.loginsocket.v1.LoginRequest;
import dev.rollcall.proto.loginsocket.v1.NamespaceKind;
import dev.rollcall.proto.loginsocket.v1.Options;
import dev.rollcall.proto.loginsocket.v1.Phase;
import dev.rollcall.proto.loginsocket.v1.ReplyOutcome;
import dev.rollcall.proto.loginsocket.v1.SessionRlimit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the process that becomes a session is handed beside its place. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SessionNamespacesTest {
  private final AtomicInteger open = new AtomicInteger();
  private TestNode node;

  @BeforeEach
  void start() throws IOException {
    node = new TestNode().withStages().withLoginSocket();
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    node.jobs.contain(TestNode.OLDER, Mounts::new);
  }

  @AfterEach
  void stop() throws IOException {
    node.close();
  }

  /** The test's own mount namespace. */
  private final class Mounts implements JobNamespaces {
    private final Descriptor descriptor;

    Mounts() throws IOException {
      descriptor = Descriptor.open(Path.of("/proc/self/ns/mnt"));
      open.incrementAndGet();
    }

    @Override
    public List<Namespace> inOrder() {
      return List.of(new Namespace(NamespaceType.MOUNT, descriptor.number()));
    }

    @Override
    public void close() {
      descriptor.close();
      open.decrementAndGet();
    }
  }

  private LoginReply ask(Phase phase, Options.Builder options) {
    LoginRequest.Builder request =
        ModuleRequest.login(TestNode.ALICE, TestNode.callFrom(TestNode.FAR, 1))
            .setPhase(phase)
            .setOptions(options);
    return ModuleRequest.ask(node.loginSocket(), request);
  }

  private void isClosedInTheEnd() {
    dev.rollcall.testkit.process.Await.until("closed", () -> open.get() == 0);
  }

  @Test
  void aSessionIsHandedTheJobsNamespaces() {
    LoginReply reply = ask(Phase.PHASE_OPEN_SESSION, Options.newBuilder());
    assertEquals(ReplyOutcome.REPLY_OUTCOME_ADOPTED, reply.getOutcome());
    assertEquals(List.of(NamespaceKind.NAMESPACE_KIND_MOUNT), reply.getNamespacesList());
    isClosedInTheEnd();
  }

  @Test
  void theAccountPhaseIsNot() {
    assertEquals(List.of(), ask(Phase.PHASE_ACCOUNT, Options.newBuilder()).getNamespacesList());
  }

  @Test
  void norIsASessionThatStaysOutside() {
    assertEquals(
        List.of(),
        ask(Phase.PHASE_OPEN_SESSION, Options.newBuilder().setStayOutsideContainer(true))
            .getNamespacesList());
  }

  @Test
  void aLoginThatItsContainerRefusesIsRecordedAsRefusedAlone() {
    node.jobs.contain(
        TestNode.OLDER,
        () -> {
          throw new IOException("openat(/proc/9/ns/mnt) failed: ENOENT (2)");
        });
    var adopted = node.logins(Adoption.Outcome.ADOPTED);
    var denied = node.logins(Adoption.Outcome.DENIED);
    String id = ask(Phase.PHASE_OPEN_SESSION, Options.newBuilder()).getAdoptionId();
    assertEquals(id, denied.next().id());
    assertEquals(List.of(), List.copyOf(adopted.queue()));
    var wanted = new AdoptionsWanted(Optional.of(id), Optional.empty(), Optional.empty());
    Adoption known =
        node.bus.ask(Queries.ADOPTIONS_LISTED, wanted, Bus.AT_ONCE).await().getFirst().adoption();
    assertEquals(Outcome.DENIED, known.outcome());
    assertEquals(Reason.ADOPT_FAILURE, known.reason());
    assertEquals(
        List.of(0.0, 1.0),
        Stream.of("adopted", "denied")
            .map(outcome ->
                node.registry
                    .get("rollcall.adopt.sessions")
                    .tag("outcome", outcome)
                    .counter()
                    .count())
            .toList());
  }

  @Test
  void aContainerThatCannotBeOpenedRefusesByName() {
    node.jobs.contain(
        TestNode.OLDER,
        () -> {
          throw new IOException("openat(/proc/9/ns/mnt) failed: ENOENT (2)");
        });
    LoginReply reply = ask(Phase.PHASE_OPEN_SESSION, Options.newBuilder());
    assertEquals(ReplyOutcome.REPLY_OUTCOME_DENIED, reply.getOutcome());
    assertEquals("the container of job 41 cannot be joined", reply.getMessage());
    assertEquals("adopt-failure", reply.getReason());
    assertEquals(
        ReplyOutcome.REPLY_OUTCOME_ADOPTED,
        ask(
                Phase.PHASE_OPEN_SESSION,
                Options.newBuilder().setActionAdoptFailure(Choice.CHOICE_ALLOW))
            .getOutcome());
    assertEquals(
        2,
        node.registry
            .get("rollcall.adopt.refused")
            .tag("reason", "no-container")
            .counter()
            .count());
  }

  @Test
  void aSessionGetsTheJobsGroupAndLimits() {
    node.jobs.setUp(
        TestNode.OLDER,
        new SessionSetup(
            new LinkedHashMap<>(),
            OptionalInt.of(4000),
            List.of(new Rlimit(Rlimit.Resource.NOFILE, 256, Rlimit.UNLIMITED)),
            Map.of()));
    LoginReply reply = ask(Phase.PHASE_OPEN_SESSION, Options.newBuilder());
    assertEquals(4000, reply.getGid());
    assertEquals(
        List.of(SessionRlimit.newBuilder().setResource(7).setSoft(256).setHard(-1).build()),
        reply.getRlimitsList());
    LoginReply account = ask(Phase.PHASE_ACCOUNT, Options.newBuilder());
    assertEquals(4000, account.getGid());
    assertEquals(List.of(), account.getRlimitsList());
  }

  @Test
  void aJobWhoseNamespacesAreClosedRefusesByName() {
    node.jobs.contain(
        TestNode.OLDER, () -> new JobNamespaces.Closed("has namespaces of another kind"));
    LoginReply reply = ask(Phase.PHASE_OPEN_SESSION, Options.newBuilder());
    assertEquals(ReplyOutcome.REPLY_OUTCOME_DENIED, reply.getOutcome());
    assertEquals("job 41 has namespaces of another kind", reply.getMessage());
    assertEquals("adopt-failure", reply.getReason());
    LoginReply outside =
        ask(Phase.PHASE_OPEN_SESSION, Options.newBuilder().setStayOutsideContainer(true));
    assertEquals(ReplyOutcome.REPLY_OUTCOME_ADOPTED, outside.getOutcome());
  }

  private void liveInAUserNamespace() {
    Path files = Path.of("/run/rollcall/containers/41");
    node.jobs.contain(
        TestNode.OLDER,
        () -> new JobNamespaces.OwnersAlone(files, Map.of("XDG_RUNTIME_DIR", "/run/x")));
  }

  @Test
  void withAUserNamespaceASessionIsRefusedAndToldWhatIsMissing() {
    liveInAUserNamespace();
    LoginReply reply = ask(Phase.PHASE_OPEN_SESSION, Options.newBuilder());
    assertEquals(ReplyOutcome.REPLY_OUTCOME_DENIED, reply.getOutcome());
    assertEquals(
        "job 41 has a user namespace, which sshd does not enter: an administrator has to set"
            + " ForceCommand in sshd_config and user_namespace_sessions in agent.yaml"
            + " (docs/containers.md)",
        reply.getMessage());
    assertEquals("adopt-failure", reply.getReason());
    assertEquals(List.of(), told(reply));
    LoginReply allowed =
        ask(
            Phase.PHASE_OPEN_SESSION,
            Options.newBuilder().setActionAdoptFailure(Choice.CHOICE_ALLOW));
    assertEquals(ReplyOutcome.REPLY_OUTCOME_ADOPTED, allowed.getOutcome());
    assertEquals(List.of(), told(allowed));
  }

  @Test
  void withAForcedCommandItIsToldWhereToGo() throws IOException {
    node.close();
    node = new TestNode();
    node.inUserNamespaces = UserNamespaceSessions.FORCE_COMMAND;
    node.withStages().withLoginSocket();
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    liveInAUserNamespace();
    node.jobs.setUp(
        TestNode.OLDER,
        new SessionSetup(
            new LinkedHashMap<>(Map.of("ROLLCALL_CONTAINER", "/tmp/planted", "SLURM_A", "a")),
            OptionalInt.empty(),
            List.of(),
            Map.of()));
    LoginReply reply = ask(Phase.PHASE_OPEN_SESSION, Options.newBuilder());
    assertEquals(ReplyOutcome.REPLY_OUTCOME_ADOPTED, reply.getOutcome());
    assertEquals(List.of(), reply.getNamespacesList());
    assertEquals("ROLLCALL_CONTAINER", reply.getEnvironment(0).getName());
    assertEquals("XDG_RUNTIME_DIR", reply.getEnvironment(1).getName());
    assertEquals(List.of("/run/rollcall/containers/41"), told(reply));
    assertEquals(
        List.of(),
        told(ask(Phase.PHASE_OPEN_SESSION, Options.newBuilder().setStayOutsideContainer(true))));
    assertEquals(List.of(), told(ask(Phase.PHASE_ACCOUNT, Options.newBuilder())));
  }

  /** Where the session's own program is to go. */
  private static List<String> told(LoginReply reply) {
    return reply.getEnvironmentList().stream()
        .filter(each -> each.getName().equals("ROLLCALL_CONTAINER"))
        .map(EnvironmentVariable::getValue)
        .toList();
  }
}
