package dev.rollcall.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.cli.connect.Dial;
import dev.rollcall.cli.connect.StreamRelay;
import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.proto.v1.AdoptRequest;
import dev.rollcall.proto.v1.AdoptResponse;
import dev.rollcall.proto.v1.ChooseForCallRequest;
import dev.rollcall.proto.v1.GetRequest;
import dev.rollcall.proto.v1.GetResponse;
import dev.rollcall.proto.v1.Job;
import dev.rollcall.proto.v1.JobState;
import io.grpc.Status;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The way of an ssh connection through {@code rollcall connect}. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConnectTest {
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

  // Not the common pool, which may have one thread.
  @AutoClose private final ExecutorService others = Executors.newVirtualThreadPerTaskExecutor();
  @AutoClose private final ServerSocket far;
  @TempDir private Path folder = Path.of("");

  ConnectTest() throws IOException {
    far = new ServerSocket(0, 1, LOOPBACK);
  }

  private interface FarEnd {
    void serve(Socket socket) throws IOException;
  }

  @BeforeEach
  void bounded() throws IOException {
    far.setSoTimeout(20_000);
  }

  private CompletableFuture<Void> serve(FarEnd end) {
    return CompletableFuture.runAsync(
        () -> {
          try (Socket socket = far.accept()) {
            end.serve(socket);
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        },
        others);
  }

  private SocketChannel dial() {
    return Dial.open("127.0.0.1", far.getLocalPort(), Duration.ofSeconds(20));
  }

  @Test
  void carriesMuchBothWaysUntouchedAndTellsTheEndOfWhatItReads() throws Exception {
    byte[] much = new byte[3_000_000];
    new Random(7).nextBytes(much);
    // The far end speaks only when it has heard the end: it hears of a half-close.
    var served =
        serve(socket -> {
          byte[] heard = socket.getInputStream().readAllBytes();
          socket.getOutputStream().write(heard);
        });
    Pipe in = Pipe.open();
    var written =
        CompletableFuture.runAsync(
            () -> {
              try (var sink = Channels.newOutputStream(in.sink())) {
                sink.write(much);
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            },
            others);
    var out = new ByteArrayOutputStream();
    try (SocketChannel connection = dial()) {
      new StreamRelay(connection).run(in.source(), Channels.newChannel(out));
    }
    written.get(20, TimeUnit.SECONDS);
    served.get(20, TimeUnit.SECONDS);
    assertArrayEquals(much, out.toByteArray());
  }

  @Test
  void endsWithTheFarEndAlthoughMoreCouldBeRead() throws Exception {
    var served =
        serve(socket -> socket.getOutputStream().write("bye".getBytes(StandardCharsets.UTF_8)));
    Pipe silent = Pipe.open();
    var out = new ByteArrayOutputStream();
    try (SocketChannel connection = dial()) {
      new StreamRelay(connection).run(silent.source(), Channels.newChannel(out));
    }
    served.get(20, TimeUnit.SECONDS);
    assertEquals("bye", out.toString(StandardCharsets.UTF_8));
  }

  @Test
  void aPortThatNobodyHasIsNamed() throws IOException {
    int port = far.getLocalPort();
    far.close();
    var failure =
        assertThrows(
            CommandFailure.class, () -> Dial.open("127.0.0.1", port, Duration.ofSeconds(20)));
    assertEquals(ExitCode.UNAVAILABLE, failure.code());
    assertEquals("cannot connect to 127.0.0.1:" + port + ": Connection refused", failure.line());
  }

  @Test
  void aHostThatDoesNotAnswerIsGivenUp() throws IOException {
    // A full backlog: the kernel drops what comes.
    List<SocketChannel> filling = new ArrayList<>();
    try {
      for (int i = 0; i < 16; i++) {
        SocketChannel one = SocketChannel.open();
        one.configureBlocking(false);
        var _ = one.connect(new InetSocketAddress(LOOPBACK, far.getLocalPort()));
        filling.add(one);
      }
      var failure =
          assertThrows(
              CommandFailure.class,
              () -> Dial.open("127.0.0.1", far.getLocalPort(), Duration.ofSeconds(1)));
      assertEquals(ExitCode.UNAVAILABLE, failure.code());
      assertEquals(
          "127.0.0.1:" + far.getLocalPort() + " did not answer within 1 s", failure.line());
    } finally {
      for (SocketChannel one : filling) {
        one.close();
      }
    }
  }

  @Test
  void withoutTheJobItDoesNotCallAndSaysWhatCanBeDone() {
    Shell.Ran ran =
        new Shell()
            .run(
                "connect",
                "--job",
                "42",
                "--socket",
                folder.resolve("none.sock").toString(),
                "node2",
                "22");
    assertEquals(ExitCode.UNAVAILABLE.status(), ran.status());
    assertTrue(
        ran.err().startsWith("rollcall: cannot call from job 42: no agent is running here"),
        ran.err());
    assertTrue(ran.err().contains("Omit --job, and node2 decides"), ran.err());
    assertEquals(1, ran.err().lines().count(), ran.err());
  }

  @Test
  void aJobThatIsElsewhereIsAskedForAndWhatIsInTheWayIsNamed() {
    Path socket = folder.resolve("agent.sock");
    try (var fake = new FakeRollcall().listenOn(socket)) {
      fake.answer(
          AdoptRequest.class,
          Status.NOT_FOUND.withDescription("you have no such job on this node"));
      fake.answer(
          ChooseForCallRequest.class,
          Status.NOT_FOUND.withDescription("no job 42 of yours is known"));
      Shell.Ran ran =
          new Shell().run("connect", "--job", "42", "--socket", socket.toString(), "node2", "22");
      assertEquals(ExitCode.NOT_FOUND.status(), ran.status(), ran.err());
      assertTrue(ran.err().startsWith("rollcall: cannot call from job 42: "), ran.err());
      assertTrue(ran.err().contains("you have no such job on this node, and "), ran.err());
      assertTrue(
          ran.err()
              .endsWith(
                  "no job 42 of yours is known. Omit --job, and node2 decides; or choose"
                      + " there, by rollcall switch --next 42"
                      + System.lineSeparator()),
          ran.err());
      assertEquals(AdoptRequest.newBuilder().setJobId(42).build(), fake.requests.remove());
      assertEquals(ChooseForCallRequest.newBuilder().setJobId(42).build(), fake.requests.remove());
    }
  }

  @Test
  void whatRefusesAMoveIsNotGoneRoundByAsking() {
    Path socket = folder.resolve("agent.sock");
    try (var fake = new FakeRollcall().listenOn(socket)) {
      fake.answer(
          AdoptRequest.class, Status.FAILED_PRECONDITION.withDescription("job 42 is suspended"));
      Shell.Ran ran =
          new Shell().run("connect", "--job", "42", "--socket", socket.toString(), "node2", "22");
      assertEquals(ExitCode.FAILED.status(), ran.status());
      assertTrue(ran.err().contains("job 42 is suspended. Omit --job"), ran.err());
      assertEquals(1, fake.requests.size());
    }
  }

  @Test
  void aNodeOfTheJobIsFoundByTheHostName() throws IOException {
    Path socket = folder.resolve("agent.sock");
    try (var fake = new FakeRollcall().listenOn(socket)) {
      fake.answer(
          GetRequest.class,
          GetResponse.newBuilder()
              .addJobs(
                  Job.newBuilder()
                      .setJobId(42)
                      .setNode("localhost")
                      .setState(JobState.JOB_STATE_OPEN))
              .build());
      fake.answer(AdoptRequest.class, AdoptResponse.getDefaultInstance());
      String port = Integer.toString(far.getLocalPort());
      far.close();
      Shell.Ran ran =
          new Shell().run("connect", "--find", "--socket", socket.toString(), "job-42", port);
      assertEquals(
          new Shell.Ran(
              5, "", "rollcall: cannot connect to localhost:" + port + ": Connection refused\n"),
          ran);
      assertEquals(GetRequest.newBuilder().setJobId(42).build(), fake.requests.remove());
      assertEquals(AdoptRequest.newBuilder().setJobId(42).build(), fake.requests.remove());
      Shell.Ran elsewhere =
          new Shell().run("connect", "--find", "--socket", socket.toString(), "job-42-n7", port);
      assertEquals(
          new Shell.Ran(4, "", "rollcall: job 42 does not run on n7, but on localhost\n"),
          elsewhere);
    }
  }

  @Test
  void aHostNameThatNamesNoJobIsRefused() {
    assertEquals(
        new Shell.Ran(
            2,
            "",
            "rollcall: 'node2' is neither job-JOB nor job-JOB-NODE, job-latest nor job-name-NAME\n"),
        new Shell().run("connect", "--find", "node2", "22"));
    assertEquals(
        new Shell.Ran(2, "", "rollcall: --find reads the job from HOST: omit --job\n"),
        new Shell().run("connect", "--find", "--job", "42", "job-42", "22"));
  }

  @Test
  void refusesAPortThatCannotBe() {
    Shell.Ran ran = new Shell().run("connect", "node2", "70000");
    assertEquals(ExitCode.USAGE.status(), ran.status());
    assertEquals(
        "rollcall: port 70000 is not within 1 to 65535" + System.lineSeparator(), ran.err());
  }
}
