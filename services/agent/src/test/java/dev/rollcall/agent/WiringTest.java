package dev.rollcall.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.agent.decide.AuditOnly;
import dev.rollcall.agent.door.Knock;
import dev.rollcall.agent.door.Peers;
import dev.rollcall.agent.escape.EscapeVerticle;
import dev.rollcall.agent.escape.Execs;
import dev.rollcall.agent.escape.Processes;
import dev.rollcall.agent.event.StageHealth;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobState;
import dev.rollcall.model.NodeEpoch;
import dev.rollcall.port.PinnedProcess;
import dev.rollcall.proto.door.v1.DoorOutcome;
import dev.rollcall.settings.BadConfigException;
import dev.rollcall.settings.ConfigFile;
import dev.rollcall.testkit.calls.FakeCallSource;
import dev.rollcall.testkit.jobs.InMemoryJobs;
import dev.rollcall.wire.grpc.VertxSettings;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** All stages of an agent, on a node whose jobs are in memory. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class WiringTest {
  private static final int LOGINS = 20;

  @TempDir private Path directory;
  private final InMemoryJobs jobs = new InMemoryJobs();

  /** A kernel that begins no program. */
  private record NoExecs() implements Execs {
    @Override
    public void open(Listener listener) {}

    @Override
    public void watch(Set<Integer> uids) {}

    @Override
    public void close() {}
  }

  /** A kernel without processes. */
  private record NoProcesses() implements Processes {
    @Override
    public Optional<Standing> look(int pid) {
      return Optional.empty();
    }

    @Override
    public Optional<Seen> see(int pid) {
      return Optional.empty();
    }

    @Override
    public List<Integer> of(IntPredicate uids) {
      return List.of();
    }

    @Override
    public boolean kill(PinnedProcess process) {
      return false;
    }
  }

  private Wiring.World world() {
    return new Wiring.World(
        jobs,
        () -> new StageHealth("jobs", true, true, "in memory"),
        _ -> {},
        () -> {},
        () -> {},
        new FakeCallSource(),
        _ -> new Peers.Peer(jobs.start("sshd"), 0),
        new FakeUserProcesses(),
        new EscapeVerticle.Kernel(new NoExecs(), new NoProcesses(), _ -> false),
        TestNode.IS_OWN,
        () -> Set.of(TestNode.HERE),
        uid -> "user" + uid,
        AuditOnly.NOBODY);
  }

  private AgentConfig config() throws BadConfigException {
    return AgentConfigReader.read(
        ConfigFile.of(
            "agent.yaml",
            """
            run_directory: %1$s
            state_directory: %1$s
            audit_file: %1$s/audit.jsonl
            usage_file: %1$s/usage.jsonl
            metrics: 127.0.0.1:0
            gateways: [127.0.0.1:1]
            """
                .formatted(directory)));
  }

  @Test
  void theLastReplyBeforeTheStopIsInTheAuditLog() throws IOException, BadConfigException {
    jobs.put(new Job(TestNode.OLDER, TestNode.ALICE, TestNode.ALICE, TestNode.NOON, JobState.OPEN));
    Vertx vertx = VertxSettings.start(VertxSettings.quiet());
    var epoch = new NodeEpoch(TestNode.IDENTITY.node(), "boot", 7);
    var wiring = new Wiring(vertx, config(), epoch, "test", world());
    TestNode.await(wiring.start());
    for (int i = 0; i < LOGINS; i++) {
      var login = Knock.login(TestNode.ALICE, TestNode.callFrom(TestNode.FAR, 40_000 + i));
      assertEquals(
          DoorOutcome.DOOR_OUTCOME_ADOPTED,
          Knock.ask(directory.resolve("door.sock"), login).getOutcome());
    }
    TestNode.await(wiring.stop());
    TestNode.await(vertx.close());
    assertEquals(LOGINS, adopted());
  }

  private long adopted() throws IOException {
    return Files.readAllLines(directory.resolve("audit.jsonl")).stream()
        .map(JsonObject::new)
        .filter(line -> "adopted".equals(line.getString("decision")))
        .count();
  }
}
