package dev.rollcall.jobs.slurm;

import dev.rollcall.linux.net.UnixListener;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A step daemon that takes part in one conversation as it was written down: lines of {@code > hex}
 * for what a client says and {@code < hex} for what it hears; {@code < /path} passes the file as a
 * descriptor. Then it hangs up, or with a line {@code silence} waits until the client does.
 */
final class ScriptedDaemon implements AutoCloseable {
  private final UnixListener listening;
  private final CompletableFuture<String> said = new CompletableFuture<>();

  ScriptedDaemon(Path socket, List<String> script) throws IOException {
    listening = UnixListener.open(socket, /* backlog= */ 8);
    Thread.ofPlatform().daemon().start(() -> run(script));
  }

  private void run(List<String> script) {
    StringBuilder heard = new StringBuilder();
    try (ServedSocket client = ServedSocket.accept(listening)) {
      for (String line : script) {
        if (line.startsWith("< /")) {
          client.pass(Path.of(line.substring(2)));
        } else if (line.startsWith("<")) {
          client.write(bytes(line));
        } else if (line.startsWith(">")) {
          heard.append(HexFormat.of().formatHex(client.read(bytes(line).length)));
        } else {
          awaitEnd(client);
        }
      }
      said.complete(heard.toString());
    } catch (IOException e) {
      said.completeExceptionally(new UncheckedIOException(e));
    }
  }

  private static byte[] bytes(String line) {
    return HexFormat.of().parseHex(line.substring(2).replace(" ", ""));
  }

  private static void awaitEnd(ServedSocket client) throws IOException {
    try {
      client.read(1);
    } catch (EOFException hungUp) {
      return;
    }
  }

  /** All that the client said, in hex. */
  String said() {
    return said.join();
  }

  @Override
  public void close() {
    listening.close();
  }
}
