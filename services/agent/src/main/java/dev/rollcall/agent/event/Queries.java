package dev.rollcall.agent.event;

import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.Connection;

/** The queries between stages. */
public final class Queries {
  /**
   * login socket asks login: what becomes of this session? Answered when it is carried out, or when
   * its user is to choose.
   */
  public static final Query<AdoptionRequested, LoginOutcome> ADOPTION_REQUESTED =
      new Query<>("adoption.requested", AdoptionRequested.class, LoginOutcome.class);

  /** login log asks login: record logins that the module carried out. */
  public static final Query<RecordedLogins, PublishedLogins> LOGINS_RECORDED =
      new Query<>("logins.recorded", RecordedLogins.class, PublishedLogins.class);

  /** login asks login log: has the module carried out logins that are not known yet? */
  public static final Query<LoginLogRead, LoginLogRead> LOGIN_LOG_READ =
      new Query<>("login.log.read", LoginLogRead.class, LoginLogRead.class);

  /** serve asks login: what was decided lately? */
  public static final Query<RecentAdoption, AdoptionFound> ADOPTION_RECENT =
      new Query<>("adoption.recent", RecentAdoption.class, AdoptionFound.class);

  /** serve asks login: what was decided lately, all of it? */
  public static final Query<AdoptionsWanted, AdoptionsFound> ADOPTIONS_LISTED =
      new Query<>("adoption.list", AdoptionsWanted.class, AdoptionsFound.class);

  /** serve asks login: what would become of a user who came now? */
  public static final Query<PredictionAsked, Prediction> ADOPTION_PREDICTED =
      new Query<>("adoption.predict", PredictionAsked.class, Prediction.class);

  /** serve asks login: keep a user's choice between their jobs. */
  public static final Query<JobChosen, ChoiceResult> JOB_CHOSEN =
      new Query<>("job.chosen", JobChosen.class, ChoiceResult.class);

  /** Asks watch: who on this node made this call (as the caller's end sees it)? */
  public static final Query<Connection, CallerAnswer> CALLER_LOCAL =
      new Query<>("caller.local", Connection.class, CallerAnswer.class);

  /**
   * serve asks watch the same for a user. It is looked up on a thread of its own, so that no login
   * waits behind users' questions.
   */
  public static final Query<Connection, CallerAnswer> CALLER_LOCAL_FOR_USER =
      new Query<>("caller.local.for-user", Connection.class, CallerAnswer.class);

  /** serve asks watch: keep for which job a process makes its next calls. Answered by the same. */
  public static final Query<CallChosen, CallChosen> CALL_CHOSEN =
      new Query<>("call.chosen", CallChosen.class, CallChosen.class);

  /** login asks gateway: which caller does the roll have for this call? */
  public static final Query<RollQuestion, CallerAnswer> CALLER_IN_ROLL =
      new Query<>("caller.in-roll", RollQuestion.class, CallerAnswer.class);

  /** Asks gateway: is there a stream, to which gateway, since when, or why not? */
  public static final Query<GatewayStateAsked, GatewayState> GATEWAY_STATE =
      new Query<>("gateway.state", GatewayStateAsked.class, GatewayState.class);

  /** Asks outside: which processes of users are in no job? Answered within seconds. */
  public static final Query<OutsideProcessesWanted, OutsideProcessesFound>
      OUTSIDE_PROCESSES_LISTED =
          new Query<>(
              "outside-processes.list", OutsideProcessesWanted.class, OutsideProcessesFound.class);

  /** login asks account: take the account of a session that sshd closes. */
  public static final Query<SessionClosed, SessionAccount> SESSION_CLOSED =
      new Query<>("session.closed", SessionClosed.class, SessionAccount.class);

  private Queries() {}
}
