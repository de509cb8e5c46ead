package dev.rollcall.load.large;

import dev.rollcall.load.gateway.SimulatedNode;
import dev.rollcall.load.lookup.SteadyLookups;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobProcess;
import dev.rollcall.model.JobState;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.StepId;
import dev.rollcall.wire.JobMapper;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** Sends the updates of the simulated nodes. */
final class Work {
  static final int PORT = 22;
  private static final int UID = 1000;
  private static final int PORTS = 28_000;
  private static final long LONGEST_PAUSE_NANOS = 1_000_000;

  private final Crowd crowd;
  private long lastJob;
  private long lastCall;

  Work(Crowd crowd) {
    this.crowd = crowd;
  }

  /**
   * Jobs, each on as many nodes as all others, with so many processes altogether.
   *
   * @return how many entries of jobs on nodes
   */
  int wave(int jobs, int processes) {
    int nodesOfJob = Math.max(1, crowd.size() / jobs);
    int onEach = Math.max(1, processes / jobs / nodesOfJob);
    List<JobProcess> members =
        IntStream.range(0, onEach)
            .mapToObj(i -> new JobProcess(new ProcessRef(1000 + i, 5L * i), StepId.of(0), ""))
            .toList();
    Instant now = Instant.now();
    for (int i = 0; i < jobs; i++) {
      var job = new Job(new JobId(++lastJob), UID, UID, now, JobState.OPEN);
      for (int each = 0; each < nodesOfJob; each++) {
        SimulatedNode node = crowd.node(i + (long) each * jobs);
        JobMapper.told(job, node.name(), "", members, now).forEach(node::tell);
      }
    }
    return jobs * nodesOfJob;
  }

  /**
   * @param told announcements that went out
   * @param withheld what did not, since a gateway did not keep up or no stream stood
   */
  record Called(long told, long withheld, double seconds) {}

  /** Calls by all nodes in turn to each other, at a rate of all together. */
  Called calls(int rate, int count) {
    long told = 0;
    long start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      long due = start + (long) (i * 1e9 / rate);
      long left = due - System.nanoTime();
      while (left > 0) {
        LockSupport.parkNanos(Math.min(left, LONGEST_PAUSE_NANOS));
        left = due - System.nanoTime();
      }
      told += call(lastCall++) ? 1 : 0;
    }
    return new Called(told, count - told, (System.nanoTime() - start) / 1e9);
  }

  private boolean call(long number) {
    SimulatedNode from = crowd.node(number);
    long round = number / crowd.size();
    SimulatedNode to = crowd.node(number + 1 + round % Math.max(1, crowd.size() - 1));
    int port = SteadyLookups.FIRST_PORT + (int) (round % PORTS);
    return from.call(
        Connection.tcp(new Endpoint(from.address(), port), new Endpoint(to.address(), PORT)),
        1,
        UID);
  }

  /** Calls of the first node that are asked for: all to the second one. */
  Endpoint known(int ports) {
    SimulatedNode from = crowd.node(0);
    var to = new Endpoint(crowd.node(1).address(), PORT);
    for (int i = 0; i < ports; i++) {
      var call = Connection.tcp(new Endpoint(from.address(), SteadyLookups.FIRST_PORT + i), to);
      while (!from.call(call, 1, UID)) {
        LockSupport.parkNanos(LONGEST_PAUSE_NANOS);
      }
    }
    return to;
  }
}
