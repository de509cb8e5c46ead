package dev.rollcall.agent.login.decide;

import dev.rollcall.agent.event.AdoptionRequested;
import dev.rollcall.agent.event.Phase;
import dev.rollcall.model.Decision;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.util.concurrent.TimeUnit;

/** Says which decisions are carried out and which are only written down. */
public record AuditOnlyCheck(AuditOnly auditOnly, WorkerExecutor workers) {
  /**
   * Returns {@link Decision.Unenforced} if the user is audit-only. If the rule cannot be read, the
   * decision is enforced.
   */
  Future<Decision> of(AdoptionRequested request, Decision decision) {
    boolean changes = decision instanceof Decision.Adopt || decision instanceof Decision.Deny;
    return changes
        ? onlyWatched(request).map(only -> only ? new Decision.Unenforced(decision) : decision)
        : Future.succeededFuture(decision);
  }

  /** Whether nothing of this session is carried out; false if that cannot be found out. */
  Future<Boolean> onlyWatched(AdoptionRequested request) {
    return auditOnly.isOn() && request.phase() != Phase.WARM_UP
        ? holdsFor(request).otherwise(false)
        : Future.succeededFuture(false);
  }

  /** Fails where there is no time to wait for it; what comes later is there for the next login. */
  private Future<Boolean> holdsFor(AdoptionRequested request) {
    if (!auditOnly.mayBlock()) {
      return Future.succeededFuture(auditOnly.holdsFor(request.uid(), request.user()));
    }
    long left = request.deadline().leftBeforeMove().toMillis();
    return left == 0
        ? Future.failedFuture("there was no time left to ask for groups")
        : workers
            .executeBlocking(() -> auditOnly.holdsFor(request.uid(), request.user()), false)
            .timeout(left, TimeUnit.MILLISECONDS);
  }
}
