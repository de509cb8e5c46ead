package dev.rollcall.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.NodeName;
import dev.rollcall.proto.roll.v1.RollServiceGrpc;
import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.JobServiceGrpc;
import dev.rollcall.proto.v1.ListProcessesRequest;
import dev.rollcall.proto.v1.NodeServiceGrpc;
import dev.rollcall.wire.grpc.RawCall;
import dev.rollcall.wire.grpc.Unheard;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status.Code;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * The services of a gateway. The first byte of an input says by which method, the rest is the
 * request, or in a stream the requests; with its highest bit a node's stream was welcomed before.
 * They are called without a connection. Every call ends soon, none with a failure of the service's
 * own, nothing is thrown where nobody hears of it, and the gateway then answers others.
 */
class GatewayServicesFuzzTest {
  private static final int WELCOMED = 0x80;
  private static final MethodDescriptor<?, ?> CONNECT = RollServiceGrpc.getConnectMethod();
  private static final List<MethodDescriptor<?, ?>> METHODS =
      Stream.of(
              RollServiceGrpc.getServiceDescriptor(),
              CallerIdServiceGrpc.getServiceDescriptor(),
              JobServiceGrpc.getServiceDescriptor(),
              NodeServiceGrpc.getServiceDescriptor())
          .<MethodDescriptor<?, ?>>flatMap(service -> service.getMethods().stream())
          .toList();
  private static final NodeName NODE = new NodeName("node2");
  private static final Endpoint ADDRESS = Endpoint.parse("10.77.0.2:22");
  private static final byte[] JOB =
      ListProcessesRequest.newBuilder().setJobId(7).build().toByteArray();

  private static FuzzedGateway gateway;
  private static Unheard unheard;

  @BeforeAll
  static void start() throws IOException {
    gateway = new FuzzedGateway();
    unheard = new Unheard(gateway.vertx);
  }

  @AfterAll
  static void stop() throws IOException {
    unheard.close();
    gateway.close();
  }

  @FuzzTest
  void fuzz(byte[] input) {
    if (input.length == 0) {
      return;
    }
    boolean welcomed = (input[0] & WELCOMED) != 0;
    MethodDescriptor<?, ?> method = METHODS.get((input[0] & (WELCOMED - 1)) % METHODS.size());
    byte[] rest = Arrays.copyOfRange(input, 1, input.length);
    RawCall<?> call =
        welcomed && method.equals(CONNECT)
            ? gateway.welcomed(NODE, ADDRESS, _ -> {})
            : gateway.call(method);
    (method.getType().clientSendsOneMessage() ? List.of(rest) : RawCall.pieces(rest))
        .forEach(call::say);
    call.saidAll();
    if (method.getType() == MethodType.SERVER_STREAMING) {
      gateway.happen();
      asked();
      call.cancel();
    }
    call.end();
    asked();
    if (method.equals(CONNECT)) {
      gateway.anew();
    }
    unheard.check();
  }

  private static void asked() {
    RawCall<?> call = gateway.call(JobServiceGrpc.getListProcessesMethod());
    assertEquals(Code.OK, call.say(JOB).saidAll().end().getCode());
  }
}
