package dev.rollcall.agent.login.decide;

import dev.rollcall.agent.event.AdoptionRequested;
import dev.rollcall.agent.event.Phase;
import dev.rollcall.agent.event.Prediction;
import dev.rollcall.model.AdoptOptions;
import dev.rollcall.model.AdoptPolicy;
import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.Decision;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.port.Jobs;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Predicts a decision from a login's facts and the policy, without moving anything. Not
 * thread-safe: on the event loop of logins.
 */
public final class DecisionPreview {
  private static final Duration FOR_THE_RULE = Duration.ofSeconds(3);

  /** Questions whose users' groups are asked for, one after another. */
  static final int MOST_WAITING = 64;

  private final Jobs jobs;
  private final JobChoices choices;
  private final AuditOnly auditOnly;
  private final WorkerExecutor predictors;
  private Optional<AdoptOptions> lastLogin = Optional.empty();
  private int waiting;

  public DecisionPreview(
      Jobs jobs, JobChoices choices, AuditOnly auditOnly, WorkerExecutor predictors) {
    this.jobs = jobs;
    this.choices = choices;
    this.auditOnly = auditOnly;
    this.predictors = predictors;
  }

  /** Takes the options of the PAM line, which are known only from logins. */
  public void saw(AdoptionRequested request) {
    if (request.phase() == Phase.ACCOUNT || request.phase() == Phase.OPEN_SESSION) {
      saw(request.options());
    }
  }

  /** The same for a login that the module decided by itself. */
  public void saw(AdoptOptions options) {
    lastLogin = Optional.of(options);
  }

  public Future<Prediction> answer(int uid) {
    Prediction made = made(uid);
    return rule(uid)
        .map(made::watchedBy)
        .otherwise(
            cause -> made.alsoDoubting("whether the session is audit-only: " + cause.getMessage()));
  }

  private Future<Optional<String>> rule(int uid) {
    if (!auditOnly.isOn()) {
      return Future.succeededFuture(Optional.empty());
    }
    if (waiting >= MOST_WAITING) {
      return Future.failedFuture(MOST_WAITING + " other questions about users wait, try again");
    }
    waiting++;
    return predictors
        .executeBlocking(() -> auditOnly.ruleFor(uid), false)
        .onComplete(_ -> waiting--)
        .timeout(FOR_THE_RULE.toMillis(), TimeUnit.MILLISECONDS)
        .recover(cause ->
            Future.failedFuture(
                cause instanceof TimeoutException
                    ? new TimeoutException(
                        "its rules were not read within " + FOR_THE_RULE.toMillis() + " ms")
                    : cause));
  }

  private Prediction made(int uid) {
    AdoptOptions options = lastLogin.orElse(AdoptOptions.DEFAULTS);
    // "*" is for every service.
    String service = options.isFor("sshd") ? "sshd" : options.service();
    return switch (AdoptPolicy.decide(options, session(service, uid, Optional.empty()))) {
      case Decision.AskCaller() -> unknownCaller(options, service, uid);
      case Decision.Wait(JobId beginning, Decision.Deny otherwise) ->
          prediction(
              otherwise,
              "job " + beginning + " is starting: a login waits for it until its deadline",
              List.of());
      case Decision decided ->
          prediction(
              decided,
              jobs.unknownBecause()
                  .map(why -> "the jobs of this node are unknown: " + why)
                  .orElse(""),
              List.of());
    };
  }

  private Prediction prediction(Decision decision, String doubt, List<JobId> callersJobs) {
    return new Prediction(
        decision, doubt, callersJobs, lastLogin.isPresent(), /* onlyWatched= */ Optional.empty());
  }

  private AdoptPolicy.Session session(String service, int uid, Optional<CallerAnswer> caller) {
    return new AdoptPolicy.Session(service, uid, jobs.list(), choices.of(uid), caller);
  }

  private Prediction unknownCaller(AdoptOptions options, String service, int uid) {
    String doubt = "the caller is known only after a connection is made";
    var session = session(service, uid, Optional.of(new CallerAnswer.Unknown(doubt)));
    List<JobId> between =
        jobs.list().stream()
            .filter(job -> job.uid() == uid)
            .filter(job -> job.state() == JobState.OPEN || job.state() == JobState.SUSPENDED)
            .map(Job::id)
            .toList();
    return switch (AdoptPolicy.decide(options, session)) {
      case Decision.Offer(_, Decision otherwise) ->
          prediction(otherwise, doubt + ", and where sshd can ask, the user may choose", between);
      case Decision decided -> prediction(decided, doubt, between);
    };
  }
}
