package dev.rollcall.lab.soak;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.soak.Planned.Attack;
import dev.rollcall.testkit.process.Patience;
import dev.rollcall.testkit.process.RigException;
import dev.rollcall.testkit.process.Running;
import dev.rollcall.wire.grpc.VertxSettings;
import io.grpc.Channel;
import io.grpc.Status;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpcio.client.GrpcIoClient;
import io.vertx.grpcio.client.GrpcIoClientChannel;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Makes the attacks of a plan: of a user who has no account and no job, on a node, and of root of a
 * node without users, at a gateway. Whether somebody noticed is told by the rules for all.
 */
final class Hostility implements AutoCloseable {
  private static final int UID = 2_999;

  /** A machine that is busy may take all of an attack's time to begin it. */
  private static final int LEAST_STREAMS = 2;

  private static final int MOST_STREAMS = 20;
  private static final long STREAM_MS = 2_000;
  private static final String SCRIPT = "/run/hostile.py";

  /** Debian's: another one in the PATH may be a script that starts it, and slow. */
  private static final String PYTHON = "/usr/bin/python3";

  private static final Duration DEADLINE = Patience.ofSeconds(30);

  private final TestCluster cluster;
  private final Clockwork clock;
  private final SoakTally tally;
  private final Path certificate;
  private final Vertx vertx = VertxSettings.start(VertxSettings.quiet());

  Hostility(TestCluster cluster, Clockwork clock, SoakTally tally) {
    this.cluster = cluster;
    this.clock = clock;
    this.tally = tally;
    this.certificate = cluster.certificateIn(HostileMessages.CLUSTER, HostileMessages.ADDRESS);
  }

  /** Returns when it is over, by its end in the plan or a little later. */
  void run(Attack attack) {
    tally.count("attacks planned");
    try {
      if (attack.kind().isOfNode()) {
        byNode(attack);
      } else {
        byUser(attack);
      }
    } catch (IOException e) {
      throw new RigException("cannot do " + attack, e);
    }
  }

  private void byUser(Attack attack) throws IOException {
    ClusterNode node = cluster.node(attack.target());
    write(node.file(SCRIPT));
    Running user =
        node.start(
            User.ROOT,
            "setpriv",
            "--reuid=" + UID,
            "--regid=" + UID,
            "--clear-groups",
            "--inh-caps=-all",
            PYTHON,
            SCRIPT,
            attack.kind().word(),
            "/run/rollcall/agent.sock",
            Double.toString(left(attack) / 1_000.0));
    try {
      user.await(Duration.ofMillis(left(attack)).plus(DEADLINE));
    } catch (RigException e) {
      user.kill();
    }
    if (user.outSoFar().contains("reached")) {
      tally.count("attacks of a hostile user");
    }
  }

  private void byNode(Attack attack) throws IOException {
    Path script = cluster.directory().resolve("hostile.py");
    write(script);
    Running relay =
        Running.start(
            List.of(
                PYTHON,
                script.toString(),
                "relay",
                Long.toString(cluster.node(NodeAddress.LOGIN).pid()),
                attack.target().v4(),
                "7450"));
    try {
      relay.awaitLine("listening", DEADLINE);
      String port = relay.outSoFar().replaceFirst("(?s).*listening (\\d+).*", "$1");
      streams(attack, channel(Integer.parseInt(port)));
    } finally {
      relay.kill();
    }
  }

  /** One after the other, since each takes the place of the one before. */
  private void streams(Attack attack, Channel gateway) {
    int streams = 0;
    while (streams < LEAST_STREAMS || (left(attack) > 0 && streams < MOST_STREAMS)) {
      streams++;
      var words = new HostileMessages(attack.kind(), 1 + clock.millis());
      Status end = HostileNode.attack(gateway, words, STREAM_MS);
      switch (end.getCode()) {
        case OK -> tally.count("streams of a hostile node heard");
        case INVALID_ARGUMENT, RESOURCE_EXHAUSTED, PERMISSION_DENIED, ABORTED ->
            tally.count("streams of a hostile node refused");
        default -> {
          tally.count("streams of a hostile node lost");
          LockSupport.parkNanos(STREAM_MS * 1_000_000 / 4);
        }
      }
    }
  }

  private Channel channel(int port) {
    var options =
        new HttpClientOptions()
            .setSsl(true)
            .setUseAlpn(true)
            .setVerifyHost(false)
            .setTrustOptions(new PemTrustOptions().addCertPath(cluster.authority().toString()))
            .setKeyCertOptions(
                new PemKeyCertOptions()
                    .setCertPath(certificate.resolve("certificate.pem").toString())
                    .setKeyPath(certificate.resolve("key.pem").toString()));
    return new GrpcIoClientChannel(
        GrpcIoClient.client(vertx, options), SocketAddress.inetSocketAddress(port, "127.0.0.1"));
  }

  private long left(Attack attack) {
    return Math.max(0, attack.ends().toMillis() - clock.millis());
  }

  @Override
  public void close() {
    vertx.close().await();
  }

  private static void write(Path script) throws IOException {
    try (InputStream resource = Hostility.class.getResourceAsStream("hostile.py")) {
      if (resource == null) {
        throw new RigException("resource hostile.py is missing");
      }
      // An attack before may still read it.
      Path next = Files.write(script.resolveSibling("hostile.next"), resource.readAllBytes());
      Files.move(next, script, StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
