package dev.rollcall.roll;

import static java.util.Objects.requireNonNull;

import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.projection.Projections;
import com.hazelcast.query.Predicate;
import com.hazelcast.query.Predicates;
import dev.rollcall.model.Call;
import dev.rollcall.model.Caller;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobProcess;
import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.NodeName;
import dev.rollcall.port.Roll;
import dev.rollcall.roll.NodeTable.Change;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The roll in the maps {@code nodes}, {@code jobs} and {@code calls} of a grid. A statement is
 * checked against the node's entry before it is written; one that slips in between is told apart by
 * readers, by the floors in that entry.
 */
final class HazelcastRoll implements Roll {
  private static final System.Logger LOG = System.getLogger(HazelcastRoll.class.getName());

  static final String NODES = "nodes";
  static final String JOBS = "jobs";
  static final String CALLS = "calls";

  private static final Duration BOUND = Duration.ofSeconds(2);

  /**
   * Well within the bound: of thousands of nodes that a switch took along, some are for later, and
   * those that were lost are told.
   */
  private static final long EXPIRING_NANOS = BOUND.dividedBy(2).toNanos();

  /** Of a node, whose jobs are in the roll at once; nodes that lose their gateway have two. */
  static final int MOST_REGISTRATIONS = 4;

  private static final long REBUILD_NANOS = Duration.ofSeconds(30).toNanos();

  private final InstantSource clock;
  private final GridTimeout bounded = new GridTimeout(BOUND);
  private final NodeTable nodes;
  private final IMap<String, JobValue> jobs;
  private final IMap<byte[], CallValue> calls;
  private final RollListing listing;
  private final StoppedProcess standstill;
  private final ExecutorService afterwards =
      Executors.newSingleThreadExecutor(Thread.ofVirtual().name("roll-afterwards").factory());

  /** The last registrations of nodes whose earlier jobs wait to be removed. */
  private final Map<String, Long> unfinished = new ConcurrentHashMap<>();

  private final LongSupplier nanoClock;
  private final AtomicLong rebuiltAt;

  /**
   * @param clock the same for every member, such as the grid's, which nobody steps
   * @param wall for people
   * @param nanoClock this member's own, which nobody steps, such as System.nanoTime
   */
  HazelcastRoll(
      HazelcastInstance grid, InstantSource clock, InstantSource wall, LongSupplier nanoClock) {
    this.clock = clock;
    this.nanoClock = nanoClock;
    this.rebuiltAt = new AtomicLong(nanoClock.getAsLong());
    this.standstill = new StoppedProcess(nanoClock);
    this.nodes = new NodeTable(grid.getMap(NODES), new LeaseWatch(nanoClock));
    this.jobs = grid.getMap(JOBS);
    this.calls = grid.getMap(CALLS);
    this.listing = new RollListing(nodes, jobs, millis -> millis + wall.millis() - clock.millis());
  }

  @Override
  public Standing connect(NodeDescription said, Duration lease) {
    NodeEpoch run = said.epoch();
    return bounded.call(
        "connect " + run.node(),
        () -> {
          NodeValue after =
              after(
                  nodes.update(
                      run.node().text(),
                      before ->
                          before != null && before.refuses(run)
                              ? before
                              : NodeValue.connected(before, said, now(), lease.toMillis())));
          if (!after.epoch().equals(run)) {
            return new Standing.Replaced(after.epoch(), after.said().gateway());
          }
          strikeUnfinishedLater(after);
          return new Standing.Connected(new Registration(run, after.registration()));
        });
  }

  @Override
  public Standing renew(Registration registration, Duration lease) {
    return bounded.call(
        "renew " + registration.node(),
        () -> {
          @Nullable NodeValue after =
              change(registration, node -> node.renewed(now(), lease.toMillis())).after();
          if (after == null || (after.isLatest(registration) && after.lease().lost())) {
            return new Standing.Lost();
          }
          return after.isLatest(registration)
              ? new Standing.Connected(registration)
              : new Standing.Replaced(after.epoch(), after.said().gateway());
        });
  }

  @Override
  public void disconnected(Registration registration, Duration lease) {
    bounded.run(
        "disconnect " + registration.node(),
        () -> change(registration, node -> node.disconnected(now(), lease.toMillis())));
  }

  @Override
  public boolean isOpen(Registration registration) {
    return !standstill.isRecent()
        && nodes
            .index()
            .find(registration.node().text())
            .filter(node -> node.isOpen(registration))
            .isPresent();
  }

  @Override
  public void complete(Registration registration) {
    bounded.run(
        "complete " + registration.node(),
        () -> {
          Change change = change(registration, NodeValue::completed);
          if (change.happened()) {
            NodeValue node = after(change);
            strikeAll(jobs, node.node(), node.floors().jobs());
          }
        });
  }

