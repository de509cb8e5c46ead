package dev.rollcall.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.proto.v1.BeginRequest;
import dev.rollcall.proto.v1.ListNodesRequest;
import io.grpc.Status;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every failure is one line that names the thing and its value, and an exit code. */
class FailuresTest {
  @TempDir private Path folder = Path.of("");
  private final Shell shell = new Shell();

  private static void assertOneLine(ExitCode code, String start, Shell.Ran ran) {
    assertEquals(code.status(), ran.status(), ran.toString());
    assertEquals("", ran.out());
    assertTrue(ran.err().startsWith("rollcall: " + start), ran.err());
    assertEquals(1, ran.err().lines().count(), ran.err());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          whois 10.0.0.1 10.0.0.2:22              | Invalid value for positional parameter at index 0 (SRC): '10.0.0.1' is not ADDRESS:PORT
          whois node1:1 10.0.0.2:22               | Invalid value for positional parameter at index 0 (SRC): 'node1:1' is not ADDRESS:PORT
          whois 10.0.0.1:1 10.0.0.2:70000         | Invalid value for positional parameter at index 1 (DST): '10.0.0.2:70000' is not ADDRESS:PORT
          whois fd77::1:5 10.0.0.2:22             | Invalid value for positional parameter at index 0 (SRC): 'fd77::1:5': an IPv6 address goes in brackets
          whois 10.0.0.1:1                        | give SRC and DST, or --pid and --node
          ps 0                                    | Invalid value for positional parameter at index 0 (JOB): '0' is not a job id
          ps 4294967296                           | Invalid value for positional parameter at index 0 (JOB): job id 4294967296 is not within
          ps seven                                | Invalid value for positional parameter at index 0 (JOB): 'seven' is not a job id
          jobs --node -x                          | Invalid value for option '--node': '-x' is not a node name
          jobs --node n@1                         | Invalid value for option '--node': 'n@1' is not a node name
          job begin 1                             | --user or --uid is needed
          job begin 1 --uid 0 --gid 0 --start x   | Invalid value for option '--start': 'x' is not an instant such as 2026-11-20T09:30:00Z
          job begin 1 --uid 0 --gid -7            | gid -7 is not within 0 to 4294967294
          job end 1 --wait -1                     | Invalid value for option '--wait': '-1' is not a time
          job end 1 --wait 11m                    | --wait 660s is not within 0 to 10m
          job suspend                             | Missing required parameter: 'JOB'
          job run --job 1 --step x -- true        | Invalid value for option '--step': 'x' is not a step
          job                                     | one of these words is missing: begin, end, limit, devices, suspend, resume, run, list
          nodes --gateway here                    | --gateway 'here' is not HOST:PORT
          nodes --gateway here:0                  | --gateway 'here:0': port 0 is not within 1 to 65535
          nodes --gateway 127.0.0.1:1 --ca /x     | --ca, --certificate and --key must be given together
          nodes --gateway 192.0.2.1:1             | gateway 192.0.2.1:1 is not on loopback: give --ca, --certificate and --key, or --ca and --token or --munge
          nodes --munge                           | --munge needs --gateway
          nodes --gateway 127.0.0.1:1 --munge     | --munge needs --ca, and neither --token, --certificate nor --key
          nodes --timeout 0                       | --timeout 0 is not at least 1 second
          jobs --sock /x                          | Unknown options: '--sock', '/x'
          frobnicate                              | Unmatched argument at index 0: 'frobnicate'
          """)
  void badWordsAreNamed(String words, String message) {
    assertOneLine(ExitCode.USAGE, message, shell.run(words.split(" ")));
  }

  @Test
  void theRootAloneShowsTheHelp() {
    Shell.Ran ran = shell.run();
    assertEquals(2, ran.status());
    assertTrue(ran.err().contains("whois"), ran.err());
  }

  @Nested
  class WhenNobodyAnswers {
    @Test
    void aSocketThatIsNotThereIsNamed() {
      Path socket = folder.resolve("none.sock");
      assertOneLine(
          ExitCode.UNAVAILABLE,
          "no agent is running here: there is no socket " + socket,
          shell.run("jobs", "--socket", socket.toString()));
    }

    @Test
    void aSocketThatADeadAgentLeftIsNamed() throws IOException {
      Path socket = folder.resolve("dead.sock");
      try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
        server.bind(UnixDomainSocketAddress.of(socket));
      }
      assertOneLine(
          ExitCode.UNAVAILABLE,
          "the agent at " + socket + " is not reachable: ",
          shell.run("jobs", "--socket", socket.toString()));
    }

    @Test
    void aGatewayThatIsNotThereIsNamed() throws IOException {
      int port;
      try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        port = taken.getLocalPort();
      }
      assertOneLine(
          ExitCode.UNAVAILABLE,
          "the gateway 127.0.0.1:" + port + " is not reachable: ",
          shell.run("nodes", "--gateway", "127.0.0.1:" + port));
    }

    @Test
    void aServerThatConnectsAndSaysNothingEndsTheCommandByItsTimeout() throws IOException {
      try (var silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        String gateway = "127.0.0.1:" + silent.getLocalPort();
        assertOneLine(
            ExitCode.UNAVAILABLE,
            "the gateway " + gateway + " ",
            shell.run("nodes", "--gateway", gateway, "--timeout", "1"));
      }
    }

    @Test
    void aServiceThatSaysNothingEndsTheCommandByItsTimeout() {
      Path socket = folder.resolve("agent.sock");
      try (var fake = new FakeRollcall().listenOn(socket)) {
        assertOneLine(
            ExitCode.UNAVAILABLE,
            "the agent at " + socket + " did not answer in time",
            shell.run("nodes", "--socket", socket.toString(), "--timeout", "1"));
        assertEquals(1, fake.requests.size());
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          PERMISSION_DENIED | DENIED      | denied by the agent at %s: no such job
          UNAUTHENTICATED   | DENIED      | denied by the agent at %s: no such job
          NOT_FOUND         | NOT_FOUND   | not found by the agent at %s: no such job
          UNAVAILABLE       | UNAVAILABLE | the agent at %s is not reachable: no such job
          DEADLINE_EXCEEDED | UNAVAILABLE | the agent at %s did not answer in time: no such job
          CANCELLED         | UNAVAILABLE | the agent at %s did not answer in time: no such job
          INVALID_ARGUMENT  | USAGE       | refused by the agent at %s: no such job
          FAILED_PRECONDITION | FAILED    | refused by the agent at %s: no such job
          INTERNAL          | FAILED      | the agent at %s failed (INTERNAL): no such job
          UNIMPLEMENTED     | FAILED      | the agent at %s does not serve this, ask a gateway (--gateway HOST:PORT): no such job
          """)
  void aStatusBecomesAnExitCodeAndALine(Status.Code status, ExitCode code, String line) {
    Path socket = folder.resolve("agent.sock");
    try (var fake = new FakeRollcall().listenOn(socket)) {
      fake.answer(ListNodesRequest.class, status.toStatus().withDescription("no such job"));
      assertOneLine(
          code, String.format(line, socket), shell.run("nodes", "--socket", socket.toString()));
    }
  }

