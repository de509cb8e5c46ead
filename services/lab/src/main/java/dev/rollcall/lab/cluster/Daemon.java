package dev.rollcall.lab.cluster;

import dev.rollcall.testkit.process.Patience;
import dev.rollcall.testkit.process.RigException;
import dev.rollcall.testkit.process.Running;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A Rollcall process of a node, an agent or the gateway, that can be killed and started again. */
public final class Daemon {
  // curl, since the health page is in the node's own network. The loop ends when the process does.
  private static final String UNTIL_HEALTHY =
      """
      while kill -0 "$1" 2>/dev/null; do
        if curl -fks -m 1 --cert "$5/certificate.pem" --key "$5/key.pem" "$2" | tr -d ' \\n' | grep -q "$3"; then exit 0; fi
        sleep "$4"
      done
      exit 1
      """;

  private final String name;
  private final ClusterNode node;
  private final Path procs;
  private final List<String> command;
  private final String health;
  private final Path tls;
  private final Path log;
  private final Duration readyWithin;
  private volatile @Nullable Process process; // one that is looked at while it is started anew

  Daemon(
      String name,
      ClusterNode node,
      Path procs,
      List<String> command,
      String health,
      Path tls,
      Path log,
      Duration readyWithin) {
    this.name = name;
    this.node = node;
    this.procs = procs;
    this.command = command;
    this.health = health;
    this.tls = tls;
    this.log = log;
    this.readyWithin = readyWithin;
  }

  /** Starts the process, which does not mean that it is ready. */
  public void start() {
    try {
      process =
          new ProcessBuilder(node.enter(StepSocketFile.of(procs), User.ROOT, command))
              .redirectInput(new File("/dev/null"))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
    } catch (IOException e) {
      throw new RigException("cannot start " + this, e);
    }
  }

  /** Waits until the process says that it is ready. */
  public void awaitReady() {
    awaitHealth("ready"); // with a status of success, which -f asks for
  }

  /**
   * Waits until an agent says that it is ready and is connected to a gateway: it is ready without
   * one.
   */
  public void awaitConnected() {
    awaitHealth("\"stage\":\"gateway\",\"well\":true");
  }

  private void awaitHealth(String text) {
    Running probe =
        node.start(
            User.ROOT,
            "sh",
            "-c",
            UNTIL_HEALTHY,
            "sh",
            Long.toString(pid()),
            health,
            text,
            Patience.isLonger() ? "1" : "0.05",
            tls.toString());
    try {
      if (probe.await(readyWithin).ok()) {
        return;
      }
    } catch (RigException e) {
      throw new RigException(this + " does not say " + text + "; " + Logs.tail(log), e);
    }
    throw new RigException(this + " ended; " + Logs.tail(log));
  }

  public long pid() {
    return process().pid();
  }

  public boolean isAlive() {
    return process().isAlive();
  }

  /** kill -9, and waits until it is gone. */
  public void kill() {
    try {
      if (!process().destroyForcibly().waitFor(10, TimeUnit.SECONDS)) {
        throw new RigException(this + " outlives kill -9");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RigException("interrupted while killing " + this, e);
    }
  }

  /** Sends a signal, as "STOP". */
  public void signal(String name) {
    Running.run(
            Patience.ofSeconds(10),
            List.of("/bin/kill", "-" + name, Long.toString(process().pid())))
        .outOrThrow("kill -" + name + " of " + this);
  }

  /** SIGTERM, as an upgrade does, and waits until it is gone. */
  public void stop() {
    process().destroy();
    try {
      if (!process().waitFor(Patience.ofSeconds(40).toSeconds(), TimeUnit.SECONDS)) {
        throw new RigException(this + " does not end by SIGTERM; " + log());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RigException("interrupted while stopping " + this, e);
    }
  }

  /** The end of what it wrote. */
  public String log() {
    return Logs.tail(log);
  }

  private Process process() {
    Process started = process;
    if (started == null) {
      throw new IllegalStateException(this + " was not started");
    }
    return started;
  }

  @Override
  public String toString() {
    return name + " of " + node.name();
  }
}
