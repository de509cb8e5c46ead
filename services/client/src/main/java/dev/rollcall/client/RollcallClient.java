package dev.rollcall.client;

import dev.rollcall.proto.v1.Adoption;
import dev.rollcall.proto.v1.AdoptionServiceGrpc;
import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.Connection;
import dev.rollcall.proto.v1.Endpoint;
import dev.rollcall.proto.v1.GetRequest;
import dev.rollcall.proto.v1.IdentifyProcessRequest;
import dev.rollcall.proto.v1.IdentifyProcessesRequest;
import dev.rollcall.proto.v1.IdentifyRequest;
import dev.rollcall.proto.v1.Job;
import dev.rollcall.proto.v1.JobServiceGrpc;
import dev.rollcall.proto.v1.ListAdoptionsRequest;
import dev.rollcall.proto.v1.ListAdoptionsResponse;
import dev.rollcall.proto.v1.ListNodesRequest;
import dev.rollcall.proto.v1.ListNodesResponse;
import dev.rollcall.proto.v1.ListProcessesRequest;
import dev.rollcall.proto.v1.ListRequest;
import dev.rollcall.proto.v1.ListResponse;
import dev.rollcall.proto.v1.Node;
import dev.rollcall.proto.v1.NodeProcesses;
import dev.rollcall.proto.v1.NodeServiceGrpc;
import dev.rollcall.proto.v1.ProcessOnNode;
import dev.rollcall.proto.v1.Protocol;
import dev.rollcall.proto.v1.WatchAdoptionsRequest;
import dev.rollcall.proto.v1.WatchAdoptionsResponse;
import dev.rollcall.proto.v1.WatchCallsRequest;
import dev.rollcall.proto.v1.WatchCallsResponse;
import dev.rollcall.proto.v1.WatchRequest;
import dev.rollcall.proto.v1.WatchResponse;
import io.grpc.Channel;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.AbstractStub;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * A client of a gateway's services. Thread-safe. Who asks is the channel's matter: its certificate,
 * or munge's token; what one may see is in docs/security.md. Every method that answers throws
 * {@link StatusRuntimeException}, whose description is for people; {@link Refused} has the words
 * for programs.
 */
public final class RollcallClient {
  /** A gateway asks a node for two seconds at most. */
  public static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(15);
  private static final int MOST_PARTS = 10_000;
  private static final int MOST_PROCESSES = 1_000;

  private final Channel channel;
  private final Duration patience;

  /**
   * Waits {@link #PATIENCE} for each answer.
   *
   * @param channel to a gateway, with the program's own certificate; stays the program's to close
   */
  public RollcallClient(Channel channel) {
    this(channel, PATIENCE);
  }

  private RollcallClient(Channel channel, Duration patience) {
    this.channel = channel;
    this.patience = patience;
  }

  /** The same with another bound for each answer; a list's parts are answers each. */
  public RollcallClient within(Duration bound) {
    return new RollcallClient(channel, bound);
  }

  private <S extends AbstractStub<S>> S bounded(S stub) {
    return stub.withDeadlineAfter(patience.toNanos(), TimeUnit.NANOSECONDS);
  }

  /**
   * Asks who opened a TCP connection.
   *
   * @param caller the end that called connect(2), resolved
   * @param called the other end, resolved
   */
  public WhoCalled whoCalled(InetSocketAddress caller, InetSocketAddress called) {
    var connection =
        Connection.newBuilder()
            .setProtocol(Protocol.PROTOCOL_TCP)
            .setLocal(end(caller))
            .setRemote(end(called));
    return WhoCalled.of(
        bounded(CallerIdServiceGrpc.newBlockingStub(channel))
            .identify(IdentifyRequest.newBuilder().setConnection(connection).build())
            .getAnswer());
  }

  /** Asks for the job of whichever process has this pid on a node, from the gateways' roll. */
  public WhichJob whichJob(String node, int pid) {
    return WhichJob.of(
        bounded(CallerIdServiceGrpc.newBlockingStub(channel))
            .identifyProcess(IdentifyProcessRequest.newBuilder().setNode(node).setPid(pid).build())
            .getAnswer());
  }

