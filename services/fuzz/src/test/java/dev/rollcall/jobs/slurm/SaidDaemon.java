package dev.rollcall.jobs.slurm;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/** A step daemon that says what it was given, whatever it is asked, and then nothing more. */
final class SaidDaemon implements AutoCloseable {
  private final Path directory = Files.createTempDirectory("rollcall-fuzz");
  private final Path socket = directory.resolve("node1_1.4294967292");
  private final ServerSocketChannel listening =
      ServerSocketChannel.open(StandardProtocolFamily.UNIX);
  private volatile byte[] words = {};

  SaidDaemon() throws IOException {
    listening.bind(UnixDomainSocketAddress.of(socket));
    Thread.ofPlatform().daemon().start(this::serve);
  }

  /** Where it says this to whoever comes next. */
  Path saying(byte[] next) {
    words = next;
    return socket;
  }

  private void serve() {
    while (listening.isOpen()) {
      try (SocketChannel client = listening.accept()) {
        client.write(ByteBuffer.wrap(words));
        client.shutdownOutput();
        // A socket that is closed with something unread takes back what it has said: unix(7).
        var heard = ByteBuffer.allocate(256);
        while (client.read(heard.clear()) >= 0) {}
      } catch (ClosedChannelException closed) {
        return;
      } catch (IOException gone) {
        // The client hung up first.
      }
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
    Files.delete(socket);
    Files.delete(directory);
  }
}
