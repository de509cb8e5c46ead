package dev.rollcall.agent.serve;

import dev.rollcall.model.JobStep;
import dev.rollcall.model.Membership;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.ProcessAnswer;
import dev.rollcall.model.ProcessAnswer.InJob;
import dev.rollcall.model.ProcessAnswer.InNoJob;
import dev.rollcall.model.ProcessAnswer.Unknown;
import dev.rollcall.model.ProcessOnNode;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.port.Processes;
import dev.rollcall.port.Processes.Owned;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;

/** Finds the job of a process of this node, as the kernel has it now. On a worker thread. */
record LocalProcessLookup(LocalJobs local, Processes processes) {
  boolean isHere(NodeName node) {
    return node.equals(local.node());
  }

  /** What a user may not see looks like what is not there. */
  ProcessAnswer find(SocketUser asker, ProcessOnNode question) {
    try (Owned owned = processes.pin(question.pid()).orElse(null)) {
      if (owned == null) {
        return unknown(asker, "no process has pid " + question.pid() + " now");
      }
      ProcessRef process = owned.process().ref();
      if (!question.is(process)) {
        return unknown(
            asker,
            "pid " + question.pid() + " is a process that started at tick " + process.startTime());
      }
      return local
          .jobs()
          .membershipOf(process)
          .map(membership -> answer(asker, owned, membership))
          .orElseGet(() -> unknown(asker, "the process has just ended"));
    } catch (IOException e) {
      throw new UncheckedIOException(question + " could not be read", e);
    }
  }

  private ProcessAnswer answer(SocketUser asker, Owned owned, Membership membership) {
    Instant now = Clock.systemUTC().instant();
    Optional<JobStep> step = membership.jobStep();
    if (step.isEmpty()) {
      return asker.may(owned.realUid()) ? new InNoJob(now) : unknown(asker, "");
    }
    return step.flatMap(in -> local.find(in.job()))
        .filter(job -> asker.may(job.uid()))
        .<ProcessAnswer>map(
            job -> new InJob(owned.process().ref(), step.get(), job.uid(), now, false))
        .orElseGet(() -> unknown(asker, "its job has just ended"));
  }

  private static Unknown unknown(SocketUser asker, String toRoot) {
    return new Unknown(asker.root() ? toRoot : "no process of yours is known there");
  }
}
