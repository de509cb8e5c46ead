package dev.rollcall.load.micro;

import dev.rollcall.model.AdoptOptions;
import dev.rollcall.model.AdoptPolicy;
import dev.rollcall.model.Caller;
import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.Decision;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Membership;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.StepId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** A decision among eight jobs on the node, three of them the user's, by the caller's job. */
@State(Scope.Thread)
public class Decisions {
  private static final int USER = 2001;
  private static final int OTHER = 2002;
  private static final int JOBS = 8;
  private static final int OF_USER = 3;

  private final AdoptPolicy.Session session =
      new AdoptPolicy.Session("sshd", USER, jobs(), Optional.empty(), Optional.of(caller(2)));

  private static List<Job> jobs() {
    return LongStream.rangeClosed(1, JOBS)
        .mapToObj(number -> {
          int uid = number <= OF_USER ? USER : OTHER;
          return new Job(new JobId(number), uid, uid, Instant.ofEpochSecond(number), JobState.OPEN);
        })
        .toList();
  }

  private static CallerAnswer caller(long job) {
    return new CallerAnswer.Found(
        new Caller(
            "alps",
            new NodeName("node1"),
            new Membership.InJob(new JobStep(new JobId(job), StepId.of(0))),
            USER,
            new ProcessRef(4711, 815),
            Instant.EPOCH));
  }

  @Benchmark
  public Decision decide() {
    return AdoptPolicy.decide(AdoptOptions.DEFAULTS, session);
  }
}
