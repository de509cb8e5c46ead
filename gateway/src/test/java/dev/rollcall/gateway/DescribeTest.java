package dev.rollcall.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.gateway.TestGateways.World;
import dev.rollcall.testkit.process.Await;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What tools ask a gateway about itself. */
@Timeout(60)
class DescribeTest {
  private static ServerReflectionResponse ask(
      TestGateways gateways, ServerReflectionRequest question) {
    var answer = new CompletableFuture<ServerReflectionResponse>();
    StreamObserver<ServerReflectionRequest> questions =
        ServerReflectionGrpc.newStub(gateways.channel(0))
            .serverReflectionInfo(
                new StreamObserver<>() {
                  @Override
                  public void onNext(ServerReflectionResponse response) {
                    answer.complete(response);
                  }

                  @Override
                  public void onError(Throwable cause) {
                    answer.completeExceptionally(cause);
                  }

                  @Override
                  public void onCompleted() {
                    answer.completeExceptionally(new AssertionError("no answer"));
                  }
                });
    questions.onNext(question);
    ServerReflectionResponse said = answer.orTimeout(20, TimeUnit.SECONDS).join();
    questions.onCompleted();
    return said;
  }

  @Test
  void theServicesAreListedWithTheirFiles() throws Exception {
    try (var gateways = new TestGateways(World.MEMORY, 1)) {
      List<String> names =
          ask(gateways, ServerReflectionRequest.newBuilder().setListServices("").build())
              .getListServicesResponse()
              .getServiceList()
              .stream()
              .map(ServiceResponse::getName)
              .sorted()
              .toList();
      assertEquals(
          List.of(
              "rollcall.roll.v1.RollService",
              "rollcall.v1.AdoptionService",
              "rollcall.v1.CallerIdService",
              "rollcall.v1.JobService",
              "rollcall.v1.NodeService",
              "rollcall.v1.TokenService"),
          names);
      var file =
          ask(
                  gateways,
                  ServerReflectionRequest.newBuilder()
                      .setFileContainingSymbol("rollcall.v1.JobService")
                      .build())
              .getFileDescriptorResponse();
      assertTrue(file.getFileDescriptorProtoCount() > 0, file::toString);
    }
  }

  @Test
  void aGatewayThatServesSaysSo() throws Exception {
    try (var gateways = new TestGateways(World.MEMORY, 1)) {
      var health = HealthGrpc.newBlockingStub(gateways.channel(0));
      Await.until(
          "it serves",
          () ->
              health.check(HealthCheckRequest.getDefaultInstance()).getStatus()
                  == ServingStatus.SERVING);
    }
  }
}
