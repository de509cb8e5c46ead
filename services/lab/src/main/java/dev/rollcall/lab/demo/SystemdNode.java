package dev.rollcall.lab.demo;

import dev.rollcall.lab.cluster.User;
import dev.rollcall.proto.v1.Allocation;
import dev.rollcall.proto.v1.BeginRequest;
import dev.rollcall.proto.v1.EndRequest;
import dev.rollcall.proto.v1.EndResponse;
import dev.rollcall.proto.v1.JobServiceGrpc;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Patience;
import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.process.RigException;
import dev.rollcall.testkit.process.Running;
import dev.rollcall.wire.CallerMapper;
import dev.rollcall.wire.local.LocalChannel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * This very machine as a node: the agent is a unit of its systemd, users come by ssh. A machine to
 * be thrown away: scenes change its settings.
 */
public final class SystemdNode implements AutoCloseable {
  /** The processor is emulated. */
  static final Duration PATIENCE = Patience.ofSeconds(30);

  private static final String CURL =
      "curl -fs -m 5 --unix-socket /run/rollcall/metrics.sock http://node";
  private static final Path SOCKET = Path.of("/run/rollcall/agent.sock");
  private static final Path CGROUPS = Path.of("/sys/fs/cgroup");
  private static final int MOST_LOOKS = 100;
  private static final String UNIT = "rollcall-agent.service";

  private final LocalChannel channel = new LocalChannel(SOCKET);
  private final AtomicLong lastJob = new AtomicLong(9000);

  private SystemdNode() {}

  static SystemdNode here() {
    if (!Files.exists(SOCKET)) {
      throw new RigException("no agent at " + SOCKET + ": this is no node of the demo");
    }
    return new SystemdNode();
  }

  JobServiceGrpc.JobServiceBlockingStub jobs() {
    return JobServiceGrpc.newBlockingStub(channel)
        .withDeadlineAfter(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  NodeJob begin(User owner) {
    return begin(owner, Allocation.getDefaultInstance());
  }

  /** Begins a job that ends when what is returned is closed. */
  NodeJob begin(User owner, Allocation allocation) {
    long id = lastJob.incrementAndGet();
    var request =
        BeginRequest.newBuilder()
            .setJobId(id)
            .setUid(owner.uid())
            .setGid(owner.uid())
            .setAllocation(allocation)
            .build();
    var _ = jobs().begin(request);
    return new NodeJob(this, id, owner);
  }

  EndResponse end(long job, Duration grace) {
    var request = EndRequest.newBuilder().setJobId(job).setGrace(CallerMapper.duration(grace));
    return jobs().end(request.build());
  }

  /** Comes by ssh and runs a shell command there. */
  Running ssh(User user, String command) {
    return ssh(List.of("ssh"), user, command);
  }

  /**
   * The same.
   *
   * @param ssh the program and its options
   */
  Running ssh(List<String> ssh, User user, String command) {
    var argv = new ArrayList<>(ssh);
    argv.addAll(List.of(user.login() + "@127.0.0.1", command));
    return Running.start(argv);
  }

  /** Runs a shell command as a user, outside any job. */
  Result outside(User user, String command) {
    var argv = new ArrayList<String>();
    if (user != User.ROOT) {
      String id = Integer.toString(user.uid());
      argv.addAll(List.of("setpriv", "--reuid", id, "--regid", id, "--clear-groups", "--"));
    }
    argv.addAll(List.of("sh", "-c", command));
    return Running.start(argv).await(PATIENCE);
  }

  /** Runs a shell command as root, which has to succeed. */
  String root(String command) {
    return outside(User.ROOT, command).outOrThrow(command).strip();
  }

  /** The processes that have this command line. */
  List<Long> pidsOf(String command) {
    return outside(User.ROOT, "pgrep -x -f '(/usr/bin/)?" + command + "'")
        .out()
        .lines()
        .map(Long::valueOf)
        .toList();
  }

  /** The first of them; 0 if there is none. */
  long pidOf(String command) {
    return pidsOf(command).stream().findFirst().orElse(0L);
  }

  /**
   * A sample of the agent's metrics, by its name and labels; 0 if there is none. A page is up to a
   * second old.
   */
  double metric(String sample) {
    return outside(User.ROOT, "sleep 1.1; " + CURL + "/metrics")
        .out()
        .lines()
        .filter(line -> line.startsWith(sample + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(sample.length() + 1)))
        .sum();
  }

  /** Sets one line of agent.yaml, and restarts the agent. */
  void configure(String key, String value) {
    willBe(key, value);
    restartAgent();
  }

  /** Sets one line of agent.yaml, for whenever the agent is started next: that takes long here. */
  void willBe(String key, String value) {
    String file = "/etc/rollcall/agent.yaml";
    root("sed -i '/^%1$s:/d' %2$s && echo '%1$s: %3$s' >> %2$s".formatted(key, file, value));
  }

  /** Restarts the agent, and waits until it answers again. */
  void restartAgent() {
    root("systemctl restart " + UNIT);
    awaitAgent();
  }

  void awaitAgent() {
    Eventually.await(
        PATIENCE,
        () -> outside(User.ROOT, CURL + "/health/ready").ok(),
        () -> UNIT + " is not ready: " + log());
  }

  /** The cgroups of the tree that are called so, wherever systemd put them. */
  List<Path> directories(String name) {
    return below(CGROUPS, name);
  }

  /** What is called so in a tree of cgroups, of which some may go away while we look. */
  static List<Path> below(Path top, String name) {
    for (int left = MOST_LOOKS; ; left--) {
      try (Stream<Path> all = Files.find(top, 8, (path, _) -> path.endsWith(name))) {
        return all.toList();
      } catch (NoSuchFileException e) {
        return List.of(); // the top itself
      } catch (IOException | UncheckedIOException e) {
        if (left == 0) {
          throw new RigException("cannot look through " + top, e);
        }
      }
    }
  }

  /** The end of what the agent wrote. */
  public String log() {
    return outside(User.ROOT, "journalctl -q --no-pager -n 40 -u " + UNIT).out();
  }

  /** Each call has a connection of its own: nothing is open between calls. */
  @Override
  public void close() {}
}
