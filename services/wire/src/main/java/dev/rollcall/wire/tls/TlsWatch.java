package dev.rollcall.wire.tls;

import dev.rollcall.wire.pace.SharedTimer;
import io.micrometer.core.instrument.Counter;
import io.vertx.core.Vertx;
import java.lang.System.Logger.Level;
import java.time.Duration;

/** Reloads an identity's files when they change, by a periodic check. */
public final class TlsWatch {
  /** A process at rest is not woken for it more often. */
  public static final Duration EVERY = Duration.ofMinutes(1);

  private static final System.Logger LOG = System.getLogger(TlsWatch.class.getName());

  private final TlsIdentity identity;
  private final Runnable taken;

  private TlsWatch(TlsIdentity identity, Runnable taken) {
    this.identity = identity;
    this.taken = taken;
  }

  /**
   * One check, to be repeated by the caller. It reads the files.
   *
   * @param taken counts new files that are in force
   */
  public static Runnable look(TlsIdentity identity, Counter taken) {
    var watch = new TlsWatch(identity, taken::increment);
    return () -> {
      var _ = watch.look();
    };
  }

  /**
   * Begins, for as long as the process runs.
   *
   * @param timer what the checks go with
   * @param taken counts new files that are in force
   */
  public static void start(Vertx vertx, SharedTimer timer, TlsIdentity identity, Counter taken) {
    var _ = start(vertx, timer, identity, EVERY, taken::increment);
  }

  /**
   * Begins; the result ends it.
   *
   * @param taken runs when new files are in force, on a worker's thread
   */
  static Runnable start(
      Vertx vertx, SharedTimer timer, TlsIdentity identity, Duration every, Runnable taken) {
    var watch = new TlsWatch(identity, taken);
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
        taken.run();
      }
      case ReloadResult.Kept(String problem, boolean known) -> {
        if (!known) {
          LOG.log(Level.WARNING, "the previous TLS files stay in use: {0}", problem);
        }
      }
    }
    return renewal;
  }
}
