package dev.rollcall.wire.grpc;

import dev.rollcall.proto.roll.v1.RollServiceGrpc;
import io.grpc.stub.StreamObserver;
import io.vertx.core.Vertx;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The other end of a call in a process of its own, which can be killed. */
final class OtherProcess implements AutoCloseable {
  private final Process process;

  /** What it printed when it was ready. */
  final String ready;

  private OtherProcess(Process process, String ready) {
    this.process = process;
    this.ready = ready;
  }

  /** Starts this class's main and waits for its line. */
  static OtherProcess start(String role, Transport transport, Path directory, int port)
      throws IOException {
    Process process =
        new ProcessBuilder(
                java(
                    OtherProcess.class,
                    role,
                    transport.name(),
                    directory.toString(),
                    Integer.toString(port)))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
    return new OtherProcess(process, String.valueOf(lines.readLine()));
  }

  /** The command of a small JVM that runs a main of these tests. */
  static List<String> java(Class<?> main, String... words) {
    List<String> command =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx64m",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
    command.addAll(List.of(words));
    return command;
  }

  void killNow() {
    process.destroyForcibly();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  /** Ends when its standard input does, so that it never outlives a test. */
  public static void main(String[] args) throws Exception {
    Transport transport = Transport.valueOf(args[1]);
    Path directory = Path.of(args[2]);
    // Vert.x's threads would keep a process alive that has failed.
    Thread.currentThread().setUncaughtExceptionHandler((_, e) -> fail(e));
    Vertx vertx = VertxSettings.start(VertxSettings.quiet());
    if (args[0].equals("client")) {
      connect(transport.open(vertx, directory, Integer.parseInt(args[3]), KeepAlive.CALM));
    } else {
      serve(vertx, transport, directory);
    }
    while (System.in.read() >= 0) {
      // Nothing is said; the end of input is the end.
    }
    System.exit(0);
  }

  private static void fail(Throwable cause) {
    cause.printStackTrace();
    System.exit(1);
  }

  private static void connect(GrpcChannel channel) throws Exception {
    var recorder =
        new Recorder<
            dev.rollcall.proto.roll.v1.ConnectRequest,
            dev.rollcall.proto.roll.v1.ConnectResponse>();
    StreamObserver<?> requests = RollServiceGrpc.newStub(channel).connect(recorder);
    recorder.next();
    System.out.println("connected " + (requests != null));
  }

  private static void serve(Vertx vertx, Transport transport, Path directory)
      throws InterruptedException, TimeoutException, java.util.concurrent.ExecutionException {
    var services =
        new GrpcServices(
            vertx,
            List.of(new ScriptedRoll((_, _) -> {}).bindService()),
            KeepAlive.CALM,
            Optional.empty(),
            PeerBounds.wide());
    GrpcServices.Listening listening =
        transport
            .listen(services, directory)
            .toCompletionStage()
            .toCompletableFuture()
            .get(10, TimeUnit.SECONDS);
    System.out.println(listening.port());
  }
}
