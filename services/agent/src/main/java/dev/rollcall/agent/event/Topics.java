package dev.rollcall.agent.event;

import dev.rollcall.model.Call;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Job;
import dev.rollcall.model.usage.Mishap;
import dev.rollcall.model.usage.UsageRecord;

/** What stages tell. */
public final class Topics {
  /** watch: a process of this node called an announced port. */
  public static final Topic<Call> CALL_MADE = new Topic<>("call.made", Call.class);

  /** watch: who was told to have made this call did not make the one that has its ends now. */
  public static final Topic<Connection> CALL_WITHDRAWN =
      new Topic<>("call.withdrawn", Connection.class);

  /** watch: calls that should have been told were not. */
  public static final Topic<CallsLost> CALLS_LOST = new Topic<>("calls.lost", CallsLost.class);

  /** watch: somebody's connections to announced ports of this node stand. */
  public static final Topic<CallsArrived> CALLS_ARRIVED =
      new Topic<>("calls.arrived", CallsArrived.class);

  /** watch: a job of this node began, changed its state or ended. */
  public static final Topic<Job> JOB_CHANGED = new Topic<>("job.changed", Job.class);

  /** attend: a caller whose connection is about to reach this node. */
  public static final Topic<AnnouncedCall> CALL_ANNOUNCED =
      new Topic<>("call.announced", AnnouncedCall.class);

  /** attend: an announced caller who may not be trusted any more. */
  public static final Topic<WithdrawnCall> ANNOUNCEMENT_WITHDRAWN =
      new Topic<>("announcement.withdrawn", WithdrawnCall.class);

  /** attend: what a node announced before may not be trusted any more. */
  public static final Topic<SourceLost> SOURCE_LOST = new Topic<>("source.lost", SourceLost.class);

  /** board: a caller that is in a job, or asks for one, was announced. */
  public static final Topic<PendingCaller> CALLER_PENDING =
      new Topic<>("caller.pending", PendingCaller.class);

  /** board: an announced caller is not expected any more: it came, or its announcement is void. */
  public static final Topic<Connection> CALLER_SETTLED =
      new Topic<>("caller.settled", Connection.class);

  /**
   * decide: a login came, and the module did not ask for its caller. As the caller's end sees it.
   */
  public static final Topic<Connection> LOGIN_ARRIVED =
      new Topic<>("login.arrived", Connection.class);

  /** attend: the stream to a gateway began or ended. */
  public static final Topic<Attendance> ATTENDANCE_CHANGED =
      new Topic<>("attendance.changed", Attendance.class);

  /** adopt: a session is in its job. */
  public static final Topic<Adoption> SESSION_ADOPTED =
      new Topic<>("session.adopted", Adoption.class);

  /** adopt: a session was let in without a job, or is not our business. */
  public static final Topic<Adoption> SESSION_ALLOWED =
      new Topic<>("session.allowed", Adoption.class);

  /** door: a login is refused although it was adopted, or could not be decided. */
  public static final Topic<Adoption> LOGIN_REFUSED = new Topic<>("login.refused", Adoption.class);

  /** adopt: a session was refused, or could not be decided. */
  public static final Topic<Adoption> SESSION_DENIED =
      new Topic<>("session.denied", Adoption.class);

  /** audit: the line of this adoption is in the file, or is lost; its id. */
  public static final Topic<String> SESSION_AUDITED = new Topic<>("session.audited", String.class);

  /** account: what a session, a step or a job used; at its end, or as a session is closed. */
  public static final Topic<UsageRecord> USAGE_RECORDED =
      new Topic<>("usage.recorded", UsageRecord.class);

  /** account: something befell a job's processes. */
  public static final Topic<Mishap> MISHAP_BEFELL = new Topic<>("mishap.befell", Mishap.class);

  /** serve: a call on agent.sock that changes something, or was refused, is over. */
  public static final Topic<ServedCall> CALL_SERVED = new Topic<>("call.served", ServedCall.class);

  /** any stage: what it can do now, for readiness. */
  public static final Topic<StageHealth> HEALTH_CHANGED =
      new Topic<>("health.changed", StageHealth.class);

  private Topics() {}
}
