package dev.rollcall.lab.demo;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.Daemon;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.image.Bundle;
import dev.rollcall.lab.image.Container;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Patience;
import dev.rollcall.testkit.process.RigException;
import dev.rollcall.testkit.process.Running;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/** A gateway that runs from its image, in place of one of the cluster's. */
final class ImageScene {
  private static final String TLS = "/etc/rollcall/tls/";
  private static final Duration READY_WITHIN = Patience.ofSeconds(60);

  /** The first answers of a JVM that has just started may come too late. */
  private static final int MOST_TRIES = 10;

  private final Path images;

  ImageScene(Path images) {
    this.images = images;
  }

  Outcome play(Stage stage) {
    TestCluster cluster = stage.cluster();
    ClusterNode gate = cluster.node(NodeAddress.GATE);
    Path folder = cluster.directory().resolve("image-" + System.nanoTime());
    Bundle bundle = Bundle.unpacked(archive(), folder);
    Daemon usual = cluster.gateway();
    usual.stop();
    try (var jobs = stage.begin(1, User.ALICE, stage.node1());
        var container = new Container(bundle, "rollcall-demo-" + cluster.id())) {
      container.inNamespaceOf(gate.pid(), "network", "net");
      container.tmpfs("/tmp").tmpfs("/var/log/rollcall-gateway");
      configure(container, cluster);
      awaitReady(container, container.start());
      String rights = rights(container);
      stage.awaitConnection();
      Outcome answered = WhoisScene.ask(stage, jobs, MOST_TRIES);
      return Outcome.compare(
          "user 7450, no capability, read-only files; " + answered.expected(),
          rights + "; " + answered.seen(),
          answered.millis());
    } finally {
      usual.start();
      usual.awaitReady();
      stage.awaitConnection();
    }
  }

  private Path archive() {
    try (Stream<Path> files = Files.list(images)) {
      return files
          .filter(file -> file.getFileName().toString().matches("rollcall-gateway-.*[.]tar"))
          .findFirst()
          .orElseThrow(() -> new RigException("no image of the gateway in " + images));
    } catch (IOException e) {
      throw new RigException("no image of the gateway in " + images + ": " + e, e);
    }
  }

  /** The configuration of the usual gateway, with its certificate where a container has it. */
  private static void configure(Container container, TestCluster cluster) {
    Path own = cluster.certificateOf(NodeAddress.GATE);
    String config = text(cluster.configurationOf(NodeAddress.GATE));
    container.file(
        "/etc/rollcall/gateway.yaml",
        config
            .replace(cluster.authority().toString(), TLS + "ca.pem")
            .replace(own.toString() + "/", TLS));
    container.file(TLS + "ca.pem", text(cluster.authority()));
    for (String name : new String[] {"certificate.pem", "key.pem"}) {
      container.file(TLS + name, text(own.resolve(name)));
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void awaitReady(Container container, Running running) {
    String[] probe = {"/bin/busybox", "wget", "-qO-", "http://127.0.0.1:7453/health/ready"};
    Eventually.await(
        READY_WITHIN,
        () -> !running.isAlive() || container.exec(probe).ok(),
        () -> "the gateway in the container is not ready: " + running.outSoFar());
    if (!running.isAlive()) {
      throw new RigException("the gateway's container ended: " + running.await(READY_WITHIN));
    }
  }

  private static String rights(Container container) {
    String status = container.exec("/bin/cat", "/proc/1/status").outOrThrow("cat");
    boolean user = status.contains("\nUid:\t7450\t7450\t7450\t7450\n");
    boolean none = status.contains("\nCapEff:\t0000000000000000\n");
    String wrote = container.exec("/bin/sh", "-c", "echo >/opt/rollcall/x 2>&1").err();
    boolean readOnly = wrote.contains("Read-only file system");
    return "%s, %s, %s files"
        .formatted(
            user ? "user 7450" : "another user",
            none ? "no capability" : "capabilities",
            readOnly ? "read-only" : "writable");
  }
}
