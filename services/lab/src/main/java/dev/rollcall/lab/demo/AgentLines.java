package dev.rollcall.lab.demo;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.StepSocketFile;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.model.Connection;
import dev.rollcall.proto.v1.AdoptionServiceGrpc;
import dev.rollcall.proto.v1.BeginRequest;
import dev.rollcall.proto.v1.BeginStepRequest;
import dev.rollcall.proto.v1.CallerAnswer;
import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.EndRequest;
import dev.rollcall.proto.v1.EndResponse;
import dev.rollcall.proto.v1.GetUsageRequest;
import dev.rollcall.proto.v1.IdentifyRequest;
import dev.rollcall.proto.v1.JobServiceGrpc;
import dev.rollcall.proto.v1.JobState;
import dev.rollcall.proto.v1.ListNodesRequest;
import dev.rollcall.proto.v1.ListRequest;
import dev.rollcall.proto.v1.ListSessionsRequest;
import dev.rollcall.proto.v1.Node;
import dev.rollcall.proto.v1.NodeServiceGrpc;
import dev.rollcall.proto.v1.ResumeRequest;
import dev.rollcall.proto.v1.SuspendRequest;
import dev.rollcall.proto.v1.UsageRecord;
import dev.rollcall.testkit.process.Patience;
import dev.rollcall.wire.CallerMapper;
import dev.rollcall.wire.local.LocalChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Asks the agents of a test cluster, each on its own socket, as root. A unix socket is reached
 * through the mount namespace of the node's first process.
 */
public final class AgentLines implements AutoCloseable {
  private static final Duration PATIENCE = Patience.ofSeconds(40);

  private static LocalChannel to(ClusterNode node) {
    return new LocalChannel(node.agentSocket());
  }

  private JobServiceGrpc.JobServiceBlockingStub jobs(ClusterNode node) {
    return JobServiceGrpc.newBlockingStub(to(node))
        .withDeadlineAfter(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  /** Begins a job now: the newest of its owner's. */
  public void begin(ClusterNode node, long job, User owner) {
    begin(
        node,
        BeginRequest.newBuilder().setJobId(job).setUid(owner.uid()).setGid(owner.uid()).build());
  }

  /** Begins a job with all that can be said of one. */
  public void begin(ClusterNode node, BeginRequest job) {
    var _ = jobs(node).begin(job);
  }

  /**
   * At once, without the grace that the agent would give. Returns how many processes that killed;
   * the node is clean then.
   */
  public int end(ClusterNode node, long job) {
    return end(node, job, Duration.ZERO, "");
  }

  /** The same after a grace, with a message to the terminals of its sessions. */
  int end(ClusterNode node, long job, Duration grace, String message) {
    var request = EndRequest.newBuilder().setJobId(job).setMessage(message);
    request.setGrace(CallerMapper.duration(grace));
    EndResponse ended = jobs(node).end(request.build());
    if (!ended.getClean()) {
      throw new IllegalStateException(
          "job %d on %s is not clean: %s".formatted(job, node.name(), ended.getReason()));
    }
    return ended.getKilled();
  }

  /** Stops a job on a node; it fails if not every process of it stops. */
  public void suspend(ClusterNode node, long job) {
    var _ = jobs(node).suspend(SuspendRequest.newBuilder().setJobId(job).build());
  }

  /** Lets a suspended job on a node go on. */
  public void resume(ClusterNode node, long job) {
    var _ = jobs(node).resume(ResumeRequest.newBuilder().setJobId(job).build());
  }

  /** The jobs that the node has open. */
  public List<Long> open(ClusterNode node) {
    return jobs(node)
        .list(ListRequest.newBuilder().setNode(node.name()).build())
        .getJobsList()
        .stream()
        .filter(job -> job.getState() == JobState.JOB_STATE_OPEN)
        .map(dev.rollcall.proto.v1.Job::getJobId)
        .toList();
  }

  /** When the node says that a job began. */
  public Instant startedAt(ClusterNode node, long job) {
    return jobs(node)
        .list(ListRequest.newBuilder().setNode(node.name()).build())
        .getJobsList()
        .stream()
        .filter(one -> one.getJobId() == job)
        .map(one -> Instant.ofEpochSecond(one.getStartedAt().getSeconds()))
        .findFirst()
        .orElseThrow();
  }

  /** What the roll holds of a node's jobs, as the node's gateway tells root there, in any state. */
  public List<dev.rollcall.proto.v1.Job> roll(ClusterNode asked) {
    return jobs(asked).list(ListRequest.getDefaultInstance()).getJobsList();
  }

  /** The nodes of the roll, as a node's gateway tells them. */
  public List<Node> nodes(ClusterNode asked) {
    return NodeServiceGrpc.newBlockingStub(to(asked))
        .withDeadlineAfter(PATIENCE.toSeconds(), TimeUnit.SECONDS)
        .listNodes(ListNodesRequest.getDefaultInstance())
        .getNodesList();
  }

  /** What a job, its steps and its sessions used on a node so far. */
  public List<UsageRecord> usage(ClusterNode node, long job) {
    return jobs(node).getUsage(GetUsageRequest.newBuilder().setJobId(job).build()).getRecordsList();
  }

  /** Makes the next step of a job and returns what leads into it. */
  public StepSocketFile beginStep(ClusterNode node, long job) {
    var step = jobs(node).beginStep(BeginStepRequest.newBuilder().setJobId(job).build());
    return new StepSocketFile(
        step.getProcsFilesList().stream().map(Path::of).toList(),
        step.getNamespacesMap().entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, each -> Path.of(each.getValue()))));
  }

  /** The names of a node's last decisions, the newest first. */
  List<String> decisions(ClusterNode node) {
    return AdoptionServiceGrpc.newBlockingStub(to(node))
        .withDeadlineAfter(PATIENCE.toSeconds(), TimeUnit.SECONDS)
        .listSessions(ListSessionsRequest.getDefaultInstance())
        .getSessionsList()
        .stream()
        .map(session -> session.getAdoption().getAdoptionId())
        .toList();
  }

  /** Asks a node's agent who opened a connection that begins or ends on that node. */
  public CallerAnswer identify(ClusterNode asked, Connection connection) {
    var request =
        IdentifyRequest.newBuilder().setConnection(CallerMapper.toProto(connection)).build();
    return CallerIdServiceGrpc.newBlockingStub(to(asked))
        .withDeadlineAfter(PATIENCE.toSeconds(), TimeUnit.SECONDS)
        .identify(request)
        .getAnswer();
  }

  /** Each call has a connection of its own: nothing is open between calls. */
  @Override
  public void close() {}
}
