package dev.rollcall.model;

import dev.rollcall.model.Decision.Adopt;
import dev.rollcall.model.Decision.Allow;
import dev.rollcall.model.Decision.AskCaller;
import dev.rollcall.model.Decision.Deny;
import dev.rollcall.model.Decision.Offer;
import dev.rollcall.model.Decision.StepAside;
import dev.rollcall.model.Decision.Wait;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Decides what happens to an incoming session. Pure and total: docs/adoption.md has the same table,
 * row by row.
 *
 * <p>The caller's job is used only if this node's own facts say that it is here and belongs to the
 * user, so that a forged or mistaken answer can at worst choose another of the user's own jobs.
 */
public final class AdoptPolicy {
  /** Of a refusal's text, which has to fit one line; a job's number has ten digits at most. */
  private static final int NAMED_JOBS = 6;

  private AdoptPolicy() {}

  /**
   * What is known of one session.
   *
   * @param jobsHere every job on this node, of any user, in any order
   * @param chosen the job that the user chose, if any
   * @param caller absent: not asked yet
   */
  public record Session(
      String service,
      int uid,
      List<Job> jobsHere,
      Optional<JobId> chosen,
      Optional<CallerAnswer> caller) {
    public Session {
      jobsHere = List.copyOf(jobsHere);
    }
  }

  /**
   * Decides. {@link AskCaller} and {@link Wait} ask for more; neither comes back once it was given.
   * {@link Offer} comes with {@link AdoptOptions#choose} alone.
   */
  public static Decision decide(AdoptOptions options, Session session) {
    if (!options.isFor(session.service())) {
      return new StepAside(Reason.OTHER_SERVICE);
    }
    if (session.uid() == 0 && options.ignoreRoot()) {
      return new StepAside(Reason.ROOT);
    }
    List<Job> own =
        session.jobsHere().stream()
            .filter(job -> job.uid() == session.uid())
            .sorted(Job.OLDEST_FIRST)
            .toList();
    List<Job> candidates = own.stream().filter(AdoptPolicy::takesSessions).toList();
    return switch (candidates.size()) {
      case 0 -> withoutJob(options, own);
      case 1 -> into(candidates.getFirst(), onlyOrChosen(session, candidates.getFirst()));
      default -> amongSeveral(options, session, candidates);
    };
  }

  /** Suspended jobs are candidates: a session that belongs there is refused, not sent elsewhere. */
  private static boolean takesSessions(Job job) {
    return job.state() == JobState.OPEN || job.state() == JobState.SUSPENDED;
  }

  private static Decision withoutJob(AdoptOptions options, List<Job> own) {
    Optional<Job> beginning =
        own.stream().filter(job -> job.state() == JobState.BEGINNING).reduce((_, last) -> last);
    if (beginning.isPresent()) {
      JobId id = beginning.get().id();
      return new Wait(id, new Deny(Reason.JOB_STARTING, "job " + id + " is starting, try again"));
    }
    return switch (options.actionNoJobs()) {
      case DENY ->
          new Deny(
              Reason.NO_JOBS, "you have no active jobs on this node, or one is still starting");
      case IGNORE -> new StepAside(Reason.NO_JOBS);
    };
  }

  private static Reason onlyOrChosen(Session session, Job job) {
    return session.chosen().equals(Optional.of(job.id())) ? Reason.CHOSEN_JOB : Reason.ONLY_JOB;
  }

  private static Decision amongSeveral(
      AdoptOptions options, Session session, List<Job> candidates) {
    Optional<Job> chosen = session.chosen().flatMap(id -> byId(candidates, id));
    if (chosen.isPresent()) {
      return into(chosen.get(), Reason.CHOSEN_JOB);
    }
    if (session.caller().isEmpty()) {
      return new AskCaller();
    }
    Optional<Job> asked = askedFor(session.caller().get(), session.uid(), candidates);
    if (asked.isPresent()) {
      return into(asked.get(), Reason.CHOSEN_JOB);
    }
    return usable(session.caller().get(), candidates)
        .map(job -> into(job, Reason.CALLER_JOB))
        .orElseGet(() -> unknown(options, session.caller().get(), candidates));
  }

  /** What the call itself asks for counts if the caller is the user, and in no job. */
  private static Optional<Job> askedFor(CallerAnswer answer, int uid, List<Job> candidates) {
    return answer instanceof CallerAnswer.Found(Caller caller)
            && caller.uid() == uid
            && caller.membership() instanceof Membership.NoJob
        ? caller.chosen().flatMap(id -> byId(candidates, id))
        : Optional.empty();
  }

