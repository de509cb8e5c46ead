package dev.rollcall.lab.soak;

import com.google.protobuf.Timestamp;
import dev.rollcall.lab.cluster.Network;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.proto.roll.v1.Announcement;
import dev.rollcall.proto.roll.v1.ConnectRequest;
import dev.rollcall.proto.roll.v1.Hello;
import dev.rollcall.proto.roll.v1.JobOnNode;
import dev.rollcall.proto.roll.v1.JobProcess;
import dev.rollcall.proto.v1.Caller;
import dev.rollcall.proto.v1.Connection;
import dev.rollcall.proto.v1.Endpoint;
import dev.rollcall.proto.v1.Job;
import dev.rollcall.proto.v1.JobState;
import dev.rollcall.proto.v1.JobStep;
import dev.rollcall.proto.v1.Process;
import dev.rollcall.proto.v1.Protocol;
import dev.rollcall.wire.CallerMapper;
import java.net.InetAddress;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The messages that a hostile node sends to a gateway.
 *
 * @param kind one of a node's
 * @param epoch of its stream
 */
record HostileMessages(AttackKind kind, long epoch) {
  /** In the cluster by its certificate alone: no user, no job and no agent is there. */
  static final NodeAddress ADDRESS = new NodeAddress("hostile", Network.SERVICE, 253);

  static final String CLUSTER = "demo";

  private static final String LONG = "9".repeat(100_000);
  private static final int CALLS = 50;
  private static final int PROCESSES_OF_A_MESSAGE = 1_000;
  private static final int MESSAGES_OF_PROCESSES = 50;
  private static final long JOB = 1_000_000;

  ConnectRequest hello() {
    boolean isForeign = kind == AttackKind.FOREIGN_ADDRESS;
    return ConnectRequest.newBuilder()
        .setHello(
            Hello.newBuilder()
                .setCluster(CLUSTER)
                .setNode(ADDRESS.name())
                .setBootId("hostile")
                .setEpoch(epoch)
                .addAddresses(
                    CallerMapper.bytes(
                        InetAddress.ofLiteral((isForeign ? NodeAddress.NODE1 : ADDRESS).v4())))
                .setVersion(kind == AttackKind.LARGE_VERSION ? LONG : "0.1.0")
                .setCallSource("sock_ops"))
        .build();
  }

  /** What it says once it is welcome. */
  List<ConnectRequest> events() {
    return switch (kind) {
      case LARGE_ANNOUNCEMENT -> List.of(announcement(1, LONG));
      case TIME_OUT_OF_RANGE -> List.of(job(0, Long.MAX_VALUE));
      case MANY_PROCESSES ->
          IntStream.range(0, MESSAGES_OF_PROCESSES).mapToObj(at -> job(at, 1)).toList();
      case FOREIGN_ADDRESS ->
          IntStream.rangeClosed(1, CALLS).mapToObj(at -> announcement(at, CLUSTER)).toList();
      default -> List.of();
    };
  }

  /** A call from node1 to node2, in its own name: who calls from there is not its to say. */
  private ConnectRequest announcement(int number, String cluster) {
    Connection call =
        Connection.newBuilder()
            .setProtocol(Protocol.PROTOCOL_TCP)
            .setLocal(endpoint(NodeAddress.NODE1, 40_000 + number))
            .setRemote(endpoint(NodeAddress.NODE2, 22))
            .build();
    Caller caller =
        Caller.newBuilder()
            .setCluster(cluster)
            .setNode(ADDRESS.name())
            .setJob(JobStep.newBuilder().setJobId(JOB).setStep("extern"))
            .setUid(User.CAROL.uid())
            .setProcess(process(number))
            .setCalledAt(Timestamp.newBuilder().setSeconds(1))
            .build();
    return ConnectRequest.newBuilder()
        .setAnnouncement(
            Announcement.newBuilder()
                .setConnection(call)
                .setCaller(caller)
                .setSequence(number)
                .setEpoch(epoch))
        .build();
  }

  private static Endpoint endpoint(NodeAddress node, int port) {
    return Endpoint.newBuilder().setAddress(node.v4()).setPort(port).build();
  }

  /** A part of one job: a thousand processes more. */
  private static ConnectRequest job(int part, long observedSeconds) {
    var job =
        JobOnNode.newBuilder()
            .setJob(
                Job.newBuilder()
                    .setJobId(JOB)
                    .setNode(ADDRESS.name())
                    .setUid(User.CAROL.uid())
                    .setGid(User.CAROL.uid())
                    .setState(JobState.JOB_STATE_OPEN)
                    .setStartedAt(Timestamp.newBuilder().setSeconds(1)))
            .setObservedAt(Timestamp.newBuilder().setSeconds(observedSeconds))
            .setWhole(part == 0);
    for (int at = 1; at <= PROCESSES_OF_A_MESSAGE; at++) {
      job.addProcesses(
          JobProcess.newBuilder()
              .setProcess(process(part * PROCESSES_OF_A_MESSAGE + at))
              .setStep("extern"));
    }
    return ConnectRequest.newBuilder().setJob(job).build();
  }

  private static Process process(int pid) {
    return Process.newBuilder().setPid(pid).setStartTime(pid).build();
  }
}
