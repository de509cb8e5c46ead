package dev.rollcall.jobs.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.linux.Errno;
import dev.rollcall.linux.ErrnoException;
import dev.rollcall.model.NamespaceType;
import dev.rollcall.port.JobNamespaces;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes on the wire, of machines of little endian. */
class StepDaemonTest {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofMillis(100);
  private static final String HELLO = "> 002d0000"; // 26.05
  private static final String V22_05 = "< 00260000";
  private static final String V26_05 = "< 002d0000";

  @TempDir private Path directory;

  private interface Talk<T> {
    T with(StepDaemon daemon) throws IOException;
  }

  private <T> T talk(List<String> script, Talk<T> talk) throws IOException {
    return talk(script, LONG, talk);
  }

  private <T> T talk(List<String> script, Duration within, Talk<T> talk) throws IOException {
    Path socket = directory.resolve("node1_1.4294967292");
    try (ScriptedDaemon daemon = new ScriptedDaemon(socket, script)) {
      T result;
      try (StepDaemon client = StepDaemon.greet(socket, within)) {
        result = talk.with(client);
      }
      String expected =
          String.join("", script.stream().filter(it -> it.startsWith(">")).toList())
              .replaceAll("[> ]", "");
      assertEquals(expected, daemon.said());
      return result;
    }
  }

  /** Recorded: slurmstepd 22.05.8 of Debian 12 with another client, but for the first line. */
  @Test
  void saysWhatSlurmsOwnModuleSaysTo22dot05() throws IOException {
    List<String> script =
        List.of(
            HELLO,
            V22_05,
            "> 05000000",
            "< 02000000",
            "> 14000000",
            "< d1070000",
            "> 16000000 43000000",
            "< 00000000",
            "> 17000000",
            "< 00000000 00000000");
    talk(
        script,
        daemon -> {
          assertEquals(38, daemon.release());
          assertEquals(StepDaemon.State.RUNNING, daemon.state());
          assertEquals(2001, daemon.uid());
          assertEquals(0, daemon.add(67));
          assertEquals(StepDaemon.Display.NONE, daemon.display());
          return 0;
        });
  }

  /** Recorded likewise: alice, x, 2001, 2001, no gecos, /home/alice, /bin/bash. */
  @Test
  void readsTheOwnersGroup() throws IOException {
    List<String> script =
        List.of(
            HELLO,
            V22_05,
            "> 18000000 01000000 00000000 00000000",
            "< 01000000 05000000 616c696365 01000000 78 d1070000 d1070000 00000000",
            "< 0b000000 2f686f6d652f616c696365 09000000 2f62696e2f62617368");
    assertEquals(Optional.of(2001), talk(script, StepDaemon::gid));
    assertEquals(
        Optional.empty(),
        talkAgain(
            List.of(HELLO, V26_05, "> 18000000 01000000 00000000 00000000", "< 00000000"),
            StepDaemon::gid));
  }

  private <T> T talkAgain(List<String> script, Talk<T> talk) throws IOException {
    java.nio.file.Files.delete(directory.resolve("node1_1.4294967292"));
    return talk(script, talk);
  }

  /** From Slurm's public sources, of a job with --x11 and of one without a container. */
  @Test
  void understands26dot05() throws IOException {
    List<String> script =
        List.of(
            HELLO,
            V26_05,
            "> 05000000",
            "< 02000000",
            "> 16000000 2a000000",
            "< 00000000",
            "> 17000000",
            "< 0b000000 0a000000 2f746d702f782e61 7500",
            "> 1c000000",
            "< 00000000");
    talk(
        script,
        daemon -> {
          assertEquals(45, daemon.release());
          assertEquals(StepDaemon.State.RUNNING, daemon.state());
          assertEquals(0, daemon.add(42));
          assertEquals(new StepDaemon.Display(11, Optional.of("/tmp/x.au")), daemon.display());
          assertEquals(List.of(), kinds(daemon));
          return 0;
        });
  }

  private static List<NamespaceType> kinds(StepDaemon daemon) throws IOException {
    try (var namespaces = new StepNamespaces(Map.of())) {
      daemon.namespaces(namespaces);
      return namespaces.inOrder().stream().map(JobNamespaces.Namespace::kind).toList();
    }
  }

  @Test
  void aZeroInPlaceOfANamespaceIsNone() throws IOException {
    assertEquals(
        List.of(), talk(List.of(HELLO, V22_05, "> 1a000000", "< 00000000"), StepDaemonTest::kinds));
  }

  @Test
  void of22dot05ThereIsTheMountNamespace() throws IOException {
    List<String> script = List.of(HELLO, V22_05, "> 1a000000", "< 07000000", "< /proc/self/ns/mnt");
    assertEquals(List.of(NamespaceType.MOUNT), talk(script, StepDaemonTest::kinds));
  }