  @Test
  void aUserWhoIsNotKnownAndAJobThatIsAnothersAreNamed() {
    Path socket = folder.resolve("agent.sock");
    assertOneLine(
        ExitCode.NOT_FOUND,
        "no user is named 'nosuchuser'",
        shell.run("job", "begin", "7", "--user", "nosuchuser"));
    try (var fake = new FakeRollcall().listenOn(socket)) {
      fake.answer(
          BeginRequest.class,
          Status.FAILED_PRECONDITION.withDescription("job 7 is uid 1001's here, not uid 1002's"));
      assertOneLine(
          ExitCode.FAILED,
          "refused by the agent at " + socket + ": job 7 is uid 1001's here, not uid 1002's",
          shell.run(
              "job", "begin", "7", "--uid", "1002", "--gid", "1", "--socket", socket.toString()));
    }
  }

  /** What a server says must not move the cursor of the terminal that shows it. */
  @Test
  void controlCharactersFromAServerAreNotPrinted() {
    Path socket = folder.resolve("agent.sock");
    try (var fake = new FakeRollcall().listenOn(socket)) {
      fake.answer(ListNodesRequest.class, Status.INTERNAL.withDescription("a\n\033[2Jb"));
      assertOneLine(
          ExitCode.FAILED,
          "the agent at " + socket + " failed (INTERNAL): a [2Jb",
          shell.run("nodes", "--socket", socket.toString()));
    }
  }
}
