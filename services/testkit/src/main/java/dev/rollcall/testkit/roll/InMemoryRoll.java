package dev.rollcall.testkit.roll;

import static java.util.Objects.requireNonNull;

import dev.rollcall.model.Call;
import dev.rollcall.model.Caller;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobProcess;
import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.NodeName;
import dev.rollcall.port.Roll;
import dev.rollcall.port.RollUnavailableException;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A roll in this process's memory. Several gateways of a test may share one. */
public final class InMemoryRoll implements Roll {
  private static final class Node {
    NodeDescription said;
    long registration;
    long staleThrough;
    long completed;
    Instant heardAt = Instant.MIN;
    Instant leaseEnds = Instant.MIN;
    boolean lost;
    boolean streamEnded;
    final Set<String> pastBoots = new HashSet<>();

    Node(NodeDescription said) {
      this.said = said;
    }
  }

  private record JobKey(NodeName node, JobId job) {}

  private record ToldJob(
      Registration by, Job job, String user, List<JobProcess> processes, Instant observedAt) {}

  private record ToldCall(Registration by, Caller caller, Instant entered, Instant until) {}

  private final InstantSource clock;
  private final Map<NodeName, Node> nodes = new HashMap<>();
  private final Map<JobKey, ToldJob> jobs = new HashMap<>();
  private final Map<Connection, ToldCall> calls = new HashMap<>();
  private volatile Runnable afterJobs = () -> {};
  private boolean unavailable;
  private long jobsRead;
  private int connects;
  private int renewals;

  public InMemoryRoll(InstantSource clock) {
    this.clock = clock;
  }

  /** From now on every method throws {@link RollUnavailableException}, or works again. */
  public synchronized void setUnavailable(boolean to) {
    unavailable = to;
  }

  /** Runs on the reader's thread when {@link #jobs} has read and has not returned yet. */
  public void afterJobs(Runnable step) {
    afterJobs = step;
  }

  /** As if no node had ever connected. */
  public synchronized void forget() {
    nodes.clear();
    jobs.clear();
    calls.clear();
  }

  @Override
  public synchronized Standing connect(NodeDescription said, Duration lease) {
    connects++;
    checkAvailable();
    NodeEpoch epoch = said.epoch();
    Node node = nodes.computeIfAbsent(epoch.node(), _ -> new Node(said));
    NodeEpoch before = node.said.epoch();
    boolean newRun = node.registration == 0 || !epoch.equals(before);
    if (newRun && node.registration > 0) {
      if (!node.lost && (!epoch.replaces(before) || node.pastBoots.contains(epoch.bootId()))) {
        return new Standing.Replaced(before, node.said.gateway());
      }
      if (!epoch.bootId().equals(before.bootId())) {
        node.pastBoots.add(before.bootId());
        node.pastBoots.remove(epoch.bootId());
      }
    }
    node.said = said;
    node.registration++;
    node.lost = false;
    node.streamEnded = false;
    forgetCalls(epoch.node());
    heard(node, lease);
    return new Standing.Connected(new Registration(epoch, node.registration));
  }

  /** How often any node was to be registered. */
  public synchronized int connects() {
    return connects;
  }

  /** How often a lease of any node was to be renewed. */
  public synchronized int renewals() {
    return renewals;
  }

  @Override
  public synchronized Standing renew(Registration registration, Duration lease) {
    renewals++;
    checkAvailable();
    Node node = nodes.get(registration.node());
    if (node == null || (node.lost && isLatest(node, registration))) {
      return new Standing.Lost();
    }
    if (!isLatest(node, registration)) {
      return new Standing.Replaced(node.said.epoch(), node.said.gateway());
    }
    heard(node, lease);
    return new Standing.Connected(registration);
  }

  @Override
  public synchronized void disconnected(Registration registration, Duration lease) {
    Node node = speaking(registration);
    if (node != null) {
      node.streamEnded = true;
      forgetCalls(registration.node());
      heard(node, lease);
    }
  }

