package dev.rollcall.agent.gateway;

import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Finds the jobs of processes of this node, as the kernel has them now. On a worker thread. */
record PidLookup(Jobs jobs, Proc proc) {
  /**
   * Answers in the order of the questions.
   *
   * @param now when this is asked
   */
  List<ProcessAnswer> find(List<ProcessOnNode> questions, Instant now) {
    List<Function<Map<JobId, Integer>, ProcessAnswer>> looked =
        questions.stream().map(question -> look(question, now)).toList();
    // Afterwards, so that the job of each process that was looked at has begun.
    Map<JobId, Integer> owners = jobs.list().stream().collect(Collectors.toMap(Job::id, Job::uid));
    return looked.stream().map(answer -> answer.apply(owners)).toList();
  }

  /** The answer, given the owners of all jobs. */
  private Function<Map<JobId, Integer>, ProcessAnswer> look(ProcessOnNode question, Instant now) {
    Optional<ProcessRef> process = proc.ref(question.pid()).filter(question::is);
    if (process.isEmpty()) {
      return _ -> new Unknown("the node has no such process now");
    }
    Optional<Membership> membership = jobs.membershipOf(process.get());
    // A process that ended meanwhile may have left its pid to another one.
    if (membership.isEmpty() || !proc.runs(process.get())) {
      return _ -> new Unknown("the process has just ended");
    }
    Optional<JobStep> step = membership.get().jobStep();
    if (step.isEmpty()) {
      return _ -> new InNoJob(now);
    }
    return owners ->
        Optional.ofNullable(owners.get(step.get().job()))
            .<ProcessAnswer>map(uid -> new InJob(process.get(), step.get(), uid, now, false))
            .orElseGet(() -> new Unknown("its job has just ended"));
  }
}
