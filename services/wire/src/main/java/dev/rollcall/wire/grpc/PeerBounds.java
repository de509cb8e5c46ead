package dev.rollcall.wire.grpc;

import dev.rollcall.wire.memory.MemoryBudget;
import dev.rollcall.wire.memory.MemoryBudget.Bound;
import dev.rollcall.wire.memory.PeerAccount;
import dev.rollcall.wire.memory.PeerKind;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToIntBiFunction;

/**
 * The limits of what a server's peers may use.
 *
 * @param memory counts the bytes that each peer holds: connections, calls, requests, answers
 * @param messages bytes of the largest request message that a method takes from a peer; the method
 *     with its service, as {@code rollcall.v1.JobService/List}
 * @param accounts as whom the memory of a peer's connections, requests and answers counts
 * @param objection why a gRPC request is refused with 403 before anything else is looked at, if it
 *     is: of a browser's page. Other requests are looked at by those who answer them
 */
public record PeerBounds(
    MemoryBudget memory,
    ToIntBiFunction<Peer, String> messages,
    Function<Peer, PeerAccount> accounts,
    Function<HttpServerRequest, Optional<String>> objection) {
  /** Calls under way on one connection; more are refused by HTTP/2. */
  static final int STREAMS = 256;

  private static final long PEER_BYTES = 32 << 20;
  private static final long ALL_BYTES = 128 << 20;
  private static final long USER_BYTES = 1 << 20;
  private static final long USERS_BYTES = 8 << 20;
  private static final long PAGES_BYTES = 1 << 20;
  private static final int USER_MESSAGE_BYTES = 16 << 10;
  private static final int SMALL_MESSAGE_BYTES = 64 << 10;
  private static final int PEERS_IN_A_HEAP = 32;
  private static final int BUDGETS_IN_A_HEAP = 4;
  private static final int STRANGERS_IN_A_BUDGET = 64;
  private static final int PARTS_OF_A_BUDGET = 4;

  /**
   * The bounds of an agent for the users of its node: each has 1 MiB and no more than stays free,
   * all but root have 8 MiB and root has 8 MiB more, of a heap of 48 MiB. Requests of users are
   * some hundred bytes; those of root have allocations in them.
   */
  public static PeerBounds ofAgent(MemoryBudget memory) {
    return new PeerBounds(
        memory,
        (peer, _) ->
            peer instanceof Peer.Local(int _, int uid, int _) && uid == 0
                ? MessageLimits.MESSAGE_BYTES
                : USER_MESSAGE_BYTES,
        Peer::account,
        _ -> Optional.empty());
  }

  /** The same for a server that admits only root and users whom the site lists. */
  public PeerBounds forListedUsers() {
    return new PeerBounds(
        memory,
        messages,
        peer ->
            accounts.apply(peer) instanceof Peer.User(int uid) && uid != 0
                ? new Peer.ListedUser(uid)
                : accounts.apply(peer),
        objection);
  }

  /** See {@link #ofAgent}. */
  public static MemoryBudget agentMemory(MeterRegistry registry) {
    return new MemoryBudget(
        kind ->
            kind == PeerKind.PROTECTED
                ? new Bound(USERS_BYTES, 2 * USERS_BYTES)
                : new Bound(USER_BYTES, USERS_BYTES, true),
        registry);
  }

  /**
   * Of a gateway: a quarter of the heap for all. Each peer has a 32nd of the heap; a stranger has a
   * 64th of that quarter, and all strangers a quarter of it. A quarter is for nodes, gateways and
   * administrators alone. What nodes report may have a megabyte; other messages have 64 KiB.
   *
   * @param large methods that take large messages, with their services
   */
  public static PeerBounds ofGateway(
      MemoryBudget memory,
      Set<String> large,
      Function<Peer, PeerAccount> accounts,
      Function<HttpServerRequest, Optional<String>> objection) {
    return new PeerBounds(
        memory,
        (_, method) -> large.contains(method) ? MessageLimits.MESSAGE_BYTES : SMALL_MESSAGE_BYTES,
        accounts,
        objection);
  }

  /** See {@link #ofGateway}. */
  public static MemoryBudget gatewayMemory(MeterRegistry registry) {
    long heap = Runtime.getRuntime().maxMemory();
    long all = heap / BUDGETS_IN_A_HEAP;
    long each = heap / PEERS_IN_A_HEAP;
    return new MemoryBudget(
        kind ->
            switch (kind) {
              case STRANGER -> new Bound(all / STRANGERS_IN_A_BUDGET, all / PARTS_OF_A_BUDGET);
              case USER, SERVICE -> new Bound(each, all - all / PARTS_OF_A_BUDGET);
              case PROTECTED -> new Bound(each, all);
            },
        registry);
  }

  /**
   * Of the metrics and the health of any process, also of an agent with a heap of 48 MiB: 1 MiB for
   * each peer, 2 MiB for all whom they are not for and for all of loopback, 1 MiB more for services
   * and another for administrators. Counted in no metrics.
   *
   * @param accounts strangers for those whom the metrics are not for
   */
  public static PeerBounds ofPages(Function<Peer, PeerAccount> accounts) {
    var memory =
        new MemoryBudget(
            kind ->
                new Bound(
                    PAGES_BYTES,
                    switch (kind) {
                      case STRANGER, USER -> 2 * PAGES_BYTES;
                      case SERVICE -> 3 * PAGES_BYTES;
                      case PROTECTED -> 4 * PAGES_BYTES;
                    }),
            new SimpleMeterRegistry());
    return new PeerBounds(memory, (_, _) -> SMALL_MESSAGE_BYTES, accounts, _ -> Optional.empty());
  }

  /** For servers whose peers are ours: 32 MiB for each, 128 MiB for all, counted in no metrics. */
  public static PeerBounds wide() {
    return new PeerBounds(
        new MemoryBudget(PEER_BYTES, ALL_BYTES, new SimpleMeterRegistry()),
        (_, _) -> MessageLimits.MESSAGE_BYTES,
        Peer::account,
        _ -> Optional.empty());
  }
}
