package dev.rollcall.wire.tls;

import dev.rollcall.wire.pace.SharedTimer;
import io.micrometer.core.instrument.Counter;
import io.vertx.core.Vertx;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** Reloads an identity's files when they change, by a periodic check. */
public final class TlsWatch {
  /** A process at rest is not woken for it more often. */
  public static final Duration EVERY = Duration.ofMinutes(1);

  /** What a check that found changed files comes to. */
  private static final List<String> OUTCOMES = List.of("taken", "kept");

  private static final System.Logger LOG = System.getLogger(TlsWatch.class.getName());

  private final TlsIdentity identity;
  private final Consumer<String> outcome;

  private TlsWatch(TlsIdentity identity, Consumer<String> outcome) {
    this.identity = identity;
    this.outcome = outcome;
  }

  /**
   * Begins, for as long as the process runs.
   *
   * @param timer what the checks go with
   * @param counter of an outcome: {@code taken} or {@code kept}, as below
   */
  public static void start(
      Vertx vertx, SharedTimer timer, TlsIdentity identity, Function<String, Counter> counter) {
    // From the start: increase() does not count the first event of a series that begins with it.
    OUTCOMES.forEach(each -> counter.apply(each).increment(0));
    var _ = start(vertx, timer, identity, EVERY, outcome -> counter.apply(outcome).increment());
  }

  /**
   * Begins; the result ends it.
   *
   * @param outcome hears {@code taken} when new files are in force, and {@code kept} when files are
   *     found that are not taken, once for each problem. On a worker's thread
   */
  static Runnable start(
      Vertx vertx,
      SharedTimer timer,
      TlsIdentity identity,
      Duration every,
      Consumer<String> outcome) {
    var watch = new TlsWatch(identity, outcome);
    return timer.repeat(
        every,
        () ->
            vertx
                .executeBlocking(watch::look)
                .onFailure(e -> LOG.log(Level.ERROR, "the check of the TLS files failed", e)));
  }

  private ReloadResult look() {
    ReloadResult renewal = identity.renew();
    switch (renewal) {
      case ReloadResult.Unchanged() -> {}
      case ReloadResult.Taken(var until) -> {
        LOG.log(Level.INFO, "new TLS files are in use; the certificate expires at {0}", until);
        outcome.accept("taken");
      }
      case ReloadResult.Kept(String problem, boolean known) -> {
        if (!known) {
          LOG.log(Level.WARNING, "the previous TLS files stay in use: {0}", problem);
          outcome.accept("kept");
        }
      }
    }
    return renewal;
  }
}
