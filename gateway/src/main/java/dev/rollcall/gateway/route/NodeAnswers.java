package dev.rollcall.gateway.route;

import dev.rollcall.model.NodeName;
import dev.rollcall.wire.BadWordException;
import dev.rollcall.wire.pace.Buckets;
import dev.rollcall.wire.pace.Rate;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.lang.System.Logger.Level;
import java.util.function.Function;
import java.util.function.Supplier;

/** Reads answers of nodes. Counts and logs those that do not fit their question. Thread-safe. */
public final class NodeAnswers {
  private static final System.Logger LOG = System.getLogger(NodeAnswers.class.getName());

  /** Of each node one line a minute. */
  private static final Rate LINES = new Rate(1 / 60.0, 1);

  private static final int NODES_REMEMBERED = 1_024;

  private final Buckets<NodeName> lines = new Buckets<>(LINES, NODES_REMEMBERED);
  private final Counter refused;

  NodeAnswers(MeterRegistry registry) {
    refused = registry.counter("rollcall.gateway.nodes.answers.refused");
  }

  /**
   * Returns what was read, or the outcome of a refusal.
   *
   * @param reading throws {@link BadWordException} where the answer does not fit
   * @param otherwise takes the reason, for people
   */
  public <T> T read(NodeName node, Supplier<T> reading, Function<String, T> otherwise) {
    try {
      return reading.get();
    } catch (BadWordException e) {
      refused.increment();
      long now = System.nanoTime();
      if (lines.of(node, now).take(now)) {
        LOG.log(Level.WARNING, "node {0} sent an invalid answer: {1}", node, e.getMessage());
      }
      return otherwise.apply("node " + node + " sent an invalid answer: " + e.getMessage());
    }
  }
}
