package dev.rollcall.agent.serve;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.agent.TestNode;
import dev.rollcall.proto.v1.IdentifyRequest;
import dev.rollcall.proto.v1.ListProcessesRequest;
import dev.rollcall.testkit.count.Counts;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Patience;
import dev.rollcall.wire.CallerMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Answers and watches that a user does not read, of services with the memory of an agent. */
@Tag("root")
@Timeout(value = 3_600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnreadAnswersOfUsersTest {
  private static final int TRIES = Counts.of(1, 100);
  private static final int CONNECTIONS = 64;
  private static final long SHARE = 1 << 20;
  private static final int ATTACKERS = SmallAgent.USERS;
  private static final List<String> WATCHES =
      List.of(
          "/rollcall.v1.JobService/Watch",
          "",
          "/rollcall.v1.CallerIdService/WatchCalls",
          "",
          "/rollcall.v1.AdoptionService/WatchAdoptions",
          "");
  private static final int ASKED = 5;
  private static final int MOST_MS = 5_000;

  private static final Duration PATIENCE = Patience.ofSeconds(30);

  private final List<Process> users = new ArrayList<>();

  @Test
  void holdNoMoreThanTheirSharesAndOthersAreAnswered() throws Exception {
    try (SmallAgent agent = SmallAgent.start()) {
      for (int i = 0; i < TRIES; i++) {
        holdNoMore(agent);
      }
    } finally {
      end();
    }
  }

  private void holdNoMore(SmallAgent agent) throws Exception {
    attack(agent);
    Eventually.await(PATIENCE, () -> held(agent) > SHARE, () -> held(agent) + " bytes are held");
    for (int i = 0; i < ASKED; i++) {
      int ms = Integer.parseInt(said(user(agent, TestNode.BOB, 0, question())));
      assertTrue(ms < MOST_MS, "answered after " + ms + " ms");
      long held = agent.held();
      assertTrue(held < (ATTACKERS + 1) * SHARE, held + " bytes are held");
    }
    assertTrue(agent.isAlive());
    end();
    Eventually.await(PATIENCE, () -> held(agent) == 0, () -> held(agent) + " bytes held");
  }

  private void attack(SmallAgent agent) throws IOException {
    var attackers = new ArrayList<Process>();
    for (int i = 0; i < ATTACKERS; i++) {
      var job = ListProcessesRequest.newBuilder().setJobId(SmallAgent.FIRST_JOB + i).build();
      String message = HexFormat.of().formatHex(job.toByteArray());
      var list = List.of("/rollcall.v1.JobService/ListProcesses", message);
      attackers.add(user(agent, SmallAgent.FIRST_UID + i, 4, WATCHES));
      attackers.add(user(agent, SmallAgent.FIRST_UID + i, CONNECTIONS - 4, list));
    }
    for (Process attacker : attackers) {
      assertTrue(Integer.parseInt(said(attacker)) > 0);
    }
  }

  private void end() throws InterruptedException {
    for (Process user : users) {
      user.destroyForcibly().waitFor();
    }
    users.clear();
  }

  private static List<String> question() {
    byte[] message =
        IdentifyRequest.newBuilder()
            .setConnection(CallerMapper.toProto(TestNode.callFrom(TestNode.HERE, 40_000)))
            .build()
            .toByteArray();
    return List.of("/rollcall.v1.CallerIdService/Identify", HexFormat.of().formatHex(message));
  }

  private static long held(SmallAgent agent) {
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

  private Process user(SmallAgent agent, int uid, int connections, List<String> calls)
      throws IOException {
    String program;
    try (var resource = UnreadAnswersOfUsersTest.class.getResourceAsStream("unread.py")) {
      program = new String(requireNonNull(resource).readAllBytes(), StandardCharsets.UTF_8);
    }
    var argv = new ArrayList<String>();
    argv.addAll(List.of("setpriv", "--reuid=" + uid, "--regid=" + uid, "--clear-groups"));
    argv.addAll(List.of("/usr/bin/python3", "-c", program, agent.socket.toString()));
    argv.add(Integer.toString(connections));
    argv.addAll(calls);
    Process user = new ProcessBuilder(argv).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    users.add(user);
    return user;
  }
}
