package dev.rollcall.wire.alive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.wire.log.ProcessEnd;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A JVM of its own goes wrong, and ends with the status that says how. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ProcessEndTest {
  private static final List<String> JVM =
      List.of(
          ProcessHandle.current().info().command().orElseThrow(),
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-Xmx64m",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow",
          "-cp",
          System.getProperty("java.class.path"));

  private record End(int status, String log) {}

  private static End run(String way, String... options) throws IOException, InterruptedException {
    List<String> command =
        Stream.of(JVM.stream(), Stream.of(options), Stream.of(EndedProcess.class.getName(), way))
            .flatMap(each -> each)
            .toList();
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String log = new String(process.getInputStream().readAllBytes());
    return new End(process.waitFor(), log);
  }

  @Test
  void aBlockedEventLoopEndsTheProcess() throws Exception {
    End end = run("blocked");
    assertEquals(ProcessEnd.NOT_ANSWERING.status(), end.status, end.log);
    assertTrue(end.log.contains("event loop users-0 has not answered for 1 s"), end.log);
    assertTrue(end.log.contains("EndedProcess.lambda$block"), end.log);
  }

  @Test
  void exhaustedDirectMemoryEndsTheProcessAndNamesTheLimit() throws Exception {
    End end = run("kept", "-Dio.netty.maxDirectMemory=8388608", "-XX:MaxDirectMemorySize=12m");
    assertEquals(ProcessEnd.OUT_OF_MEMORY.status(), end.status, end.log);
    assertTrue(end.log.contains("the limit is 8388608 bytes"), end.log);
  }
}
