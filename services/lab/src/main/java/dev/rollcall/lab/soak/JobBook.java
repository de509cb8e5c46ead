package dev.rollcall.lab.soak;

import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.User;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which jobs were open where and when, as the soak's own prologs and epilogs know it: they noted
 * the moments at which they asked and at which they were answered. Milliseconds of the soak.
 */
final class JobBook {
  private static final long NEVER = Long.MAX_VALUE;

  /** A job on a node. What was not answered is open or not: nobody can tell. */
  static final class Entry {
    final long job;
    final User owner;
    final long askedToBegin;
    long begun = NEVER;
    long askedToEnd = NEVER;
    long ended = NEVER;

    private Entry(long job, User owner, long askedToBegin) {
      this.job = job;
      this.owner = owner;
      this.askedToBegin = askedToBegin;
    }

    /** Whether it may have been open at some moment from one time to another. */
    boolean mayBeOpen(long from, long to) {
      return askedToBegin <= to && ended >= from;
    }

    /** Whether it was open at every moment from one time to another. */
    boolean isOpenThroughout(long from, long to) {
      return begun <= from && askedToEnd > to;
    }
  }

  private final Map<NodeAddress, List<Entry>> nodes = new HashMap<>();

  synchronized void asksToBegin(NodeAddress node, long job, User owner, long now) {
    nodes.computeIfAbsent(node, _ -> new ArrayList<>()).add(new Entry(job, owner, now));
  }

  synchronized void begun(NodeAddress node, long job, long now) {
    entry(node, job).begun = now;
  }

  synchronized void asksToEnd(NodeAddress node, long job, long now) {
    Entry entry = entry(node, job);
    entry.askedToEnd = Math.min(entry.askedToEnd, now);
  }

  synchronized void ended(NodeAddress node, long job, long now) {
    entry(node, job).ended = now;
  }

  /** The node went down: all that it had is being ended from now on. */
  synchronized void goesDown(NodeAddress node, long now) {
    nodes
        .getOrDefault(node, List.of())
        .forEach(entry -> {
          entry.askedToEnd = Math.min(entry.askedToEnd, now);
        });
  }

  private Entry entry(NodeAddress node, long job) {
    return nodes.getOrDefault(node, List.of()).stream()
        .filter(entry -> entry.job == job)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no job " + job + " on " + node.name()));
  }

  /** A user's jobs that may have been open on a node. */
  synchronized Set<Long> possible(NodeAddress node, User owner, long from, long to) {
    var jobs = new HashSet<Long>();
    for (Entry entry : nodes.getOrDefault(node, List.of())) {
      if (entry.owner == owner && entry.mayBeOpen(from, to)) {
        jobs.add(entry.job);
      }
    }
    return jobs;
  }

  /** A user's jobs that were open on a node all the while. */
  synchronized Set<Long> certain(NodeAddress node, User owner, long from, long to) {
    var jobs = new HashSet<Long>();
    for (Entry entry : nodes.getOrDefault(node, List.of())) {
      if (entry.owner == owner && entry.isOpenThroughout(from, to)) {
        jobs.add(entry.job);
      }
    }
    return jobs;
  }

  /** Jobs whose end a node has confirmed before this time. */
  synchronized Set<Long> endedBefore(NodeAddress node, long time) {
    var jobs = new HashSet<Long>();
    for (Entry entry : nodes.getOrDefault(node, List.of())) {
      if (entry.ended < time) {
        jobs.add(entry.job);
      }
    }
    return jobs;
  }
}
