package dev.rollcall.agent.serve;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import dev.rollcall.agent.TestNode;
import dev.rollcall.proto.localsocket.v1.CallRequest;
import dev.rollcall.proto.v1.AdoptionServiceGrpc;
import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.IdentifyRequest;
import dev.rollcall.proto.v1.JobServiceGrpc;
import dev.rollcall.proto.v1.ListProcessesRequest;
import dev.rollcall.proto.v1.ListRequest;
import dev.rollcall.proto.v1.WatchAdoptionsRequest;
import dev.rollcall.testkit.count.Counts;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Patience;
import dev.rollcall.wire.CallerMapper;
import dev.rollcall.wire.grpc.GrpcChannel;
import dev.rollcall.wire.grpc.KeepAlive;
import dev.rollcall.wire.grpc.VertxSettings;
import io.grpc.MethodDescriptor;
import io.vertx.core.Vertx;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Frames that users send to services with the memory of an agent. */
@Tag("root")
@Timeout(value = 3_600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FramesOfUsersTest {
  private static final int TRIES = Counts.of(1, 100);
  private static final int CONNECTIONS = 64;
  private static final int MOST_FRAME = 16 << 10;
  private static final long SHARE = 1 << 20;
  private static final int ATTACKERS = SmallAgent.USERS;
  private static final int ASKED = 2;
  private static final int MOST_MS = 5_000;
  private static final Duration PATIENCE = Patience.ofSeconds(30);

  private static SmallAgent agent;
  @TempDir private Path directory;
  private final List<Process> users = new ArrayList<>();

  /** What three users send on 64 connections each, again and again. */
  private enum Attack {
    /** Unknown groups, one in the other, as many as a frame has room for. */
    GROUPS_OF_THE_MESSAGE {
      @Override
      byte[] bytes() {
        return frame(request(JobServiceGrpc.getGetMethod(), ByteString.copyFrom(groups(16_000))));
      }
    },
    GROUPS_OF_THE_FRAME {
      @Override
      byte[] bytes() {
        return frame(groups(MOST_FRAME));
      }
    },
    EMPTY_MESSAGES {
      @Override
      byte[] bytes() {
        return frame(pairs((byte) 0x12));
      }
    },
    /** Field 1 of a request that has a list there: empty entries. */
    EMPTY_ENTRIES {
      @Override
      byte[] bytes() {
        var entries = ByteString.copyFrom(pairs((byte) 0x0a)).substring(0, 16_000);
        return frame(request(CallerIdServiceGrpc.getIdentifyProcessesMethod(), entries));
      }
    },
    UNFINISHED {
      @Override
      byte[] bytes() {
        byte[] whole = frame(new byte[MOST_FRAME]);
        return Arrays.copyOf(whole, whole.length - 1);
      }
    },
    PIPELINED {
      @Override
      byte[] bytes() {
        byte[] one = frame(question());
        var many = ByteBuffer.allocate(one.length * (100_000 / one.length));
        while (many.hasRemaining()) {
          many.put(one);
        }
        return many.array();
      }
    },
    LENGTH_OF_4_GIB {
      @Override
      byte[] bytes() {
        byte[] endless = new byte[100_000];
        Arrays.fill(endless, (byte) 0xff);
        return endless;
      }
    },
    UNREAD_STREAM {
      @Override
      byte[] bytes() {
        var watch = WatchAdoptionsRequest.getDefaultInstance().toByteString();
        return frame(request(AdoptionServiceGrpc.getWatchAdoptionsMethod(), watch));
      }
    };

    abstract byte[] bytes();
  }

  @BeforeAll
  static void start() throws IOException {
    agent = SmallAgent.start();
  }

  @AfterAll
  static void stop() throws IOException {
    agent.close();
  }

  @AfterEach
  void end() throws InterruptedException {
    for (Process user : users) {
      user.destroyForcibly().waitFor();
    }
    users.clear();
  }

  private static byte[] groups(int bytes) {
    byte[] groups = new byte[bytes];
    Arrays.fill(groups, 0, bytes / 2, (byte) 0x7b); // field 15 begins a group
    Arrays.fill(groups, bytes / 2, bytes, (byte) 0x7c);
    return groups;
  }

  private static byte[] pairs(byte tag) {
    byte[] pairs = new byte[MOST_FRAME];
    for (int i = 0; i < pairs.length; i += 2) {
      pairs[i] = tag;
    }
    return pairs;
  }

  private static byte[] frame(MessageLite message) {
    return frame(message.toByteArray());
  }

  private static byte[] frame(byte[] message) {
    return ByteBuffer.allocate(Integer.BYTES + message.length)
        .putInt(message.length)
        .put(message)
        .array();
  }

  private static CallRequest request(MethodDescriptor<?, ?> method, ByteString message) {
    return CallRequest.newBuilder()
        .setMethod(method.getFullMethodName())
        .addMessages(message)
        .build();
  }

  private static CallRequest question() {
    var connection = CallerMapper.toProto(TestNode.callFrom(TestNode.HERE, 40_000));
    return request(
        CallerIdServiceGrpc.getIdentifyMethod(),
        IdentifyRequest.newBuilder().setConnection(connection).build().toByteString());
  }

  @ParameterizedTest
  @EnumSource
  void leaveAnAnswerForAnother(Attack attack) throws Exception {
    for (int i = 0; i < ATTACKERS; i++) {
      var _ = said(user(SmallAgent.FIRST_UID + i, CONNECTIONS, attack.bytes(), "sent"));
    }
    assertOthersAreAnswered();
    end();
    awaitNothingHeld();
  }

  @Test
  void answersThatNobodyReadsHoldNoMoreThanTheirShares() throws Exception {
    for (int i = 0; i < TRIES; i++) {
      for (int each = 0; each < ATTACKERS; each++) {
        var job = ListProcessesRequest.newBuilder().setJobId(SmallAgent.FIRST_JOB + each).build();
        byte[] list = frame(request(JobServiceGrpc.getListProcessesMethod(), job.toByteString()));
        var _ = said(user(SmallAgent.FIRST_UID + each, CONNECTIONS, list, "answered"));
      }
      Eventually.await(PATIENCE, () -> held() > SHARE, () -> held() + " bytes are held");
      assertOthersAreAnswered();
      end();
      awaitNothingHeld();
    }
  }

  private void assertOthersAreAnswered() throws IOException {
    for (int i = 0; i < ASKED; i++) {
      int ms = Integer.parseInt(said(user(TestNode.BOB, 0, frame(question()), "answered")));
      assertTrue(ms < MOST_MS, "answered after " + ms + " ms");
      assertTrue(held() < (ATTACKERS + 1) * SHARE, held() + " bytes are held");
    }
    assertTrue(agent.isAlive());
  }

  private static void awaitNothingHeld() {
    Eventually.await(PATIENCE, () -> held() == 0, () -> held() + " bytes are held");
  }

  @Test
  void aUserHas64Connections() throws Exception {
    byte[] asked = frame(question());
    assertEquals("64", said(user(SmallAgent.FIRST_UID, CONNECTIONS + 1, asked, "answered")));
    assertOthersAreAnswered();
  }

  @Test
  void onlyRootAndListedUsersUseGrpc() throws Exception {
    Path grpc = agent.socket.resolveSibling("grpc.sock");
    byte[] preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0".getBytes(US_ASCII);
    assertEquals("1", said(user(grpc, SmallAgent.LISTED, 1, preface, "answered")));
    assertEquals("0", said(user(grpc, TestNode.BOB, 1, preface, "answered")));
    assertEquals("0", said(user(grpc, SmallAgent.FIRST_UID, 1, preface, "answered")));
    Vertx vertx = VertxSettings.start(VertxSettings.quiet());
    try {
      var root = JobServiceGrpc.newBlockingStub(GrpcChannel.unix(vertx, grpc, KeepAlive.CALM));
      int jobs = root.list(ListRequest.getDefaultInstance()).getJobsCount();
      assertEquals(SmallAgent.USERS, jobs);
    } finally {
      vertx.close().await();
    }
  }

  private static long held() {
    try {
      return agent.held();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String said(Process process) throws IOException {
    BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
    return String.valueOf(lines.readLine());
  }

  private Path file(byte[] bytes) throws IOException {
    Path file = Files.createTempFile(directory, "frames", "");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.write(file, bytes);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    return file;
  }

  private Process user(int uid, int connections, byte[] bytes, String until) throws IOException {
    return user(agent.socket, uid, connections, bytes, until);
  }

  private Process user(Path socket, int uid, int connections, byte[] bytes, String until)
      throws IOException {
    String program;
    try (var resource = FramesOfUsersTest.class.getResourceAsStream("frames.py")) {
      program = new String(requireNonNull(resource).readAllBytes(), StandardCharsets.UTF_8);
    }
    var argv = new ArrayList<String>();
    argv.addAll(List.of("setpriv", "--reuid=" + uid, "--regid=" + uid, "--clear-groups"));
    argv.addAll(List.of("/usr/bin/python3", "-c", program, socket.toString()));
    argv.addAll(List.of(Integer.toString(connections), file(bytes).toString(), until));
    Process user = new ProcessBuilder(argv).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    users.add(user);
    return user;
  }
}
