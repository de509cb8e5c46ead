package dev.rollcall.load.attack;

import dev.rollcall.load.bench.AtExit;
import dev.rollcall.load.bench.BenchFailedException;
import dev.rollcall.load.gateway.Scratch;
import dev.rollcall.proto.localsocket.v1.CallReply;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * An agent of the distribution without eBPF. Attackers are at most {@value #ATTACKERS} users of its
 * node, and none is root; or they connect to the port of its metrics.
 */
final class ShippedAgent implements AttackTarget {
  private static final Duration READY_WITHIN = Duration.ofSeconds(60);
  private static final int ATTACKER = 2001;
  private static final int ATTACKERS = 16;
  private static final int HONEST = 3001;
  private static final int HONEST_USERS = 500;
  private static final int CONNECT_MS = 3_000;
  private static final int LOG_BYTES = 4_000;

  private final Scratch scratch = Scratch.fresh("rollcall-attack-");
  private final Path cgroup;
  private final boolean byMetrics;
  private final int port = freePort();
  private final AtomicInteger asked = new AtomicInteger();
  private final Process process;
  private final AtExit atExit;

  /**
   * @param byMetrics whether the port of the metrics is attacked, and not the users' socket
   */
  ShippedAgent(Path distribution, boolean byMetrics) {
    this.byMetrics = byMetrics;
    cgroup = cgroups().resolve("rollcall-attack-" + ProcessHandle.current().pid() + "-" + port);
    try {
      Files.setPosixFilePermissions(scratch.path(), PosixFilePermissions.fromString("rwxr-xr-x"));
      Files.createDirectories(cgroup);
      process = start(distribution);
    } catch (IOException e) {
      throw new BenchFailedException("cannot start an agent: " + e, e);
    }
    atExit = AtExit.of(this::end);
    awaitReady();
  }

  private static Path cgroups() {
    Path both = Path.of("/sys/fs/cgroup/unified");
    return Files.isDirectory(both) ? both : Path.of("/sys/fs/cgroup");
  }

  private Process start(Path distribution) throws IOException {
    Path own = scratch.path();
    Path config =
        Files.writeString(
            own.resolve("agent.yaml"),
            """
            cluster: bench
            node: node1
            gateways: ["127.0.0.1:1"]
            run_directory: "%1$s/run"
            state_directory: "%1$s/state"
            usage_file: "%1$s/usage.jsonl"
            audit_file: "%1$s/audit.jsonl"
            audit_only_file: "%1$s/audit_only.yaml"
            cgroup_root: "%2$s"
            systemd: "off"
            provider: native
            bpf: "off"
            metrics: "127.0.0.1:%3$d"
            """
                .formatted(own, cgroup, port));
    var command =
        new ProcessBuilder(
                distribution.resolve("bin/rollcall").toString(),
                "agent",
                "--config",
                config.toString())
            .redirectErrorStream(true)
            .redirectOutput(own.resolve("log").toFile());
    command.environment().put("JAVA_HOME", System.getProperty("java.home"));
    // Its heap is looked at from outside.
    command.environment().put("ROLLCALL_AGENT_OPTS", "-XX:-DisableAttachMechanism");
    return command.start();
  }

  private void awaitReady() {
    long end = System.nanoTime() + READY_WITHIN.toNanos();
    while (true) {
      try {
        ask();
        return;
      } catch (IOException e) {
        if (!process.isAlive() || System.nanoTime() > end) {
          String log = endOfLog();
          close();
          throw new BenchFailedException("the agent is not ready: " + e + "\n" + log, e);
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
      }
    }
  }

  private static int freePort() {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new BenchFailedException("no free port", e);
    }
  }

  @Override
  public long pid() {
    return process.pid();
  }

  @Override
  public boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public Wire connect(String protocol, String client, int number, int addresses)
      throws IOException {
    return byMetrics
        ? metrics(Loopback.address(number % addresses))
        : socket(ATTACKER + number % Math.min(addresses, ATTACKERS));
  }

  private Wire metrics(InetAddress from) throws IOException {
    var socket = new Socket();
    socket.setReceiveBufferSize(4_096);
    socket.bind(new InetSocketAddress(from, 0));
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MS);
    return Wire.of(socket);
  }

  private Wire socket(int uid) throws IOException {
    var address = UnixDomainSocketAddress.of(scratch.path().resolve("run/agent.sock"));
    return Wire.of(
        ThreadUser.as(
            uid,
            () -> {
              SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
              channel.connect(address);
              return channel;
            }));
  }

  @Override
  public Optional<String> authorization(String client, int number) {
    return Optional.empty();
  }

  /** As ever other users who have no jobs: each has limits of its own. */
  @Override
  public void ask() throws IOException {
    try (Wire wire = socket(HONEST + asked.getAndIncrement() % HONEST_USERS)) {
      wire.out().write(FramesSpeech.call("rollcall.v1.JobService/List", new byte[0]));
      var in = new DataInputStream(wire.in());
      CallReply reply = CallReply.parseFrom(in.readNBytes(in.readInt()));
      if (reply.getEnd().getCode() != 0) {
        throw new IOException("refused: " + reply.getEnd().getText());
      }
    }
  }

  @Override
  public String endOfLog() {
    try {
      String log = Files.readString(scratch.path().resolve("log"));
      return log.substring(Math.max(0, log.length() - LOG_BYTES));
    } catch (IOException e) {
      return "no log: " + e;
    }
  }

  private void end() {
    process.destroyForcibly();
    process.onExit().join();
    var leaf = cgroup.resolve("rollcall.scope").toFile();
    for (String below : Optional.ofNullable(leaf.list()).orElse(new String[0])) {
      var _ = new java.io.File(leaf, below).delete(); // directories only: files of cgroupfs stay
    }
    var _ = leaf.delete();
    var _ = cgroup.toFile().delete();
  }

  @Override
  public void close() {
    end();
    atExit.forget();
    scratch.close();
  }
}
