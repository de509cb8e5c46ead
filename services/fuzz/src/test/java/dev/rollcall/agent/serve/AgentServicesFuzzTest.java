package dev.rollcall.agent.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rollcall.proto.v1.AdoptionServiceGrpc;
import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.GetRequest;
import dev.rollcall.proto.v1.JobServiceGrpc;
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
 * The public services of an agent's socket, asked by root without a connection. The first byte of
 * an input says by which method, the rest is the request, or in a stream the requests. Every call
 * ends soon, none with a failure of the service's own, and nothing is thrown where nobody hears of
 * it.
 */
class AgentServicesFuzzTest {
  private static final List<MethodDescriptor<?, ?>> METHODS =
      Stream.of(
              JobServiceGrpc.getServiceDescriptor(),
              CallerIdServiceGrpc.getServiceDescriptor(),
              AdoptionServiceGrpc.getServiceDescriptor(),
              NodeServiceGrpc.getServiceDescriptor())
          .<MethodDescriptor<?, ?>>flatMap(service -> service.getMethods().stream())
          .toList();
  private static final byte[] JOB = GetRequest.newBuilder().setJobId(7).build().toByteArray();

  private static FuzzedAgent agent;
  private static Unheard unheard;

  @BeforeAll
  static void start() throws IOException {
    agent = new FuzzedAgent();
    unheard = new Unheard(agent.vertx);
  }

  @AfterAll
  static void stop() throws IOException {
    unheard.close();
    agent.close();
  }

  @FuzzTest
  void fuzz(byte[] input) {
    if (input.length == 0) {
      return;
    }
    agent.anew();
    MethodDescriptor<?, ?> method = METHODS.get((input[0] & 0xff) % METHODS.size());
    byte[] rest = Arrays.copyOfRange(input, 1, input.length);
    RawCall<?> call = RawCall.of(agent.loop, agent.channel, method);
    (method.getType().clientSendsOneMessage() ? List.of(rest) : RawCall.pieces(rest))
        .forEach(call::say);
    call.saidAll();
    if (method.getType() == MethodType.SERVER_STREAMING) {
      asked();
      agent.happen();
      asked();
      call.cancel();
    }
    call.end();
    unheard.check();
  }

  /** The agent answers others meanwhile, and has heard what was said before. */
  private static void asked() {
    RawCall<?> call = RawCall.of(agent.loop, agent.channel, JobServiceGrpc.getGetMethod());
    assertEquals(Code.OK, call.say(JOB).saidAll().end().getCode());
  }
}
