package dev.rollcall.agent.serve;

import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.ServedCall;
import dev.rollcall.agent.event.Topics;
import dev.rollcall.proto.v1.AdoptionServiceGrpc;
import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.JobServiceGrpc;
import dev.rollcall.proto.v1.NodeServiceGrpc;
import dev.rollcall.wire.audit.CallOutcome;
import dev.rollcall.wire.audit.HeardCalls;
import dev.rollcall.wire.grpc.Peer;
import io.grpc.MethodDescriptor;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which calls the audit log has: all that change something, and all that are refused. */
final class AuditedRequests {
  /** Every other call changes something. */
  private static final Set<String> ONLY_READ =
      Stream.<MethodDescriptor<?, ?>>of(
              AdoptionServiceGrpc.getExplainMethod(),
              AdoptionServiceGrpc.getListAdoptionsMethod(),
              AdoptionServiceGrpc.getListSessionsMethod(),
              AdoptionServiceGrpc.getPredictMethod(),
              AdoptionServiceGrpc.getWatchAdoptionsMethod(),
              CallerIdServiceGrpc.getIdentifyMethod(),
              CallerIdServiceGrpc.getIdentifyManyMethod(),
              CallerIdServiceGrpc.getIdentifyProcessMethod(),
              CallerIdServiceGrpc.getIdentifyProcessesMethod(),
              CallerIdServiceGrpc.getWatchCallsMethod(),
              JobServiceGrpc.getGetMethod(),
              JobServiceGrpc.getGetUsageMethod(),
              JobServiceGrpc.getListMethod(),
              JobServiceGrpc.getListLeftoversMethod(),
              JobServiceGrpc.getListProcessesMethod(),
              JobServiceGrpc.getWatchMethod(),
              JobServiceGrpc.getWatchUsageMethod(),
              NodeServiceGrpc.getListOutsideProcessesMethod(),
              NodeServiceGrpc.getListNodesMethod())
          .map(MethodDescriptor::getFullMethodName)
          .collect(Collectors.toUnmodifiableSet());

  private AuditedRequests() {}

  static HeardCalls telling(Bus bus) {
    return new HeardCalls(() -> {
      Peer peer = Peer.current();
      return outcome -> {
        if (peer instanceof Peer.Local(int pid, int uid, _) && isAudited(outcome)) {
          bus.tell(Topics.CALL_SERVED, new ServedCall(uid, pid, outcome));
        }
      };
    });
  }

  private static boolean isAudited(CallOutcome outcome) {
    return outcome.refused() || !ONLY_READ.contains(outcome.method());
  }
}
