package dev.rollcall.agent.event;

import dev.rollcall.model.Call;
import dev.rollcall.model.ClusterPrefixes;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.usage.Incident;
import dev.rollcall.model.usage.UsageRecord;

/** The events that stages publish. */
public final class Topics {
  /** watch: a process of this node called an announced port. */
  public static final Topic<Call> CALL_MADE = new Topic<>("call.made");

  /** watch: the published caller of this connection did not make the one that exists now. */
  public static final Topic<Connection> CALL_WITHDRAWN = new Topic<>("call.withdrawn");

  /**
   * watch: so many calls of this node were not pushed; earlier pushed callers are no longer
   * trusted.
   */
  public static final Topic<Long> CALLS_LOST = new Topic<>("calls.lost");

  /**
   * watch: connections from other nodes to announced ports of this node exist, whose caller was not
   * pushed.
   */
  public static final Topic<Empty> CALLS_ARRIVED = new Topic<>("calls.arrived");

  /** watch: a job of this node began, changed its state or ended. */
  public static final Topic<Job> JOB_CHANGED = new Topic<>("job.changed");

  /** serve: root made a step of this job, for a process that is about to enter it. */
  public static final Topic<JobId> STEP_BEGUN = new Topic<>("step.begun");

  /** gateway: a caller whose connection is about to reach this node. */
  public static final Topic<AnnouncedCall> CALL_ANNOUNCED = new Topic<>("call.announced");

  /** gateway: an announced caller who may not be trusted any more. */
  public static final Topic<WithdrawnCall> ANNOUNCEMENT_WITHDRAWN =
      new Topic<>("announcement.withdrawn");

  /**
   * gateway: pushed callers that may not be trusted any more. Of all nodes when this node's own
   * stream was cut, or did not take what too many nodes pushed.
   */
  public static final Topic<LostSource> SOURCE_LOST = new Topic<>("source.lost");

  /** gateway: the addresses of the cluster's nodes, in place of those before. */
  public static final Topic<ClusterPrefixes> CLUSTER_PREFIXES = new Topic<>("cluster.prefixes");

  /** login: a login was let in or refused, or could not be decided. */
  public static final Topic<Adoption> ADOPTION_RECORDED = new Topic<>("adoption.recorded");

  /** audit: the line of this adoption is in the file, or is lost; its id. */
  public static final Topic<String> SESSION_AUDITED = new Topic<>("session.audited");

  /** account: what a session, a step or a job used; at its end, or as a session is closed. */
  public static final Topic<UsageRecord> USAGE_RECORDED = new Topic<>("usage.recorded");

  /** account: an incident of a job's processes. */
  public static final Topic<Incident> INCIDENT_RECORDED = new Topic<>("incident.recorded");

  /** serve: a call on agent.sock that changes something, or was refused, is over. */
  public static final Topic<ServedCall> CALL_SERVED = new Topic<>("call.served");

  /** any stage: what it can do now, for readiness. */
  public static final Topic<StageHealth> HEALTH_CHANGED = new Topic<>("health.changed");

  private Topics() {}
}
