package dev.rollcall.wire.grpc;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.IdentifyProcessesResponse;
import dev.rollcall.proto.v1.IdentifyRequest;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.vertx.core.Vertx;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whole messages that need far more memory than they have bytes, in calls that do not end. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileMessagesTest {
  private static final int BYTES = 16_000;
  private static final int CALLS = 200;
  private static final int START_GROUP = 3;
  private static final int DEPTH = 95;

  /** The shapes. */
  enum Shape {
    GROUPS_IN_GROUPS {
      @Override
      void fill(CodedOutputStream out) throws IOException {
        while (out.spaceLeft() > 2 * DEPTH) {
          for (int i = 0; i < DEPTH; i++) {
            out.writeTag(9, START_GROUP);
          }
          for (int i = 0; i < DEPTH; i++) {
            out.writeTag(9, WireFormat.WIRETYPE_END_GROUP);
          }
        }
      }
    },
    EVER_OTHER_FIELDS {
      @Override
      void fill(CodedOutputStream out) throws IOException {
        for (int field = 100; out.spaceLeft() > 10; field++) {
          out.writeUInt32(field, 1);
        }
      }
    },
    EMPTY_ENTRIES {
      @Override
      void fill(CodedOutputStream out) throws IOException {
        while (out.spaceLeft() > 10) {
          out.writeString(1, "");
        }
      }
    };

    abstract void fill(CodedOutputStream out) throws IOException;

    byte[] bytes() {
      byte[] bytes = new byte[BYTES];
      var out = CodedOutputStream.newInstance(bytes);
      try {
        fill(out);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return Arrays.copyOf(bytes, out.getTotalBytesWritten());
    }
  }

  /** Writes bytes as they are. */
  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      return new byte[0];
    }
  }

  @TempDir private Path directory;

  @ParameterizedTest
  @EnumSource
  void endNoServerOfTheAgentsSize(Shape shape) throws Exception {
    new TestPki(directory).issue("server", "IP:127.0.0.1");
    byte[] message = shape.bytes();
    var real = CallerIdServiceGrpc.getIdentifyProcessesMethod();
    MethodDescriptor<byte[], IdentifyProcessesResponse> method =
        real.toBuilder(new Bytes(), real.getResponseMarshaller())
            .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
            .build();
    Vertx vertx = VertxSettings.start(VertxSettings.quiet());
    try (var server = SmallServer.start(directory)) {
      GrpcChannel channel = GrpcChannel.unix(vertx, server.socket, KeepAlive.CALM);
      for (int i = 0; i < CALLS; i++) {
        ClientCall<byte[], IdentifyProcessesResponse> call =
            channel.newCall(method, CallOptions.DEFAULT);
        call.start(new ClientCall.Listener<>() {}, new Metadata());
        call.request(1);
        call.sendMessage(message);
      }
      // On the same connection, so behind all of them; then the collector has met them too.
      for (int i = 0; i < 3; i++) {
        var _ =
            CallerIdServiceGrpc.newBlockingStub(channel)
                .withDeadlineAfter(30, TimeUnit.SECONDS)
                .identify(IdentifyRequest.getDefaultInstance());
      }
      assertTrue(server.isAlive());
      channel.close().await();
    } finally {
      vertx.close().await();
    }
  }
}
