package dev.rollcall.wire.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.IdentifyRequest;
import dev.rollcall.proto.v1.IdentifyResponse;
import dev.rollcall.proto.v1.JobServiceGrpc;
import dev.rollcall.proto.v1.ListRequest;
import dev.rollcall.proto.v1.ListResponse;
import dev.rollcall.wire.memory.MemoryBudget;
import dev.rollcall.wire.memory.MemoryGuard;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A server in a JVM of its own, with the shipped agent's memory (see the launcher): it listens on a
 * unix socket for everybody, and on a TLS port that requests certificates.
 */
public final class SmallServer implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(SmallServer.class.getName());
  private static final int ANSWER_BYTES = 1_000_000;

  private static final int DESCRIPTORS = 400;

  private final Process process;
  private final BufferedReader lines;
  public final Path socket;
  public final int port;

  private SmallServer(Process process, BufferedReader lines, Path socket, int port) {
    this.process = process;
    this.lines = lines;
    this.socket = socket;
    this.port = port;
  }

  /**
   * @param directory with a certificate of {@code server}
   */
  public static SmallServer start(Path directory) throws IOException {
    return start(directory, List.of(), ProcessBuilder.Redirect.INHERIT);
  }

  /**
   * The same, which can use all of its descriptors.
   *
   * @param log gets what it logs
   */
  static SmallServer startWithFewDescriptors(Path directory, Path log) throws IOException {
    return start(
        directory,
        List.of("prlimit", "--nofile=" + DESCRIPTORS),
        ProcessBuilder.Redirect.to(log.toFile()));
  }

  /** The same, which counts nothing: what is measured protects it, or it ends. */
  public static SmallServer startWithoutFirstLine(Path directory) throws IOException {
    return start(
        directory,
        List.of(),
        ProcessBuilder.Redirect.INHERIT,
        "-Drollcall.test.first_line=off",
        "-Dio.netty.maxDirectMemory=33554432",
        "-XX:MaxDirectMemorySize=40m");
  }

  private static SmallServer start(
      Path directory, List<String> by, ProcessBuilder.Redirect log, String... options)
      throws IOException {
    var argv = new ArrayList<String>(by);
    argv.add(ProcessHandle.current().info().command().orElseThrow());
    argv.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xms6m",
            "-Xmx48m",
            "-Xss256k",
            "-XX:-MaxFDLimit"));
    argv.addAll(List.of("-XX:+ExitOnOutOfMemoryError", "-Dio.netty.allocator.type=unpooled"));
    argv.addAll(List.of("--enable-native-access=ALL-UNNAMED"));
    argv.addAll(List.of("--sun-misc-unsafe-memory-access=allow"));
    argv.addAll(List.of(options));
    argv.addAll(List.of("-cp", System.getProperty("java.class.path")));
    argv.addAll(List.of(SmallServer.class.getName(), directory.toString()));
    Process process = new ProcessBuilder(argv).redirectError(log).start();
    BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
    int port = Integer.parseInt(String.valueOf(lines.readLine()));
    return new SmallServer(process, lines, socketIn(directory), port);
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Takes all descriptors that are left; how many those were. */
  int fill() throws IOException {
    return order("fill");
  }

  void free() throws IOException {
    var _ = order("free");
  }

  private int order(String order) throws IOException {
    process.outputWriter(StandardCharsets.UTF_8).append(order).append('\n').flush();
    return Integer.parseInt(String.valueOf(lines.readLine()));
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
    var registry = new SimpleMeterRegistry();
    MemoryBudget memory = PeerBounds.agentMemory(registry);
    VertxSettings.addConnections(vertx, memory.connections());
    var _ = MemoryGuard.start(memory, registry);
    var services =
        new GrpcServices(
            vertx,
            List.of(new Identifying().bindService(), new Listing().bindService()),
            KeepAlive.CALM,
            Optional.empty(),
            PeerBounds.ofAgent(memory));
    services.listenUnix(socketIn(directory), "rw-rw-rw-").await();
    GrpcServices.Listening tls =
        services
            .listenTcp(
                "127.0.0.1",
                0,
                Optional.of(TestPki.filesIn(directory, "server").identity()),
                GrpcServices.Certificates.REQUESTED)
            .await();
    // As a process has that started: without a descriptor the JDK cannot read what a log needs.
    LOG.log(System.Logger.Level.INFO, "listens on {0}", tls.port());
    System.out.println(tls.port());
    var taken = new ArrayList<FileInputStream>();
    var orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String order = orders.readLine(); order != null; order = orders.readLine()) {
      if (order.equals("fill")) {
        fill(taken);
      } else {
        free(taken);
      }
      System.out.println(taken.size());
    }
    System.exit(0);
  }

  private static void fill(List<FileInputStream> taken) throws IOException {
    try {
      while (taken.size() < DESCRIPTORS) {
        taken.add(new FileInputStream("/dev/null"));
      }
    } catch (FileNotFoundException full) {
      // As is wanted.
    }
  }

  private static void free(List<FileInputStream> taken) throws IOException {
    for (FileInputStream each : taken) {
      each.close();
    }
    taken.clear();
  }

  private static void fail(Throwable cause) {
    cause.printStackTrace();
    System.exit(1);
  }

  /** Refuses a question about a connection, and answers one about none. */
  private static final class Identifying extends CallerIdServiceGrpc.CallerIdServiceImplBase {
    @Override
    public void identify(IdentifyRequest request, StreamObserver<IdentifyResponse> answer) {
      if (request.hasConnection()) {
        answer.onError(Status.RESOURCE_EXHAUSTED.asRuntimeException());
        return;
      }
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
