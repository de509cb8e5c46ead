package dev.rollcall.agent.watch;

import dev.rollcall.model.Caller;
import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.CgroupIds;
import dev.rollcall.model.Connection;
import dev.rollcall.model.JobId;
import dev.rollcall.model.Membership;
import dev.rollcall.model.SeenCall;
import dev.rollcall.port.CallSource;
import dev.rollcall.port.CallSource.Sighting;
import dev.rollcall.port.Jobs;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.util.Optional;

/** Callers on this node: what the kernel saw, and the job that belongs to it. */
record LocalCallers(
    CallSource source, Jobs jobs, NodeIdentity identity, ChosenCalls chosen, WatchMeters meters) {
  private static final CgroupIds NOT_KNOWN = new CgroupIds(0, 0);

  /**
   * On a thread of the worker: sock_diag reads /proc, and the job of a cgroup that was never asked
   * for may cost a walk.
   */
  Future<CallerAnswer> find(WorkerExecutor worker, Connection call) {
    return worker.executeBlocking(() -> find(call), false);
  }

  private CallerAnswer find(Connection call) {
    return switch (source.find(call)) {
      case Sighting.Seen(SeenCall seen) -> {
        meters.seen.increment();
        yield callerOf(seen)
            .<CallerAnswer>map(CallerAnswer.Found::new)
            .orElseGet(() ->
                new CallerAnswer.Unknown(
                    "the job of process %d on %s is not known: it has ended, or its cgroup is new"
                        .formatted(seen.process().pid(), identity.node())));
      }
      case Sighting.NotSeen(String reason) -> {
        meters.notSeen.increment();
        yield new CallerAnswer.Unknown(identity.node() + ": " + reason);
      }
    };
  }

  /** Empty if the process has ended, or its cgroup is not known, before its job was found. */
  Optional<Caller> callerOf(SeenCall seen) {
    Optional<Membership> membership =
        seen.cgroups().equals(NOT_KNOWN)
            ? jobs.membershipOf(seen.process())
            : jobs.membershipOf(seen.cgroups());
    return membership.map(known ->
        new Caller(
            identity.cluster(),
            identity.node(),
            known,
            seen.uid(),
            seen.process(),
            seen.at(),
            asksFor(known, seen)));
  }

  /** From within a job a call is that job's. */
  private Optional<JobId> asksFor(Membership membership, SeenCall seen) {
    return switch (membership) {
      case Membership.NoJob() -> chosen.of(seen.process(), seen.uid());
      case Membership.InJob _ -> Optional.empty();
    };
  }
}
