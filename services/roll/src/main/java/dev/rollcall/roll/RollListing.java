package dev.rollcall.roll;

import com.hazelcast.map.IMap;
import com.hazelcast.projection.Projections;
import com.hazelcast.query.Predicates;
import dev.rollcall.model.JobId;
import dev.rollcall.model.NodeName;
import dev.rollcall.port.Roll.JobEntry;
import dev.rollcall.port.Roll.NodeEntry;
import dev.rollcall.port.Roll.NodeProcesses;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import java.util.stream.Collectors;

/** All nodes, all jobs: read from the grid, not from the index, so what was said before is seen. */
final class RollListing {
  private final NodeTable nodes;
  private final IMap<String, JobValue> jobs;
  private final LongUnaryOperator wall;

  /**
   * @param wall milliseconds of this member's wall clock for those of the grid's
   */
  RollListing(NodeTable nodes, IMap<String, JobValue> jobs, LongUnaryOperator wall) {
    this.nodes = nodes;
    this.jobs = jobs;
    this.wall = wall;
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
    return valid(told, nodes.all());
  }

  /** The same of one job, which each member finds in its index. */
  List<JobEntry> job(JobId job) {
    Collection<Object[]> told =
        jobs.project(
            JobColumns.ALL_BUT_PROCESSES,
            Predicates.equal(MemberConfig.JOB_ATTRIBUTE, job.number()));
    Set<String> names = told.stream().map(JobColumns::node).collect(Collectors.toSet());
    return valid(told, nodes.all(names));
  }

  private static List<JobEntry> valid(Collection<Object[]> told, Collection<NodeValue> nodes) {
    Map<String, NodeValue> by =
        nodes.stream().collect(Collectors.toMap(NodeValue::node, Function.identity()));
    var entries = new ArrayList<JobEntry>();
    for (Object[] columns : told) {
      NodeValue node = by.get(JobColumns.node(columns));
      long registration = JobColumns.registration(columns);
      if (node != null && registration >= node.floors().jobs()) {
        entries.add(JobColumns.entry(columns, registration <= node.floors().stale()));
      }
    }
    return List.copyOf(entries);
  }

  /** Nodes are looked up in memory first, as for calls. */
  Map<NodeName, NodeProcesses> processes(Map<NodeName, Set<Integer>> pids) {
    var wanted = new HashMap<String, int[]>();
    pids.forEach((node, of) ->
        wanted.put(node.text(), of.stream().mapToInt(Integer::intValue).sorted().toArray()));
    Map<String, List<Object[]>> told =
        jobs
            .project(
                new ProcessesByPid(wanted),
                Predicates.in("node", wanted.keySet().toArray(String[]::new)))
            .stream()
            .collect(Collectors.groupingBy(ProcessesByPid::node));
    var found = new HashMap<NodeName, NodeProcesses>();
    for (NodeName name : pids.keySet()) {
      NodeValue node = nodes.index().find(name.text()).orElseGet(() -> nodes.get(name.text()));
      if (node != null) {
        found.put(name, processes(node, told.getOrDefault(name.text(), List.of())));
      }
    }
    return found;
  }

  private NodeProcesses processes(NodeValue node, List<Object[]> told) {
    List<Object[]> valid =
        told.stream()
            .filter(job -> ProcessesByPid.registration(job) >= node.floors().jobs())
            .toList();
    return new NodeProcesses(
        heardAt(node),
        node.lease().lost(),
        node.isComplete(),
        valid.size(),
        valid.stream()
            .flatMap(job ->
                ProcessesByPid.entries(
                    job, ProcessesByPid.registration(job) <= node.floors().stale()))
            .toList());
  }

  private NodeEntry entry(NodeValue node, long jobs) {
    return new NodeEntry(node.said(), heardAt(node), node.lease().lost(), (int) jobs);
  }

  private Instant heardAt(NodeValue node) {
    return Instant.ofEpochMilli(wall.applyAsLong(node.lease().heardAt()));
  }
}