  /** As namespace/linux does; a type is believed of the kernel alone. */
  @Test
  void of25dot11ThereAreAllInTheirOrder() throws IOException {
    List<String> script =
        List.of(
            HELLO,
            "< 002c0000",
            "> 1c000000",
            "< 03000000",
            "< 00000020",
            "< /proc/self/ns/pid",
            "< 00000010",
            "< /proc/self/ns/user",
            "< 00000000",
            "< /proc/self/ns/mnt");
    assertEquals(
        List.of(NamespaceType.PID, NamespaceType.USER, NamespaceType.MOUNT),
        talk(script, StepDaemonTest::kinds));
  }

  private void failsToPass(String why, String... answer) {
    List<String> script = new ArrayList<>(List.of(HELLO, V26_05, "> 1c000000"));
    script.addAll(List.of(answer));
    IOException failed = assertThrows(IOException.class, () -> talk(script, StepDaemonTest::kinds));
    assertTrue(String.valueOf(failed.getMessage()).contains(why), failed.getMessage());
  }

  @Test
  void namespacesThatDoNotComeAreNamed() {
    failsToPass("disconnected without an answer");
  }

  @ParameterizedTest
  @ValueSource(strings = {"< 09000000", "< ffffffff"})
  void ofANumberOfNamespacesThatCannotBeNoneIsTaken(String number) {
    failsToPass(" namespaces", number);
  }

  @Test
  void aNamespaceWithoutADescriptorIsNamed() {
    failsToPass(
        "announces a namespace and passes none",
        "< 02000000",
        "< 00000200",
        "< /proc/self/ns/mnt",
        "< 00000020",
        "< 00");
  }

  @Test
  void aDescriptorOfAnotherFileIsNamed() {
    failsToPass("no namespace of a known type", "< 01000000", "< 00000200", "< /proc/self/status");
  }

  @ParameterizedTest
  @ValueSource(strings = {"00", "01", "03", "04", "07"})
  void onlyARunningStepRuns(String number) throws IOException {
    StepDaemon.State expected =
        Integer.parseInt(number) < 2 ? StepDaemon.State.STARTING : StepDaemon.State.ENDING;
    assertEquals(
        expected,
        talk(List.of(HELLO, V26_05, "> 05000000", "< " + number + "000000"), StepDaemon::state));
  }

  @Test
  void aRefusedVersionIsNamed() {
    IOException refused =
        assertThrows(
            IOException.class, () -> talk(List.of(HELLO, "< ffffffff"), StepDaemon::state));
    assertTrue(String.valueOf(refused.getMessage()).contains("45.0"), refused.getMessage());
  }

  @Test
  void aDaemonThatHangsUpInsteadOfAnAnswerIsSaidSo() {
    assertThrows(
        EOFException.class,
        () -> talk(List.of(HELLO, V26_05, "> 16000000 2a000000"), daemon -> daemon.add(42)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ffffffff", "01200000"})
  void aTextOfAnImpossibleLengthIsNotReadForever(String length) {
    assertThrows(
        IOException.class,
        () ->
            talk(
                List.of(HELLO, V26_05, "> 17000000", "< 00000000 " + length), StepDaemon::display));
  }

  @Test
  void aSilentDaemonIsGivenUp() {
    SocketTimeoutException late =
        assertThrows(
            SocketTimeoutException.class,
            () -> talk(List.of(HELLO, V22_05, "> 05000000", "silence"), SHORT, StepDaemon::state));
    assertTrue(String.valueOf(late.getMessage()).contains("100 ms"), late.getMessage());
  }

  /** One that never takes a connection, with a full queue of those who wait. */
  @Test
  void aDaemonThatTakesNobodyIsGivenUp() throws IOException {
    Path socket = directory.resolve("stuck");
    List<SocketChannel> waiting = new ArrayList<>();
    try (var listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      listening.bind(UnixDomainSocketAddress.of(socket), 1);
      for (int each = 0; each < 2; each++) {
        waiting.add(SocketChannel.open(UnixDomainSocketAddress.of(socket)));
      }
      assertThrows(SocketTimeoutException.class, () -> StepDaemon.greet(socket, SHORT));
    } finally {
      for (SocketChannel each : waiting) {
        each.close();
      }
    }
  }

  @Test
  void aStaleSocketIsRefusedAtOnce() throws IOException {
    Path socket = directory.resolve("stale");
    try (var listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      listening.bind(UnixDomainSocketAddress.of(socket));
    }
    ErrnoException refused =
        assertThrows(ErrnoException.class, () -> StepDaemon.greet(socket, LONG));
    assertTrue(refused.is(Errno.ECONNREFUSED), refused.getMessage());
    ErrnoException missing =
        assertThrows(ErrnoException.class, () -> StepDaemon.greet(directory.resolve("none"), LONG));
    assertTrue(missing.is(Errno.ENOENT), missing.getMessage());
  }
}
