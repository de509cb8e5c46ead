package dev.rollcall.roll;

import com.hazelcast.map.IMap;
import com.hazelcast.projection.Projections;
import dev.rollcall.port.Roll.JobEntry;
import dev.rollcall.port.Roll.NodeEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** All nodes, all jobs: read from the grid, not from the index, so what was said before is seen. */
final class RollListing {
  private final NodeTable nodes;
  private final IMap<String, JobValue> jobs;

  RollListing(NodeTable nodes, IMap<String, JobValue> jobs) {
    this.nodes = nodes;
    this.jobs = jobs;
  }

  List<NodeEntry> nodes() {
    Map<String, Long> counts =
        jobs
            .project(Projections.<Map.Entry<String, JobValue>, String>singleAttribute("node"))
            .stream()
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    return nodes.all().stream().map(n -> entry(n, counts.getOrDefault(n.node(), 0L))).toList();
  }

  /** Without those below the floors of their nodes, which came too late to be swept. */
  List<JobEntry> jobs() {
    // Jobs first: a node's floors are then not older than its jobs.
    Collection<Object[]> told = jobs.project(JobColumns.ALL_BUT_PROCESSES);
    Map<String, NodeValue> by =
        nodes.all().stream().collect(Collectors.toMap(NodeValue::node, Function.identity()));
    var entries = new ArrayList<JobEntry>();
    for (Object[] columns : told) {
      NodeValue node = by.get(JobColumns.node(columns));
      long sitting = JobColumns.sitting(columns);
      if (node != null && sitting >= node.floors().jobs()) {
        entries.add(JobColumns.entry(columns, sitting <= node.floors().stale()));
      }
    }
    return List.copyOf(entries);
  }

  private static NodeEntry entry(NodeValue node, long jobs) {
    return new NodeEntry(
        node.said(), Instant.ofEpochMilli(node.lease().heardAt()), node.lease().lost(), (int) jobs);
  }
}
