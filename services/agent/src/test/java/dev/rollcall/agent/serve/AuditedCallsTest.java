package dev.rollcall.agent.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.proto.v1.AdoptionServiceGrpc;
import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.JobServiceGrpc;
import dev.rollcall.proto.v1.NodeServiceGrpc;
import dev.rollcall.proto.v1.TokenServiceGrpc;
import io.grpc.MethodDescriptor;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AuditedCallsTest {
  /** Every other call changes something, and is audited. */
  @Test
  void theseCallsOnlyRead() {
    assertEquals(
        new TreeSet<>(
            Set.of(
                "rollcall.v1.AdoptionService/Explain",
                "rollcall.v1.AdoptionService/ListAdoptions",
                "rollcall.v1.AdoptionService/ListSessions",
                "rollcall.v1.AdoptionService/Predict",
                "rollcall.v1.AdoptionService/WatchAdoptions",
                "rollcall.v1.CallerIdService/Identify",
                "rollcall.v1.CallerIdService/IdentifyMany",
                "rollcall.v1.CallerIdService/IdentifyProcess",
                "rollcall.v1.CallerIdService/IdentifyProcesses",
                "rollcall.v1.CallerIdService/WatchCalls",
                "rollcall.v1.JobService/Get",
                "rollcall.v1.JobService/GetUsage",
                "rollcall.v1.JobService/List",
                "rollcall.v1.JobService/ListLeftovers",
                "rollcall.v1.JobService/ListProcesses",
                "rollcall.v1.JobService/Watch",
                "rollcall.v1.JobService/WatchUsage",
                "rollcall.v1.NodeService/ListGateways",
                "rollcall.v1.NodeService/ListNodes",
                "rollcall.v1.NodeService/ListOutsideProcesses")),
        Stream.of(
                AdoptionServiceGrpc.getServiceDescriptor(),
                CallerIdServiceGrpc.getServiceDescriptor(),
                JobServiceGrpc.getServiceDescriptor(),
                NodeServiceGrpc.getServiceDescriptor(),
                TokenServiceGrpc.getServiceDescriptor())
            .flatMap(service -> service.getMethods().stream())
            .filter(MethodDescriptor::isSafe)
            .map(MethodDescriptor::getFullMethodName)
            .collect(Collectors.toCollection(TreeSet::new)));
  }
}
