package dev.rollcall.lab.scenario;

import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.testkit.process.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The audit_only.yaml of node2, whose agent looks at it every 15 seconds. The agent's log says when
 * it has: a login to find that out costs a hundred times the CPU time. It is gone when this is
 * closed.
 */
public final class AuditOnlyYaml implements AutoCloseable {
  private static final Duration DEADLINE = Duration.ofMinutes(1);
  private static final String NAME = "audit_only.yaml";

  private final TestCluster cluster;
  private final Path node;
  private long readBefore;

  public AuditOnlyYaml(TestCluster cluster) {
    this.cluster = cluster;
    this.node = cluster.directory().resolve("node2");
  }

  public void write(String text) throws IOException {
    readBefore = read();
    Files.writeString(node.resolve(NAME), text);
  }

  public void delete() throws IOException {
    readBefore = read();
    Files.delete(node.resolve(NAME));
  }

  /** Waits until the agent has read the last change. What logins read of it follows. */
  public void awaitRead() {
    Eventually.await(
        DEADLINE, () -> read() > readBefore, () -> NAME + " is not read: " + cluster.logs());
  }

  /** How many changes of it the agent's log names. */
  private long read() {
    try (var lines = Files.lines(node.resolve("log/agent.log"))) {
      return lines.filter(line -> line.contains(NAME + ": ")).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(node.resolve(NAME));
  }
}
