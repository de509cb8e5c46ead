package dev.rollcall.load.quiet;

import dev.rollcall.load.bench.AtExit;
import dev.rollcall.load.bench.BenchFailedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** A JVM with the agent's flags that does nothing: less than that no agent in Java can take. */
record Asleep(Process process, AtExit atExit) implements AutoCloseable {
  /** Those of the launcher. */
  private static final List<String> FLAGS =
      List.of(
          "-XX:+UseSerialGC",
          "-Xms6m",
          "-Xmx48m",
          "-Xss256k",
          "-XX:MaxMetaspaceSize=64m",
          "-XX:+UseCompactObjectHeaders",
          "-XX:TieredStopAtLevel=1",
          "-XX:ReservedCodeCacheSize=16m",
          "-XX:+DisableAttachMechanism",
          "-XX:+UnlockDiagnosticVMOptions",
          "-XX:AsyncDeflationInterval=600000",
          "-XX:GuaranteedAsyncDeflationInterval=600000",
          "-XX:ServiceThreadCleanupInterval=600000",
          "-XX:-UsePerfData");

  static Asleep start() {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
    command.addAll(FLAGS);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Asleep.class.getName()));
    try {
      var builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.environment().put("MALLOC_ARENA_MAX", "1");
      Process process = builder.redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
      return new Asleep(process, AtExit.of(process::destroyForcibly));
    } catch (IOException e) {
      throw new BenchFailedException("cannot start a JVM: " + e.getMessage(), e);
    }
  }

  public static void main(String[] args) {
    while (true) {
      LockSupport.park();
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    atExit.forget();
  }
}