  @Override
  public void enterJob(
      Registration registration,
      Job job,
      String user,
      List<JobProcess> processes,
      Instant observedAt) {
    var value =
        new JobValue(registration.epoch(), registration.number(), job, user, processes, observedAt);
    whenHeard(
        registration,
        "write job " + job.id() + " of " + registration.node(),
        () -> jobs.executeOnKey(jobKey(registration.node(), job.id()), new Enter<>(value, 0)));
  }

  @Override
  public void strikeJob(Registration registration, JobId job) {
    whenHeard(
        registration,
        "remove job " + job + " of " + registration.node(),
        () ->
            jobs.executeOnKey(
                jobKey(registration.node(), job),
                new Strike<>(registration.node().text(), registration.number())));
  }

  @Override
  public void enterCalls(Registration registration, List<Call> made, Duration keep) {
    Map<Connection, Caller> callers = new LinkedHashMap<>();
    made.forEach(call -> callers.put(call.connection(), call.caller()));
    int life = Math.toIntExact(Math.max(1, keep.toMillis()));
    whenHeard(
        registration,
        "add " + made.size() + " calls of " + registration.node(),
        () -> {
          var writes = new ArrayList<CompletionStage<?>>();
          long entered = now();
          callers.forEach((connection, caller) -> {
            var value =
                new CallValue(registration.epoch(), registration.number(), entered, life, caller);
            writes.add(
                calls.submitToKey(
                    CallKey.of(connection), new Enter<byte[], CallValue>(value, life)));
          });
          awaitAll(writes);
        });
  }

  /** What fails fails as if it were done here. */
  private static void awaitAll(List<CompletionStage<?>> operations) {
    for (CompletionStage<?> operation : operations) {
      try {
        operation.toCompletableFuture().get();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new HazelcastException("interrupted", e);
      } catch (ExecutionException e) {
        throw e.getCause() instanceof RuntimeException cause ? cause : new HazelcastException(e);
      }
    }
  }

  @Override
  public void strikeCall(Registration registration, Connection connection) {
    whenHeard(
        registration,
        "strike call " + connection,
        () ->
            calls.executeOnKey(
                CallKey.of(connection),
                new Strike<>(registration.node().text(), registration.number())));
  }

  @Override
  public void strikeCalls(Registration registration) {
    bounded.run(
        "strike calls of " + registration.node(),
        () -> change(registration, node -> node.withoutCalls(now())));
  }

  @Override
  public CompletableFuture<Optional<Caller>> caller(Connection connection, Duration mostAge) {
    var answer = new CompletableFuture<Optional<Caller>>();
    try {
      var _ =
          calls
              .getAsync(CallKey.of(connection))
              // On the grid's thread: without an executor Hazelcast starts a thread for each answer
              // on a machine of one or two processors, which takes ten times the rest.
              .whenCompleteAsync(
                  (call, failure) -> answer(answer, connection, mostAge, call, failure),
                  Runnable::run);
    } catch (RuntimeException e) {
      answer(answer, connection, mostAge, null, e);
    }
    return answer;
  }

  private void answer(
      CompletableFuture<Optional<Caller>> answer,
      Connection connection,
      Duration mostAge,
      @Nullable CallValue call,
      @Nullable Throwable failure) {
    if (failure == null) {
      answer.complete(
          Optional.ofNullable(call)
              .filter(found -> now() - found.entered() <= mostAge.toMillis() && isStanding(found))
              .map(CallValue::caller));
    } else {
      Throwable cause =
          failure instanceof CompletionException && failure.getCause() != null
              ? failure.getCause()
              : failure;
      answer.completeExceptionally(
          cause instanceof Error
              ? cause
              : GridTimeout.unavailable("caller of " + connection, cause));
    }
  }

  @Override
  public Owner ownerOf(InetAddress address) {
    return nodes.index().ownerOf(address);
  }

  @Override
  public Set<InetAddress> addresses() {
    return nodes.index().addresses();
  }

  @Override
  public Presence presence(NodeName node) {
    return nodes.index().presence(node);
  }

  @Override
  public List<Owner.OneNode> connected() {
    return nodes.index().connected();
  }

  @Override
  public List<NodeEntry> nodes() {
    return bounded.call("list nodes", listing::nodes);
  }

  @Override
  public List<JobEntry> jobs() {
    return bounded.call("list jobs", listing::jobs);
  }

  @Override
  public List<JobEntry> job(JobId job) {
    return bounded.call("find job " + job, () -> listing.job(job));
  }

  @Override
  public List<JobProcess> processes(NodeName node, JobId job) {
    return bounded.call(
        "list processes",
        () -> {
          @Nullable JobValue told = jobs.get(jobKey(node, job));
          return told == null ? List.of() : told.processes();
        });
  }

