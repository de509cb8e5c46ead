package dev.rollcall.gateway.route;

import dev.rollcall.gateway.audit.GatewayAudit;
import dev.rollcall.gateway.work.Workers;
import dev.rollcall.model.AddressText;
import dev.rollcall.model.Caller;
import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.CallerAnswer.Found;
import dev.rollcall.model.CallerAnswer.Unknown;
import dev.rollcall.model.CallerAnswer.Unreachable;
import dev.rollcall.model.Connection;
import dev.rollcall.model.NodeName;
import dev.rollcall.port.Roll;
import dev.rollcall.port.Roll.Owner;
import dev.rollcall.port.RollUnavailableException;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import dev.rollcall.proto.roll.v1.Question;
import dev.rollcall.wire.BadWordException;
import dev.rollcall.wire.CallerMapper;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Finds the caller of a connection in the roll, or asks the node that owns the connection's near
 * end.
 *
 * @param cluster of all callers
 * @param audit hears of addresses that several nodes claim
 */
public record Identifier(
    String cluster, Roll roll, Workers workers, Router router, GatewayAudit audit) {
  /** How long a question waits that says nothing about it. */
  public static final Duration PATIENCE = Duration.ofMillis(200);

  /** How long one waits at most whose client has a deadline: a busy node may be late. */
  public static final Duration LONGEST = Duration.ofSeconds(2);

  /** Of a connection whose age is not known: longer than any call is kept. */
  public static final Duration ANY_AGE = Duration.ofDays(1);

  /** From when a node was not connected to the next look. */
  private static final long SOON_MILLIS = 20;

  private static final Executor SOON =
      CompletableFuture.delayedExecutor(SOON_MILLIS, TimeUnit.MILLISECONDS);

  /** Who asks. At the node that is asked, no login waits for clients. */
  public enum Asker {
    /** For a login. */
    NODE,
    CLIENT
  }

  /**
   * Answers within the patience. Fails, with RESOURCE_EXHAUSTED, only when the gateway has no room
   * for another question.
   *
   * @param call as the caller's end sees it
   * @param mostAge a call that was entered longer ago is an earlier one with the same ends
   */
  public CompletableFuture<CallerAnswer> identify(
      Connection call, Asker asker, Duration mostAge, Duration patience) {
    if (call.local().staysOnNode() || call.remote().staysOnNode()) {
      return CompletableFuture.completedFuture(
          new Unknown("loopback and link-local calls do not leave their node: ask its agent"));
    }
    long start = System.nanoTime();
    CompletableFuture<CallerAnswer> answer =
        workers
            // A member that hangs does not answer; the call's node may.
            .follow(() ->
                inTheRoll(call, mostAge)
                    .completeOnTimeout(
                        Optional.empty(), patience.dividedBy(2).toNanos(), TimeUnit.NANOSECONDS))
            .thenCompose(found ->
                found.isPresent()
                    ? CompletableFuture.<CallerAnswer>completedFuture(found.get())
                    : elsewhere(call, asker, start + patience.toNanos()))
            .exceptionally(Identifier::unreachable)
            .completeOnTimeout(
                new Unreachable("the roll did not answer within " + patience.toMillis() + " ms"),
                // The node's own silence is told by name, a moment earlier.
                patience.plusMillis(50).toNanos(),
                TimeUnit.NANOSECONDS);
    return answer.whenComplete((result, _) -> count(result, System.nanoTime() - start));
  }

  private static CallerAnswer unreachable(Throwable failure) {
    Throwable reason = failure.getCause() == null ? failure : failure.getCause();
    if (reason instanceof RollUnavailableException e) {
      return new Unreachable("the roll is not available: " + e.getMessage());
    }
    throw new CompletionException(reason);
  }

  private CompletableFuture<Optional<CallerAnswer>> inTheRoll(Connection call, Duration mostAge) {
    return roll.caller(call, mostAge)
        .handle((caller, failure) -> {
          if (failure instanceof RollUnavailableException) {
            // The node itself may still be asked; who it is, is known from memory.
            return Optional.empty();
          }
          if (failure != null) {
            throw new CompletionException(failure);
          }
          return caller.filter(found -> isOfOwner(call, found)).map(Found::new);
        });
  }

  /**
   * A call counts only while its node owns the address, since another node may claim it by now, and
   * while the gateway that has the node's stream is up.
   */
  private boolean isOfOwner(Connection call, Caller caller) {
    return roll.ownerOf(call.local().address()) instanceof Owner.OneNode(NodeName owner, String at)
        && owner.equals(caller.node())
        && router.post().gateways().contains(at);
  }

  /** Not on the thread that the roll's answer came on, which is the grid's. */
  @SuppressWarnings("FutureReturnValueIgnored") // The inner future is what is returned.
  private CompletableFuture<CallerAnswer> elsewhere(Connection call, Asker asker, long until) {
    return workers.run(() -> askOwner(call, asker, until)).thenCompose(asked -> asked);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // The inner future is what is returned.
  private CompletableFuture<CallerAnswer> askOwner(Connection call, Asker asker, long until) {
    String address = AddressText.of(call.local().address());
    return switch (roll.ownerOf(call.local().address())) {
      case Owner.Nobody() ->
          CompletableFuture.completedFuture(new Unknown("no node has address " + address));
      case Owner.Disputed(var nodes) -> {
        audit.disputed(call.local().address(), nodes);
        yield CompletableFuture.completedFuture(
            new Unknown(
                "address "
                    + address
                    + " is claimed by "
                    + nodes.stream()
                        .map(NodeName::text)
                        .sorted()
                        .collect(Collectors.joining(" and "))));
      }
      case Owner.OneNode owner -> {
        Duration patience = atLeastOne(Duration.ofNanos(until - System.nanoTime()));
        yield router
            .ask(owner, question(call, asker, patience), patience)
            .thenCompose(heard ->
                heard instanceof NodeReply.Silent && mayBeConnectedSoon(until)
                    ? CompletableFuture.supplyAsync(() -> elsewhere(call, asker, until), SOON)
                        .thenCompose(again -> again)
                    : CompletableFuture.completedFuture(told(owner, heard)));
      }
    };
  }

  /**
   * Whether a node that did not answer has time to connect: after a gateway's death its nodes
   * connect to another one. One that is connected and does not answer takes all the time.
   */
  private static boolean mayBeConnectedSoon(long until) {
    return until - System.nanoTime() > 2 * TimeUnit.MILLISECONDS.toNanos(SOON_MILLIS);
  }

  private static Duration atLeastOne(Duration patience) {
    return patience.toMillis() < 1 ? Duration.ofMillis(1) : patience;
  }

  private static ConnectResponse question(Connection call, Asker asker, Duration patience) {
    return ConnectResponse.newBuilder()
        .setQuestion(
            Question.newBuilder()
                .setConnection(CallerMapper.toProto(call))
                .setPatience(CallerMapper.duration(patience))
                .setForClient(asker == Asker.CLIENT))
        .build();
  }

  private CallerAnswer told(Owner.OneNode owner, NodeReply heard) {
    return switch (heard) {
      case NodeReply.Silent(String reason) -> new Unreachable(reason);
      case NodeReply.Said(var said) ->
          router
              .answers()
              .read(owner.node(), () -> fitting(owner, said.getCaller().getAnswer()), Unknown::new);
    };
  }

  /** A node answers for its own processes only, and they are of this cluster. */
  private CallerAnswer fitting(Owner.OneNode owner, dev.rollcall.proto.v1.CallerAnswer said) {
    CallerAnswer answer = CallerMapper.toModel(said, "answer");
    return switch (answer) {
      case Found(Caller caller) when !caller.node().equals(owner.node()) ->
          throw new BadWordException("answer.found.node", "'" + caller.node() + "' is another");
      case Found(Caller caller) when !caller.cluster().equals(cluster) ->
          throw new BadWordException(
              "answer.found.cluster", "'" + caller.cluster() + "' is not " + cluster);
      case Unreachable(String reason) -> new Unreachable("node " + owner.node() + ": " + reason);
      case Found _, Unknown _ -> answer;
    };
  }

  private void count(@org.jspecify.annotations.Nullable CallerAnswer answer, long nanos) {
    RouteMeters meters = router.meters();
    meters.identify.record(nanos, TimeUnit.NANOSECONDS);
    switch (answer) {
      case Found _ -> meters.found.increment();
      case Unknown _ -> meters.unknown.increment();
      case Unreachable _ -> meters.unreachable.increment();
      case null -> {}
    }
  }
}
