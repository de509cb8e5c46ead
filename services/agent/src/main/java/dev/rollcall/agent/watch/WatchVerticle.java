package dev.rollcall.agent.watch;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.Empty;
import dev.rollcall.agent.event.Queries;
import dev.rollcall.agent.event.StageHealth;
import dev.rollcall.agent.event.Topics;
import dev.rollcall.model.Call;
import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.ClusterPrefixes;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Protocol;
import dev.rollcall.model.SeenCall;
import dev.rollcall.port.CallSource;
import dev.rollcall.port.Jobs;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.util.Optional;
import java.util.function.Predicate;

/** Publishes this node's calls and changes of jobs, and answers questions about its callers. */
public final class WatchVerticle extends VerticleBase {
  /** Searches at once for callers of logins: one user has one (UserTurns). */
  private static final int FOR_LOGINS = 2;

  private static final System.Logger LOG = System.getLogger(WatchVerticle.class.getName());

  private final Bus bus;
  private final CallSource source;
  private final Jobs jobs;
  private final LocalCallers callers;
  private final Predicate<InetAddress> isOwn;
  private final WatchMeters meters;
  private Optional<Connection> leftOut = Optional.empty();
  private final ChosenCalls chosen = new ChosenCalls(System::nanoTime);

  /**
   * @param isOwn whether an address is this node's: such calls never leave it
   */
  public WatchVerticle(
      Bus bus,
      CallSource source,
      Jobs jobs,
      NodeIdentity identity,
      Predicate<InetAddress> isOwn,
      MeterRegistry registry) {
    this.bus = bus;
    this.source = source;
    this.jobs = jobs;
    this.isOwn = isOwn;
    this.meters = new WatchMeters(registry, source);
    this.callers = new LocalCallers(source, jobs, identity, chosen, meters);
  }

  @Override
  public Future<?> start() {
    WorkerExecutor forLogins = vertx.createSharedWorkerExecutor("rollcall-callers", FOR_LOGINS);
    WorkerExecutor forUsers = vertx.createSharedWorkerExecutor("rollcall-questions", 1);
    WorkerExecutor forNodes = vertx.createSharedWorkerExecutor("rollcall-node-questions", 1);
    bus.answer(Queries.CALLER_LOCAL, call -> callers.find(forLogins, call));
    bus.answer(Queries.CALLER_LOCAL_FOR_USER, call -> callers.find(forUsers, call));
    WorkerExecutor forClients = vertx.createSharedWorkerExecutor("rollcall-client-questions", 1);
    WorkerExecutor forKernel = vertx.createSharedWorkerExecutor("rollcall-prefixes", 1);
    var ofNodes = new GatewayQuestions(callers, forNodes);
    var ofClients = new GatewayQuestions(callers, forClients);
    // No login of another node comes over UDP: such a question is a client's.
    bus.answer(
        Queries.CALLER_LOCAL_FOR_GATEWAY,
        call ->
            call.protocol() == Protocol.UDP
                ? ofClients.answer(call)
                : ofNodes.answer(call).onSuccess(answer -> notPushed(call, answer)));
    bus.answer(Queries.CALLER_LOCAL_FOR_CLIENT, ofClients::answer);
    bus.answer(Queries.CALL_CHOSEN, choice -> Future.succeededFuture(chosen.choose(choice)));
    jobs.listen(job -> context.runOnContext(_ -> bus.tell(Topics.JOB_CHANGED, job)));
    bus.hear(
        Topics.CLUSTER_PREFIXES,
        nodes -> forKernel.executeBlocking(() -> pushTo(nodes)).onSuccess(_ -> pushed()));
    source.announce(
        new CallSource.Listener() {
          @Override
          public void called(SeenCall call) {
            onCalled(call);
          }

          @Override
          public void lost(long calls) {
            meters.lost.increment((double) calls);
            context.runOnContext(_ -> bus.tell(Topics.CALLS_LOST, calls));
          }

          @Override
          public void withdrawn(Connection connection) {
            if (!stays(connection)) {
              withdraw(connection);
            }
          }

          @Override
          public void arrived() {
            context.runOnContext(_ -> bus.tell(Topics.CALLS_ARRIVED, new Empty()));
          }
        });
    bus.tell(
        Topics.HEALTH_CHANGED, new StageHealth("watch", true, true, "calls by " + source.name()));
    return Future.succeededFuture();
  }

  /** A login of another node asks: this node's call is to a node of the cluster. */
  private void notPushed(Connection call, CallerAnswer answer) {
    if (answer instanceof CallerAnswer.Found && source.leavesOut(call)) {
      meters.notPushed(meters.outside);
      warn(call);
    }
  }

  /** Once, and in the agent's health until a prefix covers it. */
  private void warn(Connection call) {
    if (leftOut.isEmpty()) {
      leftOut = Optional.of(call);
      String detail =
          ("the caller of %s was not pushed to its node, which had to ask: no prefix of the cluster"
                  + " has the address; add it to cluster_prefixes, or leave that key out")
              .formatted(call.remote());
      LOG.log(WARNING, detail);
      bus.tell(Topics.HEALTH_CHANGED, new StageHealth("prefixes", false, false, detail));
    }
  }

  private boolean pushTo(ClusterPrefixes nodes) {
    try {
      source.pushTo(nodes);
    } catch (UncheckedIOException e) {
      LOG.log(WARNING, "callers are not pushed to all nodes: {0}", e.getMessage());
    }
    return true;
  }

  private void pushed() {
    if (leftOut.filter(call -> !source.leavesOut(call)).isPresent()) {
      leftOut = Optional.empty();
      bus.tell(
          Topics.HEALTH_CHANGED,
          new StageHealth("prefixes", false, true, "callers are pushed to all nodes"));
    }
  }

  private boolean stays(Connection call) {
    return call.remote().staysOnNode()
        || call.local().staysOnNode()
        || isOwn.test(call.remote().address());
  }

  /** On the source's thread: the look-ups there take no time, and the event loop has others. */
  private void onCalled(SeenCall seen) {
    if (stays(seen.connection())) {
      meters.notPushed(meters.own);
      return;
    }
    callers
        .callerOf(seen)
        .ifPresentOrElse(
            caller -> {
              meters.announced.increment();
              var call = new Call(seen.connection(), caller);
              context.runOnContext(_ -> bus.tell(Topics.CALL_MADE, call));
            },
            () -> {
              meters.notPushed(meters.ended);
              // An earlier call may have had the same ends, and its caller may be pushed.
              withdraw(seen.connection());
            });
  }

  private void withdraw(Connection call) {
    meters.withdrawn.increment();
    context.runOnContext(_ -> bus.tell(Topics.CALL_WITHDRAWN, call));
  }
}
