package dev.rollcall.agent.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.google.protobuf.ByteString;
import dev.rollcall.proto.localsocket.v1.CallReply;
import dev.rollcall.proto.localsocket.v1.CallRequest;
import dev.rollcall.proto.v1.AdoptionServiceGrpc;
import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.GetRequest;
import dev.rollcall.proto.v1.JobServiceGrpc;
import dev.rollcall.proto.v1.NodeServiceGrpc;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.wire.grpc.Unheard;
import dev.rollcall.wire.local.LocalChannel;
import io.grpc.MethodDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * An agent's socket for users. The first byte of an input says what the rest is: bytes of a
 * connection, a frame, or the message of a method. What comes back are whole frames, each a reply;
 * others are answered, and nothing is held when the connection has closed.
 */
class LocalFramesFuzzTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int MOST_REPLY = (1 << 20) + 1024;
  private static final List<MethodDescriptor<?, ?>> METHODS =
      Stream.of(
              JobServiceGrpc.getServiceDescriptor(),
              CallerIdServiceGrpc.getServiceDescriptor(),
              AdoptionServiceGrpc.getServiceDescriptor(),
              NodeServiceGrpc.getServiceDescriptor())
          .<MethodDescriptor<?, ?>>flatMap(service -> service.getMethods().stream())
          .toList();

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
  void fuzz(byte[] input) throws IOException {
    if (input.length == 0) {
      return;
    }
    agent.anew();
    try (SocketChannel connection = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      connection.connect(UnixDomainSocketAddress.of(agent.socket));
      send(connection, bytes(input));
      replies(connection);
    }
    var job = GetRequest.newBuilder().setJobId(7).build();
    var others = JobServiceGrpc.newBlockingStub(new LocalChannel(agent.socket));
    assertEquals(1, others.get(job).getJobsCount());
    assertTrue(Eventually.holds(PATIENCE, () -> agent.held() == 0), agent.held() + " bytes");
    unheard.check();
  }

  private static byte[] bytes(byte[] input) {
    int kind = input[0] & 0xff;
    byte[] rest = Arrays.copyOfRange(input, 1, input.length);
    return switch (kind) {
      case 0 -> rest;
      case 1 -> frame(rest);
      default ->
          frame(
              CallRequest.newBuilder()
                  .setMethod(METHODS.get(kind % METHODS.size()).getFullMethodName())
                  .addMessages(ByteString.copyFrom(rest))
                  .setTimeoutMs(kind)
                  .build()
                  .toByteArray());
    };
  }

  private static byte[] frame(byte[] message) {
    return ByteBuffer.allocate(Integer.BYTES + message.length)
        .putInt(message.length)
        .put(message)
        .array();
  }

  /** The agent may have refused the beginning of it. */
  private static void send(SocketChannel connection, byte[] bytes) throws IOException {
    try {
      connection.write(ByteBuffer.wrap(bytes));
      connection.shutdownOutput();
    } catch (SocketException closed) {
      return;
    }
  }

  private static void replies(SocketChannel connection) throws IOException {
    InputStream from = Channels.newInputStream(connection);
    try {
      byte[] prefix = from.readNBytes(Integer.BYTES);
      while (prefix.length == Integer.BYTES) {
        int length = ByteBuffer.wrap(prefix).getInt();
        assertTrue(length > 0 && length <= MOST_REPLY, length + " bytes");
        byte[] reply = from.readNBytes(length);
        if (reply.length == length) {
          var _ = CallReply.parseFrom(reply);
        }
        prefix = from.readNBytes(Integer.BYTES);
      }
    } catch (SocketException reset) { // what it had not read was lost
      return;
    }
  }
}
