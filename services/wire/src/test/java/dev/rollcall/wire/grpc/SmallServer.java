package dev.rollcall.wire.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.IdentifyRequest;
import dev.rollcall.proto.v1.IdentifyResponse;
import dev.rollcall.proto.v1.JobServiceGrpc;
import dev.rollcall.proto.v1.ListRequest;
import dev.rollcall.proto.v1.ListResponse;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A server in a JVM of its own, with the shipped agent's memory (see the launcher): it listens on a
 * unix socket for everybody, and on a TLS port that requests certificates.
 */
final class SmallServer implements AutoCloseable {
  private static final int ANSWER_BYTES = 1_000_000;

  private final Process process;
  final Path socket;
  final int port;

  private SmallServer(Process process, Path socket, int port) {
    this.process = process;
    this.socket = socket;
    this.port = port;
  }

  /**
   * @param directory with a certificate of {@code server}
   */
  static SmallServer start(Path directory) throws IOException {
    var argv = new ArrayList<String>();
    argv.add(ProcessHandle.current().info().command().orElseThrow());
    argv.addAll(List.of("-XX:+UseSerialGC", "-Xms6m", "-Xmx48m", "-Xss256k"));
    argv.addAll(List.of("-XX:+ExitOnOutOfMemoryError", "-Dio.netty.allocator.type=unpooled"));
    argv.addAll(List.of("--enable-native-access=ALL-UNNAMED"));
    argv.addAll(List.of("--sun-misc-unsafe-memory-access=allow"));
    argv.addAll(List.of("-cp", System.getProperty("java.class.path")));
    argv.addAll(List.of(SmallServer.class.getName(), directory.toString()));
    Process process =
        new ProcessBuilder(argv).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
    String port = String.valueOf(lines.readLine());
    return new SmallServer(process, socketIn(directory), Integer.parseInt(port));
  }

  boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  private static Path socketIn(Path directory) {
    return directory.resolve("small.sock");
  }

  /** Ends when its standard input does, so that it never outlives a test. */
  public static void main(String[] args) throws IOException {
    Thread.currentThread().setUncaughtExceptionHandler((_, e) -> fail(e));
    Path directory = Path.of(args[0]);
    Vertx vertx = VertxSettings.start(VertxSettings.quiet());
    var services =
        new GrpcServices(
            vertx,
            List.of(new Identifying().bindService(), new Listing().bindService()),
            KeepAlive.CALM,
            Optional.empty(),
            PeerBounds.ofAgent(PeerBounds.agentMemory(new SimpleMeterRegistry())));
    services.listenUnix(socketIn(directory), "rw-rw-rw-").await();
    GrpcServices.Listening tls =
        services
            .listenTcp(
                "127.0.0.1",
                0,
                Optional.of(TestPki.filesIn(directory, "server")),
                GrpcServices.Certificates.REQUESTED)
            .await();
    System.out.println(tls.port());
    while (System.in.read() >= 0) {
      // Nothing is said; the end of input is the end.
    }
    System.exit(0);
  }

  private static void fail(Throwable cause) {
    cause.printStackTrace();
    System.exit(1);
  }

  private static final class Identifying extends CallerIdServiceGrpc.CallerIdServiceImplBase {
    @Override
    public void identify(IdentifyRequest request, StreamObserver<IdentifyResponse> answer) {
      answer.onNext(IdentifyResponse.getDefaultInstance());
      answer.onCompleted();
    }
  }

  /** Answers with a megabyte. */
  private static final class Listing extends JobServiceGrpc.JobServiceImplBase {
    @Override
    public void list(ListRequest request, StreamObserver<ListResponse> answer) {
      var large =
          UnknownFieldSet.Field.newBuilder()
              .addLengthDelimited(ByteString.copyFrom(new byte[ANSWER_BYTES]))
              .build();
      answer.onNext(
          ListResponse.newBuilder()
              .setUnknownFields(UnknownFieldSet.newBuilder().addField(31, large).build())
              .build());
      answer.onCompleted();
    }
  }
}