  @Override
  public synchronized boolean isOpen(Registration registration) {
    Node node = nodes.get(registration.node());
    return node != null && !node.lost && !node.streamEnded && isLatest(node, registration);
  }

  private void forgetCalls(NodeName node) {
    calls.values().removeIf(call -> call.by.node().equals(node));
  }

  @Override
  public synchronized void complete(Registration registration) {
    Node node = speaking(registration);
    if (node != null) {
      node.completed = registration.number();
      jobs.values()
          .removeIf(j -> sameNode(j.by, registration) && j.by.number() < registration.number());
    }
  }

  @Override
  public synchronized void enterJob(
      Registration registration,
      Job job,
      String user,
      List<JobProcess> processes,
      Instant observedAt) {
    if (speaking(registration) != null) {
      jobs.put(
          new JobKey(registration.node(), job.id()),
          new ToldJob(registration, job, user, List.copyOf(processes), observedAt));
    }
  }

  @Override
  public synchronized void strikeJob(Registration registration, JobId job) {
    if (speaking(registration) != null) {
      jobs.remove(new JobKey(registration.node(), job));
    }
  }

  @Override
  public synchronized void enterCalls(Registration registration, List<Call> made, Duration keep) {
    if (speaking(registration) != null && isOpen(registration)) {
      Instant now = clock.instant();
      made.forEach(call ->
          calls.put(
              call.connection(), new ToldCall(registration, call.caller(), now, now.plus(keep))));
    }
  }

  @Override
  public synchronized void strikeCall(Registration registration, Connection connection) {
    ToldCall told = calls.get(connection);
    if (speaking(registration) != null && told != null && sameNode(told.by, registration)) {
      calls.remove(connection);
    }
  }

  @Override
  public synchronized void strikeCalls(Registration registration) {
    if (speaking(registration) != null) {
      forgetCalls(registration.node());
    }
  }

