package dev.rollcall.load.gateway;

import dev.rollcall.load.bench.AtExit;
import java.io.IOException;
import java.nio.file.Files;
import java.util.concurrent.locks.LockSupport;

/** A benchmark that has a process and a directory, says which, and waits for a signal. */
final class Waiting {
  private Waiting() {}

  public static void main(String[] args) throws IOException {
    var scratch = Scratch.fresh("rollcall-bench-waiting-");
    Files.writeString(scratch.path().resolve("file"), "");
    var ended =
        new GatewayProcess(new ProcessBuilder("sleep", "600"), scratch.path().resolve("log"), 0, 0);
    ended.start();
    ended.kill();
    var started =
        new GatewayProcess(new ProcessBuilder("sleep", "600"), scratch.path().resolve("log"), 0, 0);
    started.start();
    AtExit.of(() -> {
      throw new IllegalStateException("one that fails keeps no other from its end");
    });
    System.out.println(started.pid() + " " + scratch.path());
    while (true) {
      LockSupport.park();
    }
  }
}
