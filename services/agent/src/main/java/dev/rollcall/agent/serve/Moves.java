package dev.rollcall.agent.serve;

import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.port.Jobs;
import dev.rollcall.port.Jobs.AdoptResult;
import dev.rollcall.port.Processes;
import dev.rollcall.port.Processes.Owned;
import dev.rollcall.wire.Refusal;
import dev.rollcall.wire.pace.Rate;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;

/**
 * Moves processes into jobs as their users ask. A job's processes are its batch system's to count,
 * to limit and to end, so that by default users take none out of one.
 */
final class Moves {
  private static final System.Logger LOG = System.getLogger(Moves.class.getName());

  /** Each makes a cgroup and an audit line. A session of so many processes is moved at once. */
  private static final Rate OF_A_USER = new Rate(10, 500);

  /**
   * What is to be moved.
   *
   * @param startTime as field 22 of {@code /proc/PID/stat}; empty: the present process of that pid
   */
  record Move(int pid, OptionalLong startTime, JobId into) {}

  private final LocalJobs local;
  private final Processes processes;
  private final UserMoves allowed;
  private final UserRates rates;

  /**
   * @param owner from a uid to the user for whom it counts
   */
  Moves(
      LocalJobs local,
      Processes processes,
      UserMoves allowed,
      IntUnaryOperator owner,
      LongSupplier nanoClock) {
    this.local = local;
    this.processes = processes;
    this.allowed = allowed;
    this.rates = new UserRates(OF_A_USER, owner, nanoClock);
  }

  /** Before {@link #carryOut}, where calls arrive. A choice of a job counts as a move. */
  void admit(SocketUser asker) {
    if (!rates.allows(asker)) {
      throw Refusal.plain(
          Status.RESOURCE_EXHAUSTED,
          "uid "
              + Integer.toUnsignedString(asker.uid())
              + ", or its owner, moves processes and chooses jobs too fast");
    }
  }

  /** On a worker thread. */
  JobStep carryOut(SocketUser asker, Move move) throws IOException {
    Job job =
        local.find(move.into()).filter(each -> asker.may(each.uid())).orElseThrow(Moves::noSuchJob);
    try (Owned owned = processes.pin(move.pid()).orElseThrow(() -> ended(move.pid()))) {
      boolean another =
          move.startTime().isPresent()
              && move.startTime().getAsLong() != owned.process().ref().startTime();
      if (another) {
        throw ended(move.pid());
      }
      if (!asker.root() && !owned.isOf(asker.uid())) {
        throw Refusal.plain(Status.PERMISSION_DENIED, "process " + move.pid() + " is not yours");
      }
      return moved(asker, owned, job);
    }
  }

  private JobStep moved(SocketUser asker, Owned owned, Job job) {
    Jobs.From from = allowed.from(asker);
    return switch (local.jobs().adopt(owned.process(), job.id(), job.uid(), from)) {
      case AdoptResult.Adopted adopted -> {
        LOG.log(
            System.Logger.Level.INFO,
            "uid {0} moved process {1} into job {2}",
            Integer.toUnsignedString(asker.uid()),
            Integer.toString(owned.process().ref().pid()),
            adopted.step());
        yield adopted.step();
      }
      case AdoptResult.NotOpen(String reason) -> throw refused(reason);
      case AdoptResult.Kept(String reason) -> throw refused(reason + rule(from));
      case AdoptResult.Failed(String reason) -> throw refused(reason);
    };
  }

  private static String rule(Jobs.From from) {
    return switch (from) {
      case NO_JOB -> ", and users of this node cannot move processes out of jobs (user_moves)";
      case OPEN_JOB -> "";
    };
  }

  /** Jobs of other users look like none. */
  private static StatusRuntimeException noSuchJob() {
    return Refusal.plain(Status.NOT_FOUND, "you have no such job on this node");
  }

  private static StatusRuntimeException ended(int pid) {
    return Refusal.plain(
        Status.NOT_FOUND, "process " + pid + " is not there, or is another one by now");
  }

  private static StatusRuntimeException refused(String reason) {
    return Refusal.plain(Status.FAILED_PRECONDITION, reason);
  }
}