  private static Optional<Job> usable(CallerAnswer answer, List<Job> candidates) {
    return switch (answer) {
      case CallerAnswer.Found(Caller caller) ->
          caller.membership().jobStep().flatMap(step -> byId(candidates, step.job()));
      case CallerAnswer.Unknown _, CallerAnswer.Unreachable _ -> Optional.empty();
    };
  }

  private static Optional<Job> byId(List<Job> jobs, JobId id) {
    return jobs.stream().filter(job -> job.id().equals(id)).findFirst();
  }

  private static Decision unknown(AdoptOptions options, CallerAnswer caller, List<Job> candidates) {
    boolean known = caller instanceof CallerAnswer.Found;
    Reason unknown = known ? Reason.CALLER_ELSEWHERE : Reason.CALLER_UNKNOWN;
    Decision otherwise =
        switch (options.actionUnknown()) {
          case NEWEST -> into(candidates.getLast(), known ? unknown : Reason.NEWEST_JOB);
          case ALLOW -> new Allow(unknown);
          case DENY -> new Deny(unknown, undetermined(caller, candidates));
        };
    return options.choose() ? new Offer(candidates.reversed(), otherwise) : otherwise;
  }

  /** Names the user's jobs, the oldest first, and how to choose one. */
  private static String undetermined(CallerAnswer caller, List<Job> candidates) {
    String named =
        candidates.stream()
            .limit(NAMED_JOBS)
            .map(job -> job.id().toString())
            .collect(Collectors.joining(", "));
    String choice =
        candidates.stream()
            .limit(NAMED_JOBS)
            .filter(job -> job.state() == JobState.OPEN)
            .findFirst()
            .map(AdoptPolicy::howToChoose)
            .orElse("");
    return "you have %d jobs here (%s%s), and %s%s"
        .formatted(
            candidates.size(),
            named,
            candidates.size() > NAMED_JOBS ? ", ..." : "",
            from(caller, candidates.size()),
            choice);
  }

  private static String from(CallerAnswer caller, int jobs) {
    return switch (caller) {
      case CallerAnswer.Found _ -> jobs == 2 ? "came from neither" : "came from none of them";
      case CallerAnswer.Unknown _, CallerAnswer.Unreachable _ ->
          "it is not known from which you came";
    };
  }

  private static String howToChoose(Job job) {
    return ". Choose one: rollcall ssh %s, or on this node rollcall switch --next %s"
        .formatted(job.id(), job.id());
  }

  private static Decision into(Job job, Reason reason) {
    return job.state() == JobState.SUSPENDED
        ? new Deny(Reason.JOB_SUSPENDED, "job " + job.id() + " is suspended")
        : new Adopt(job.id(), reason);
  }

  /** What becomes of a session whose process could not be moved into its job. */
  public static Decision afterFailedAdoption(AdoptOptions options, JobId into) {
    return switch (options.actionAdoptFailure()) {
      case DENY -> new Deny(Reason.ADOPT_FAILURE, "failed to enter job " + into);
      case ALLOW -> new Allow(Reason.ADOPT_FAILURE);
    };
  }

  /** Why the caller did not decide, for people; empty when it did or was not asked. */
  public static String doubt(Session session) {
    if (session.caller().isEmpty()) {
      return "";
    }
    return switch (session.caller().get()) {
      case CallerAnswer.Unknown(String reason) -> reason;
      case CallerAnswer.Unreachable(String reason) -> reason;
      case CallerAnswer.Found(Caller caller) -> doubtAbout(caller, session);
    };
  }

  private static String doubtAbout(Caller caller, Session session) {
    return switch (caller.membership()) {
      case Membership.NoJob() when caller.chosen().isPresent() -> doubtAboutChoice(caller, session);
      case Membership.NoJob() -> "the caller on " + caller.node() + " is in no job";
      case Membership.InJob(JobStep step) ->
          isOpenHere(step.job(), session)
              ? ""
              : "the caller's job " + step.job() + " is not an open job of this user here";
    };
  }

  private static String doubtAboutChoice(Caller caller, Session session) {
    JobId chosen = caller.chosen().orElseThrow();
    if (caller.uid() != session.uid()) {
      return "the caller on " + caller.node() + " asks for job " + chosen + ", as another user";
    }
    return isOpenHere(chosen, session)
        ? ""
        : "job " + chosen + ", for which the caller asks, is not an open job of this user here";
  }

  private static boolean isOpenHere(JobId id, Session session) {
    return session.jobsHere().stream()
        .anyMatch(job -> job.id().equals(id) && job.uid() == session.uid() && takesSessions(job));
  }
}
