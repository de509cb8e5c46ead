package dev.rollcall.lab.soak;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.Parallel;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.demo.AgentLines;
import dev.rollcall.lab.soak.Planned.JobRuns;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;

/** The prologs and epilogs of a soak: they ask again until the node has answered. */
final class JobWork {
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final long END_WITHIN_MS = 90_000;

  private final TestCluster cluster;
  private final AgentLines agents;
  private final JobBook book;
  private final Clockwork clock;
  private final SoakTally tally;

  JobWork(TestCluster cluster, AgentLines agents, JobBook book, Clockwork clock, SoakTally tally) {
    this.cluster = cluster;
    this.agents = agents;
    this.book = book;
    this.clock = clock;
    this.tally = tally;
  }

  /** On every node at once; returns when it is over on all of them. */
  void run(JobRuns job) {
    tally.count("jobs");
    Parallel.run(job.nodes().stream().<Parallel.Work>map(node -> () -> runOn(node, job)).toList());
  }

  private void runOn(NodeAddress node, JobRuns job) {
    book.asksToBegin(node, job.job(), job.owner(), clock.millis());
    if (begins(cluster.node(node), job)) {
      book.begun(node, job.job(), clock.millis());
    } else {
      tally.count("jobs not begun on a node");
    }
    clock.await(job.ends());
    book.asksToEnd(node, job.job(), clock.millis());
    if (ends(cluster.node(node), job.job())) {
      book.ended(node, job.job(), clock.millis());
    }
  }

  private boolean begins(ClusterNode node, JobRuns job) {
    while (clock.millis() < job.ends().toMillis()) {
      try {
        agents.begin(node, job.job(), job.owner());
        return true;
      } catch (StatusRuntimeException e) {
        tally.count("begins refused");
        pause();
      }
    }
    return false;
  }

  private boolean ends(ClusterNode node, long job) {
    long last = clock.millis() + END_WITHIN_MS;
    String why = "";
    while (clock.millis() < last) {
      try {
        agents.end(node, job);
        return true;
      } catch (StatusRuntimeException e) {
        if (e.getStatus().getCode() == Status.Code.NOT_FOUND) {
          return true;
        }
        why = e.toString();
      } catch (IllegalStateException e) {
        why = e.toString();
      }
      tally.count("ends refused");
      pause();
    }
    tally.violated(
        new Violation(
            "ends", clock.millis(), "job %d on %s".formatted(job, node.name()), "ended", why));
    return false;
  }

  private void pause() {
    clock.await(Duration.ofMillis(clock.millis()).plus(PAUSE));
  }
}
