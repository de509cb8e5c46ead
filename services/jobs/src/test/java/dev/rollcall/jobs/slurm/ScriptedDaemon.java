package dev.rollcall.jobs.slurm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A step daemon that takes part in one conversation as it was written down: lines of {@code > hex}
 * for what a client says and {@code < hex} for what it hears. Then it hangs up, or with a line
 * {@code silence} waits until the client does.
 */
final class ScriptedDaemon implements AutoCloseable {
  private final ServerSocketChannel listening;
  private final CompletableFuture<String> said = new CompletableFuture<>();

  ScriptedDaemon(Path socket, List<String> script) throws IOException {
    listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    listening.bind(UnixDomainSocketAddress.of(socket));
    Thread.ofPlatform().daemon().start(() -> run(script));
  }

  private void run(List<String> script) {
    StringBuilder heard = new StringBuilder();
    try (SocketChannel client = listening.accept()) {
      for (String line : script) {
        byte[] bytes =
            line.equals("silence")
                ? new byte[1]
                : HexFormat.of().parseHex(line.substring(2).replace(" ", ""));
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        if (line.startsWith("<")) {
          client.write(buffer);
        } else {
          buffer = ByteBuffer.allocate(bytes.length);
          while (buffer.hasRemaining() && client.read(buffer) > 0) {}
          heard.append(HexFormat.of().formatHex(buffer.array(), 0, buffer.position()));
        }
      }
      said.complete(heard.toString());
    } catch (IOException e) {
      said.completeExceptionally(new UncheckedIOException(e));
    }
  }

  /** All that the client said, in hex. */
  String said() {
    return said.join();
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }
}