  @Override
  public Map<NodeName, NodeProcesses> processesByPid(Map<NodeName, Set<Integer>> pids) {
    return bounded.call("find processes", () -> listing.processes(pids));
  }

  @Override
  public Size size() {
    int connected = nodes.index().connected().size();
    return bounded.call(
        "size",
        () ->
            new Size(connected, nodes.index().all().size() - connected, jobs.size(), calls.size()));
  }

  @Override
  public List<NodeName> expire() {
    return bounded.call(
        "expire",
        () -> {
          var _ = standstill.isRecent();
          rebuildNowAndThen();
          var lost = new ArrayList<NodeName>();
          long until = System.nanoTime() + EXPIRING_NANOS;
          for (NodeValue seen : nodes.index().all()) {
            if (System.nanoTime() - until >= 0) {
              break;
            }
            if (nodes.index().isSilent(seen) && lose(seen.node())) {
              lost.add(seen.epoch().node());
            }
          }
          return List.copyOf(lost);
        });
  }

  /** Reads every node's entry again, because events may be missing. */
  void rebuild() {
    bounded.run("rebuild the index", nodes::rebuild);
  }

  /** How far this member's index is with each node. */
  Map<String, Long> revisions() {
    return nodes.index().all().stream()
        .collect(Collectors.toMap(NodeValue::node, NodeValue::revision));
  }

  /** Leaves the grid running. */
  @Override
  public void close() {
    bounded.close();
    afterwards.shutdownNow();
    nodes.close();
  }

  /** Only the gateway whose swap records the loss reports it. */
  private boolean lose(String name) {
    Change change =
        nodes.update(
            name, node -> node != null && nodes.index().isSilent(node) ? node.lostNow() : node);
    return change.happened();
  }

  private void rebuildNowAndThen() {
    long last = rebuiltAt.get();
    long now = nanoClock.getAsLong();
    if (now - last > REBUILD_NANOS && rebuiltAt.compareAndSet(last, now)) {
      nodes.rebuild();
    }
  }

  private Change change(Registration registration, Function<NodeValue, NodeValue> how) {
    return nodes.update(
        registration.node().text(),
        node -> node != null && node.hears(registration) ? how.apply(node) : node);
  }

  /** Does this unless a later registration of the node is connected, or its lease is over. */
  private void whenHeard(Registration registration, String what, Runnable change) {
    bounded.run(
        what,
        () -> {
          @Nullable NodeValue node = nodes.get(registration.node().text());
          if (node != null && node.hears(registration)) {
            change.run();
          }
        });
  }

  private boolean isStanding(CallValue call) {
    return !standstill.isRecent()
        && call.isFresh(now())
        && nodes.index().find(call.node()).filter(node -> node.counts(call)).isPresent();
  }

  private long now() {
    return clock.millis();
  }

  private static NodeValue after(Change change) {
    return requireNonNull(change.after());
  }

  private static String jobKey(NodeName node, JobId job) {
    return node + "/" + job;
  }

  /**
   * A node that connects again and again and never completes its state would add jobs each time: of
   * its registrations those stay that spoke last. There may be many jobs, so no node waits for
   * this, and it has no bound. A failure leaves them until the node connects again.
   */
  private void strikeUnfinishedLater(NodeValue connected) {
    String node = connected.node();
    if (unfinished.put(node, connected.registration()) == null) {
      afterwards.execute(() -> {
        try {
          strikeUnfinished(node, requireNonNull(unfinished.remove(node)));
        } catch (RuntimeException e) {
          LOG.log(Level.WARNING, "earlier jobs of node " + node + " were not removed", e);
        }
      });
    }
  }

  private void strikeUnfinished(String node, long latest) {
    List<Long> registrations =
        jobs
            .project(
                Projections.<Map.Entry<String, JobValue>, Long>singleAttribute("registration"),
                Predicates.equal("node", node))
            .stream()
            .filter(registration -> registration < latest)
            .distinct()
            .sorted(Comparator.reverseOrder())
            .toList();
    if (registrations.size() > MOST_REGISTRATIONS) {
      strikeAll(jobs, node, registrations.get(MOST_REGISTRATIONS - 1));
    }
  }

  /**
   * Strikes what the node told in earlier registrations than this. What there is, is looked up in
   * the index of each member: most often nothing, and to remove by a predicate is an operation on
   * each of all partitions and its backup, 50 times as much.
   */
  private static <K, V extends Statement> void strikeAll(IMap<K, V> map, String node, long before) {
    Predicate<K, V> told =
        Predicates.and(Predicates.equal("node", node), Predicates.lessThan("registration", before));
    var struck = new ArrayList<CompletionStage<?>>();
    for (K key : map.keySet(told)) {
      struck.add(map.submitToKey(key, new Strike<>(node, before - 1)));
    }
    awaitAll(struck);
  }
}
