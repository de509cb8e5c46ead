package dev.rollcall.wire.grpc;

import dev.rollcall.wire.memory.MemoryBudget;
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
 * @param objection why a gRPC request is refused with 403 before anything else is looked at, if it
 *     is: of a browser's page. Other requests are looked at by those who answer them
 */
public record PeerBounds(
    MemoryBudget memory,
    ToIntBiFunction<Peer, String> messages,
    Function<HttpServerRequest, Optional<String>> objection) {
  /** Calls under way on one connection; more are refused by HTTP/2. */
  static final int STREAMS = 256;

  private static final long PEER_BYTES = 32 << 20;
  private static final long ALL_BYTES = 128 << 20;
  private static final long USER_BYTES = 1 << 20;
  private static final long USERS_BYTES = 8 << 20;
  private static final int USER_MESSAGE_BYTES = 16 << 10;
  private static final int SMALL_MESSAGE_BYTES = 64 << 10;
  private static final int PEERS_IN_A_HEAP = 32;
  private static final int BUDGETS_IN_A_HEAP = 4;

  /**
   * Of an agent, for the users of its node: 1 MiB for each, 8 MiB for all but root, of a heap of 48
   * MiB. Requests of users are some hundred bytes; those of root have allocations in them.
   */
  public static PeerBounds ofAgent(MemoryBudget memory) {
    return new PeerBounds(
        memory,
        (peer, _) ->
            peer instanceof Peer.Local(int _, int uid, int _) && uid == 0
                ? MessageLimits.MESSAGE_BYTES
                : USER_MESSAGE_BYTES,
        _ -> Optional.empty());
  }

  /** See {@link #ofAgent}. */
  public static MemoryBudget agentMemory(MeterRegistry registry) {
    return new MemoryBudget(USER_BYTES, USERS_BYTES, Optional.of(new Peer.User(0)), registry);
  }

  /**
   * Of a gateway: a 32nd of the heap for each peer, a quarter for all. What nodes report, and lists
   * of questions, may have a megabyte; other messages have 64 KiB.
   *
   * @param large methods that take large messages, with their services
   */
  public static PeerBounds ofGateway(
      MemoryBudget memory,
      Set<String> large,
      Function<HttpServerRequest, Optional<String>> objection) {
    return new PeerBounds(
        memory,
        (_, method) -> large.contains(method) ? MessageLimits.MESSAGE_BYTES : SMALL_MESSAGE_BYTES,
        objection);
  }

  /** See {@link #ofGateway}. */
  public static MemoryBudget gatewayMemory(MeterRegistry registry) {
    long heap = Runtime.getRuntime().maxMemory();
    return new MemoryBudget(heap / PEERS_IN_A_HEAP, heap / BUDGETS_IN_A_HEAP, registry);
  }

  /** For servers whose peers are ours: 32 MiB for each, 128 MiB for all, counted in no metrics. */
  public static PeerBounds wide() {
    return new PeerBounds(
        new MemoryBudget(PEER_BYTES, ALL_BYTES, new SimpleMeterRegistry()),
        (_, _) -> MessageLimits.MESSAGE_BYTES,
        _ -> Optional.empty());
  }
}
