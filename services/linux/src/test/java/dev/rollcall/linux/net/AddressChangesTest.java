package dev.rollcall.linux.net;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("root")
class AddressChangesTest {
  /** A namespace whose shell runs the commands that it is given. */
  private static final class Namespace implements AutoCloseable {
    private final Process shell;
    private final BufferedReader out;

    Namespace() throws Exception {
      shell = new ProcessBuilder("unshare", "--net", "sh").redirectErrorStream(true).start();
      out = shell.inputReader(StandardCharsets.UTF_8);
      run("ip link set lo up; ip address add 10.9.0.1/24 dev lo");
    }

    void run(String command) throws Exception {
      shell.getOutputStream().write((command + "; echo done\n").getBytes(StandardCharsets.UTF_8));
      shell.getOutputStream().flush();
      for (String line = out.readLine(); !line.equals("done"); line = out.readLine()) {
        throw new IllegalStateException(command + ": " + line);
      }
    }

    AddressChanges changes() throws Exception {
      try (Netns netns = Netns.at(Path.of("/proc/" + shell.pid() + "/ns/net"))) {
        return AddressChanges.open(netns);
      }
    }

    @Override
    public void close() {
      shell.destroyForcibly();
    }
  }

  private static CompletableFuture<Void> awaited(AddressChanges changes) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            changes.await();
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        },
        command -> Thread.ofPlatform().daemon().start(command));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ip address add 10.9.0.2/24 dev lo",
        "ip address del 10.9.0.1/24 dev lo",
        "ip address add fd00::9/64 dev lo"
      })
  void eachChangeIsSeen(String change) throws Exception {
    try (var namespace = new Namespace()) {
      AddressChanges changes = namespace.changes();
      CompletableFuture<Void> seen = awaited(changes);
      assertFalse(seen.isDone());
      namespace.run(change);
      seen.get(20, TimeUnit.SECONDS);
      changes.close();
    }
  }

  /** Longer than other receives of netlink wait. */
  @Test
  void nothingIsSeenWithoutOne() throws Exception {
    try (var namespace = new Namespace()) {
      CompletableFuture<Void> seen = awaited(namespace.changes());
      assertThrows(TimeoutException.class, () -> seen.get(1_500, TimeUnit.MILLISECONDS));
      namespace.run("ip address add 10.9.0.3/24 dev lo"); // lets the thread go
      seen.get(20, TimeUnit.SECONDS);
    }
  }

  /** More than the socket's buffer takes. */
  @Test
  void manyAtOnceAreSeenToo() throws Exception {
    try (var namespace = new Namespace()) {
      AddressChanges changes = namespace.changes();
      namespace.run(
          "for i in $(seq 250); do for j in 1 2 3 4 5 6; do echo address add 10.9.$j.$i/32 dev lo;"
              + " done; done | ip -batch -");
      awaited(changes).get(20, TimeUnit.SECONDS);
      CompletableFuture<Void> again = awaited(changes);
      namespace.run("ip address del 10.9.0.1/24 dev lo");
      again.get(20, TimeUnit.SECONDS);
      changes.close();
    }
  }
}
