package dev.rollcall.agent.gateway;

import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Membership;
import dev.rollcall.model.ProcessAnswer;
import dev.rollcall.model.ProcessAnswer.InJob;
import dev.rollcall.model.ProcessAnswer.InNoJob;
import dev.rollcall.model.ProcessAnswer.Unknown;
import dev.rollcall.model.ProcessOnNode;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.port.Jobs;
import java.time.Instant;
import java.util.Optional;

/** Finds the job of a process of this node, as the kernel has it now. On a worker thread. */
record PidLookup(Jobs jobs, Proc proc) {
  /**
   * @param now when this is asked
   */
  ProcessAnswer find(ProcessOnNode question, Instant now) {
    Optional<ProcessRef> process = proc.ref(question.pid()).filter(question::is);
    if (process.isEmpty()) {
      return new Unknown("the node has no such process now");
    }
    Optional<Membership> membership = jobs.membershipOf(process.get());
    // A process that ended meanwhile may have left its pid to another one.
    if (membership.isEmpty() || !proc.runs(process.get())) {
      return new Unknown("the process has just ended");
    }
    Optional<JobStep> step = membership.get().jobStep();
    if (step.isEmpty()) {
      return new InNoJob(now);
    }
    return jobs.list().stream()
        .filter(job -> job.id().equals(step.get().job()))
        .findFirst()
        .map(Job::uid)
        .<ProcessAnswer>map(uid -> new InJob(process.get(), step.get(), uid, now, false))
        .orElseGet(() -> new Unknown("its job has just ended"));
  }
}
