package dev.rollcall.gateway.identity;

import dev.rollcall.gateway.identity.AuthenticationResult.Known;
import dev.rollcall.gateway.identity.AuthenticationResult.Refused;
import dev.rollcall.linux.munge.Decoded;
import dev.rollcall.linux.munge.Munge;
import dev.rollcall.wire.Refusal;
import dev.rollcall.wire.Refusal.Reason;
import dev.rollcall.wire.grpc.MungePurpose;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Verifies munge credentials. munged is asked on threads of their own, as it may hang; a client
 * waits for its answer for so long and no longer.
 */
public final class MungeProofs {
  private static final int THREADS = 2;
  private static final int WAITING = 64;
  private static final Duration PATIENCE = Duration.ofSeconds(3);
  private static final Duration AGAIN = Duration.ofSeconds(1);

  private final Munge munge;
  private final Set<Integer> administrators;
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          THREADS,
          THREADS,
          10,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(WAITING),
          Thread.ofPlatform().name("rollcall-munge-", 0).daemon().factory());

  /**
   * @param administrators uids that may ask for everything; never 0, which every node has
   */
  public MungeProofs(Munge munge, Set<Integer> administrators) {
    if (administrators.contains(0)) {
      throw new IllegalArgumentException(
          "uid 0 exists on every node, and cannot be an administrator");
    }
    this.munge = munge;
    this.administrators = Set.copyOf(administrators);
    threads.allowCoreThreadTimeOut(true);
  }

  /**
   * Known, or Refused with what is wrong; fails with a status when nobody can say.
   *
   * @param credential as the client sent it
   */
  public CompletableFuture<AuthenticationResult> of(Identity.Stranger stranger, String credential) {
    if (stranger.binding().isEmpty()) {
      return CompletableFuture.completedFuture(
          new Refused("a munge credential cannot be bound to this TLS connection"));
    }
    String expected = MungePurpose.payload(stranger.binding().get());
    try {
      return CompletableFuture.supplyAsync(() -> munge.decode(credential), threads)
          .thenApply(decoded -> recognised(decoded, expected))
          .orTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
          .exceptionallyCompose(cause ->
              CompletableFuture.failedFuture(
                  cause instanceof TimeoutException
                      ? unavailable("munged did not answer within " + PATIENCE.toSeconds() + " s")
                      : cause));
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(
          unavailable("munged is busy: " + WAITING + " credentials wait for it"));
    }
  }

  private AuthenticationResult recognised(Decoded decoded, String expected) {
    return switch (decoded) {
      case Decoded.Valid valid when valid.payload().equals(expected) ->
          new Known(person(valid.uid()));
      case Decoded.Valid _ ->
          new Refused("the munge credential was made for another connection or purpose");
      case Decoded.Unavailable(String reason) -> throw unavailable(reason);
      case Decoded.Replayed _, Decoded.Expired _, Decoded.Rewound _, Decoded.Bad _ ->
          new Refused(Decoded.problem(decoded));
    };
  }

  private Identity person(int uid) {
    return administrators.contains(uid)
        ? new Identity.Administrator("uid " + Integer.toUnsignedString(uid))
        : new Identity.Person(uid);
  }

  private static StatusRuntimeException unavailable(String why) {
    return Refusal.of(Reason.MUNGE_UNAVAILABLE, why).again(AGAIN).exception();
  }
}
