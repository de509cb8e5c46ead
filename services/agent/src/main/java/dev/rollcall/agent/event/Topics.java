package dev.rollcall.agent.event;

import dev.rollcall.model.Call;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Job;
import dev.rollcall.model.usage.Incident;
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

  /** attend: the stream to a gateway began or ended. */
  public static final Topic<GatewayState> ATTENDANCE_CHANGED =
      new Topic<>("attendance.changed", GatewayState.class);

  /** login: a login was let in or refused, or could not be decided. */
  public static final Topic<Adoption> ADOPTION_RECORDED =
      new Topic<>("adoption.recorded", Adoption.class);

  /** audit: the line of this adoption is in the file, or is lost; its id. */
  public static final Topic<String> SESSION_AUDITED = new Topic<>("session.audited", String.class);

  /** account: what a session, a step or a job used; at its end, or as a session is closed. */
  public static final Topic<UsageRecord> USAGE_RECORDED =
      new Topic<>("usage.recorded", UsageRecord.class);

  /** account: something befell a job's processes. */
  public static final Topic<Incident> MISHAP_BEFELL = new Topic<>("mishap.befell", Incident.class);

  /** serve: a call on agent.sock that changes something, or was refused, is over. */
  public static final Topic<ServedCall> CALL_SERVED = new Topic<>("call.served", ServedCall.class);

  /** any stage: what it can do now, for readiness. */
  public static final Topic<StageHealth> HEALTH_CHANGED =
      new Topic<>("health.changed", StageHealth.class);

  private Topics() {}
}
