package dev.rollcall.cli.connect;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.CompletableFuture;

/**
 * Carries bytes between a connection and a pair of streams, each way by a thread of its own and
 * through one buffer outside of the heap. The end of what we read is told to the far end, which may
 * go on; the far end's end is the end of it all, as ssh wants of a ProxyCommand.
 */
public record StreamRelay(SocketChannel connection) {
  private static final int BUFFER = 64 * 1024;

  /**
   * Returns when the far end has ended, and everything it said is written.
   *
   * @throws IOException naming the way that broke
   */
  public void run(ReadableByteChannel in, WritableByteChannel out) throws IOException {
    var upwards = new CompletableFuture<IOException>();
    // A daemon, since a read of standard input has no end that could be asked for.
    Thread.ofPlatform().daemon().name("upwards").start(() -> upwards(in, upwards));
    try {
      copy(connection, out);
    } catch (IOException e) {
      throw upwards.isDone() ? upwards.join() : e;
    }
  }

  private void upwards(ReadableByteChannel in, CompletableFuture<IOException> problem) {
    try {
      copy(in, connection);
      connection.shutdownOutput();
    } catch (IOException e) {
      problem.complete(e);
      close();
    }
  }

  private void close() {
    try {
      connection.close();
    } catch (IOException e) {
      // What the other thread reads ends all the same.
    }
  }

  private static void copy(ReadableByteChannel from, WritableByteChannel to) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
    while (from.read(buffer) >= 0) {
      buffer.flip();
      while (buffer.hasRemaining()) {
        to.write(buffer);
      }
      buffer.clear();
    }
  }
}
