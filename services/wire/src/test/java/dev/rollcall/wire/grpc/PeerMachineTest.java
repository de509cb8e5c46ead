package dev.rollcall.wire.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.proto.roll.v1.ConnectRequest;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Both ends of a stream run in a network namespace of their own, whose packets then vanish. */
@Tag("root")
class PeerMachineTest {
  private static final Duration NEVER = Duration.ofHours(1);
  private static final String IN_A_NAMESPACE = "ip link set lo up && exec \"$@\"";

  @TempDir private Path directory;

  @Test
  @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void theKernelClosesTheStreamOfAMachineThatIsGoneOnBothSides() throws Exception {
    List<String> command =
        new ArrayList<>(List.of("unshare", "--net", "sh", "-c", IN_A_NAMESPACE, "sh"));
    command.addAll(OtherProcess.java(PeerMachineTest.class, directory.toString()));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try {
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(0, process.waitFor());
      List<String> ends = said.lines().toList();
      assertEquals("UNAVAILABLE", ends.getFirst());
      long seconds = Long.parseLong(ends.get(1));
      assertTrue(seconds < PeerMachine.GONE.multipliedBy(2).toSeconds(), said);
    } finally {
      process.destroyForcibly();
    }
  }

  /** Prints how the caller's end ended, and after how many seconds both had. */
  public static void main(String[] args) throws Exception {
    var service = new ScriptedRoll((_, _) -> {});
    var silent = new KeepAlive(NEVER, NEVER);
    try (var rig = new Rig(Transport.TCP, Path.of(args[0]), silent, service)) {
      var recorder = new Recorder<ConnectRequest, ConnectResponse>();
      rig.connect(rig.channel(rig.port, silent), recorder).onNext(Rig.hello("node1"));
      run("nft", "add table inet gone");
      run("nft", "add chain inet gone input { type filter hook input priority 0; policy drop; }");
      long from = System.nanoTime();
      Status end = recorder.end(PeerMachine.GONE.multipliedBy(2));
      service.contextEnded.get(PeerMachine.GONE.toSeconds(), TimeUnit.SECONDS);
      System.out.println(end.getCode());
      System.out.println(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - from));
    }
  }

  private static void run(String... command) throws Exception {
    assertEquals(0, new ProcessBuilder(command).inheritIO().start().waitFor(), command[1]);
  }
}