  @Override
  public CompletableFuture<Optional<Caller>> caller(Connection connection, Duration mostAge) {
    try {
      return CompletableFuture.completedFuture(knownCaller(connection, mostAge));
    } catch (RollUnavailableException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private synchronized Optional<Caller> knownCaller(Connection connection, Duration mostAge) {
    checkAvailable();
    calls.values().removeIf(c -> !clock.instant().isBefore(c.until));
    return Optional.ofNullable(calls.get(connection))
        .filter(call -> !call.entered().plus(mostAge).isBefore(clock.instant()))
        .map(ToldCall::caller);
  }

  @Override
  public synchronized Owner ownerOf(InetAddress address) {
    checkAvailable();
    return Owner.of(address, said(false), said(true));
  }

  private List<NodeDescription> said(boolean lost) {
    return nodes.values().stream().filter(n -> n.lost == lost).map(n -> n.said).toList();
  }

  @Override
  public synchronized Presence presence(NodeName name) {
    Node node = nodes.get(name);
    if (node == null) {
      return new Presence.Unknown();
    }
    return node.lost ? new Presence.Lost() : new Presence.Connected(at(node));
  }

  @Override
  public synchronized Set<InetAddress> addresses() {
    return nodes.values().stream()
        .flatMap(node -> node.said.claimed().stream())
        .collect(Collectors.toSet());
  }

  @Override
  public synchronized List<Owner.OneNode> connected() {
    return nodes.values().stream().filter(node -> !node.lost).map(InMemoryRoll::at).toList();
  }

  private static Owner.OneNode at(Node node) {
    return new Owner.OneNode(node.said.epoch().node(), node.said.gateway());
  }

  /** The latest registration of a node that is there, for a test's own statements. */
  public synchronized Registration latest(NodeName name) {
    Node node = requireNonNull(nodes.get(name));
    return new Registration(node.said.epoch(), node.registration);
  }

  /** Entries of jobs that were read since the start, each time that they were. */
  public synchronized long jobsRead() {
    return jobsRead;
  }

  @Override
  public synchronized List<NodeEntry> nodes() {
    checkAvailable();
    jobsRead += jobs.size();
    return nodes.values().stream()
        .map(n -> new NodeEntry(n.said, n.heardAt, n.lost, jobsOf(n.said.epoch().node())))
        .toList();
  }

  @Override
  public List<JobEntry> jobs() {
    List<JobEntry> read;
    synchronized (this) {
      checkAvailable();
      jobsRead += jobs.size();
      read = jobs.values().stream().map(this::entry).toList();
    }
    afterJobs.run();
    return read;
  }

  @Override
  public synchronized List<JobEntry> job(JobId job) {
    checkAvailable();
    List<JobEntry> read =
        jobs.values().stream().filter(j -> j.job.id().equals(job)).map(this::entry).toList();
    jobsRead += read.size();
    return read;
  }

  private JobEntry entry(ToldJob told) {
    return new JobEntry(told.by.epoch(), told.job, told.user, told.observedAt, isStale(told.by));
  }

  @Override
  public synchronized List<JobProcess> processes(NodeName node, JobId job) {
    checkAvailable();
    ToldJob told = jobs.get(new JobKey(node, job));
    return told == null ? List.of() : told.processes;
  }

  @Override
  public synchronized Map<NodeName, NodeProcesses> processesByPid(
      Map<NodeName, Set<Integer>> pids) {
    checkAvailable();
    jobsRead += pids.keySet().stream().mapToInt(this::jobsOf).sum();
    var found = new HashMap<NodeName, NodeProcesses>();
    pids.forEach((name, wanted) -> {
      Node node = nodes.get(name);
      if (node != null) {
        found.put(
            name,
            new NodeProcesses(
                node.heardAt,
                node.lost,
                node.completed == node.registration,
                jobsOf(name),
                processes(name, wanted)));
      }
    });
    return found;
  }

  private List<ProcessEntry> processes(NodeName node, Set<Integer> pids) {
    return jobs.values().stream()
        .filter(told -> told.by.node().equals(node))
        .flatMap(told ->
            told.processes.stream()
                .filter(process -> pids.contains(process.process().pid()))
                .map(process ->
                    new ProcessEntry(told.job, process, told.observedAt, isStale(told.by))))
        .toList();
  }

  @Override
  public synchronized Size size() {
    checkAvailable();
    int lost = (int) nodes.values().stream().filter(node -> node.lost).count();
    return new Size(nodes.size() - lost, lost, jobs.size(), calls.size());
  }

  @Override
  public synchronized List<NodeName> expire() {
    checkAvailable();
    var lost = new ArrayList<NodeName>();
    nodes.forEach((name, node) -> {
      if (!node.lost && !clock.instant().isBefore(node.leaseEnds)) {
        node.lost = true;
        node.staleThrough = node.registration;
        forgetCalls(name);
        lost.add(name);
      }
    });
    return lost;
  }

  @Override
  public void close() {}

  private void heard(Node node, Duration lease) {
    node.heardAt = clock.instant();
    node.leaseEnds = node.heardAt.plus(lease);
  }

  private @Nullable Node speaking(Registration registration) {
    checkAvailable();
    Node node = nodes.get(registration.node());
    return node != null && !node.lost && isLatest(node, registration) ? node : null;
  }

  private boolean isStale(Registration by) {
    Node node = nodes.get(by.node());
    return node != null && by.number() <= node.staleThrough;
  }

  private int jobsOf(NodeName node) {
    return (int) jobs.keySet().stream().filter(k -> k.node.equals(node)).count();
  }

  private void checkAvailable() {
    if (unavailable) {
      throw new RollUnavailableException("the roll was made unavailable", new TimeoutException());
    }
  }

  private static boolean isLatest(Node node, Registration registration) {
    return node.registration == registration.number()
        && node.said.epoch().equals(registration.epoch());
  }

  private static boolean sameNode(Registration one, Registration other) {
    return one.node().equals(other.node());
  }
}
