package dev.rollcall.agent.event;

import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.Connection;
import dev.rollcall.model.JobId;
import dev.rollcall.model.usage.UsageRecord;
import dev.rollcall.port.PinnedProcess;
import dev.rollcall.proto.v1.UsagePoint;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The queries between stages. */
public final class Queries {
  /**
   * login socket asks login: what becomes of this session? Answered when it is carried out, or when
   * its user is to choose.
   */
  public static final Query<AdoptionRequested, LoginOutcome> ADOPTION_REQUESTED =
      new Query<>("adoption.requested");

  /**
   * login log asks login: record logins of the module's log, the oldest first. Answered with the
   * adoption ids of those that were new, and thus published.
   */
  public static final Query<List<RecordedLogin>, Set<String>> LOGINS_RECORDED =
      new Query<>("logins.recorded");

  /** login asks login log: read the module's log up to its end. Answered when that is done. */
  public static final Query<Empty, Empty> LOGIN_LOG_READ = new Query<>("login.log.read");

  /** Asks login: which adoptions were there lately? Answered with the newest first. */
  public static final Query<AdoptionsWanted, List<RememberedAdoption>> ADOPTIONS_LISTED =
      new Query<>("adoption.list");

  /** serve asks login: what would become of the user with this uid who came now? */
  public static final Query<Integer, Prediction> ADOPTION_PREDICTED =
      new Query<>("adoption.predict");

  /** serve asks login: keep a user's choice between their jobs. */
  public static final Query<JobChosen, ChoiceResult> JOB_CHOSEN = new Query<>("job.chosen");

  /** login asks watch: who on this node made this call (as the caller's end sees it)? */
  public static final Query<Connection, CallerAnswer> CALLER_LOCAL = new Query<>("caller.local");

  /**
   * serve and outside ask watch the same for a user. It is looked up on a thread of its own, so
   * that no login waits behind users' questions.
   */
  public static final Query<Connection, CallerAnswer> CALLER_LOCAL_FOR_USER =
      new Query<>("caller.local.for-user");

  /**
   * gateway asks watch the same for another node. It is looked up on a thread of these questions,
   * and a UDP socket as for a client, because no login comes over UDP. Unreachable if too many of
   * them wait.
   */
  public static final Query<Connection, CallerAnswer> CALLER_LOCAL_FOR_GATEWAY =
      new Query<>("caller.local.for-gateway");

  /** The same for a client of the gateway, as a user, on another thread. */
  public static final Query<Connection, CallerAnswer> CALLER_LOCAL_FOR_CLIENT =
      new Query<>("caller.local.for-client");

  /** serve asks watch: keep for which job a process makes its next calls. Answered by the same. */
  public static final Query<CallChosen, CallChosen> CALL_CHOSEN = new Query<>("call.chosen");

  /** login asks gateway: which caller does the roll have for this call? */
  public static final Query<RollQuestion, CallerAnswer> CALLER_IN_ROLL =
      new Query<>("caller.in-roll");

  /**
   * Asks gateway: ask a gateway once, so that the first login that has to does not wait for what is
   * not loaded. Answered when that is over, or at once if there is no gateway.
   */
  public static final Query<Empty, Empty> WARMED_UP = new Query<>("gateway.warmed-up");

  /** Asks gateway: is there a stream, to which gateway, or why not? */
  public static final Query<Empty, GatewayState> GATEWAY_STATE = new Query<>("gateway.state");

  /**
   * Asks outside: which processes of this user are in no job? Absent: of any user. Answered within
   * seconds.
   */
  public static final Query<Optional<Integer>, OutsideProcessesFound> OUTSIDE_PROCESSES_LISTED =
      new Query<>("outside-processes.list");

  /**
   * login asks account: sshd closes the session whose leader is this process, which stays pinned
   * until the answer: take its account. Empty for a session of no job.
   */
  public static final Query<PinnedProcess, Optional<UsageRecord>> SESSION_CLOSED =
      new Query<>("session.closed");

  /** gateway asks account: what had this job used at times of the last hour? */
  public static final Query<JobId, List<UsagePoint>> LAST_HOUR = new Query<>("usage.last-hour");

  private Queries() {}
}