  /**
   * The same for many processes, 1,000 in a request.
   *
   * @return one answer for each process, in their order
   */
  public List<WhichJob> whichJobs(List<ProcessOnNode> processes) {
    var answers = new ArrayList<WhichJob>(processes.size());
    for (int from = 0; from < processes.size(); from += MOST_PROCESSES) {
      int to = Math.min(processes.size(), from + MOST_PROCESSES);
      bounded(CallerIdServiceGrpc.newBlockingStub(channel))
          .identifyProcesses(
              IdentifyProcessesRequest.newBuilder()
                  .addAllProcesses(processes.subList(from, to))
                  .build())
          .getAnswersList()
          .forEach(answer -> answers.add(WhichJob.of(answer)));
    }
    return List.copyOf(answers);
  }

  private static Endpoint end(InetSocketAddress address) {
    if (address.isUnresolved()) {
      throw new IllegalArgumentException(address + " is not resolved");
    }
    return Endpoint.newBuilder()
        .setAddress(address.getAddress().getHostAddress())
        .setPort(address.getPort())
        .build();
  }

  /** All nodes that are or were connected, by name. */
  public List<Node> nodes() {
    return all(
        token ->
            bounded(NodeServiceGrpc.newBlockingStub(channel))
                .listNodes(ListNodesRequest.newBuilder().setPageToken(token).build()),
        ListNodesResponse::getNodesList,
        ListNodesResponse::getNextPageToken);
  }

  /**
   * All jobs that match, once for each node.
   *
   * @param filter as {@code uid} and {@code node}; its page is not looked at
   */
  public List<Job> jobs(ListRequest filter) {
    return all(
        token ->
            bounded(JobServiceGrpc.newBlockingStub(channel))
                .list(filter.toBuilder().clearPageSize().setPageToken(token).build()),
        ListResponse::getJobsList,
        ListResponse::getNextPageToken);
  }

  /** One job, once for each node that it is on; empty if it is nowhere. */
  public List<Job> job(long id) {
    return bounded(JobServiceGrpc.newBlockingStub(channel))
        .get(GetRequest.newBuilder().setJobId(id).build())
        .getJobsList();
  }

  /** The processes of a job, for each node that it is on. */
  public List<NodeProcesses> processes(long job) {
    return bounded(JobServiceGrpc.newBlockingStub(channel))
        .listProcesses(ListProcessesRequest.newBuilder().setJobId(job).build())
        .getNodesList();
  }

  /**
   * The last decisions about sessions that match, the newest first.
   *
   * @param filter its page is not looked at
   */
  public List<Adoption> adoptions(ListAdoptionsRequest filter) {
    return all(
        token ->
            bounded(AdoptionServiceGrpc.newBlockingStub(channel))
                .listAdoptions(filter.toBuilder().clearPageSize().setPageToken(token).build()),
        ListAdoptionsResponse::getAdoptionsList,
        ListAdoptionsResponse::getNextPageToken);
  }

  /** Follows calls to announced ports. */
  public Watch<WatchCallsResponse> watchCalls(
      WatchCallsRequest filter, Watch.Listener<WatchCallsResponse> listener) {
    return Watch.start(
        stream -> CallerIdServiceGrpc.newStub(channel).watchCalls(filter, stream),
        listener,
        LONGEST_PAUSE);
  }

  /** Follows jobs: as they stand, then their changes; after an interruption as they stand again. */
  public Watch<WatchResponse> watchJobs(
      WatchRequest filter, Watch.Listener<WatchResponse> listener) {
    return Watch.start(
        stream -> JobServiceGrpc.newStub(channel).watch(filter, stream), listener, LONGEST_PAUSE);
  }

  /**
   * Follows decisions about sessions.
   *
   * @param filter its {@code recent} are told anew after an interruption, so that few are missed
   */
  public Watch<WatchAdoptionsResponse> watchAdoptions(
      WatchAdoptionsRequest filter, Watch.Listener<WatchAdoptionsResponse> listener) {
    return Watch.start(
        stream -> AdoptionServiceGrpc.newStub(channel).watchAdoptions(filter, stream),
        listener,
        LONGEST_PAUSE);
  }

  private static <T, R> List<T> all(
      Function<String, R> ask, Function<R, List<T>> items, Function<R, String> nextToken) {
    var all = new ArrayList<T>();
    String token = "";
    for (int part = 0; part < MOST_PARTS; part++) {
      R response = ask.apply(token);
      all.addAll(items.apply(response));
      token = nextToken.apply(response);
      if (token.isEmpty()) {
        return List.copyOf(all);
      }
    }
    throw new IllegalStateException("a list does not end: " + all.size() + " entries");
  }
}
