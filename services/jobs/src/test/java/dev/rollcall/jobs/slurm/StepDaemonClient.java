package dev.rollcall.jobs.slurm;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.UnixMessage;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;

/**
 * A client's connection as {@link FakeStepDaemon} has it. Of Java's own channels, because a JVM
 * that makes native calls takes twice as long to start; only {@link #pass} makes one.
 */
record StepDaemonClient(SocketChannel channel) implements AutoCloseable {
  /** {@code --add-exports} of the JVM. */
  static final String EXPORTED = "java.base/sun.nio.ch=ALL-UNNAMED";

  private static ByteBuffer buffer(int numbers) {
    return ByteBuffer.allocate(numbers * Integer.BYTES).order(ByteOrder.nativeOrder());
  }

  /** Waits for the next number. */
  int number() throws IOException {
    ByteBuffer number = buffer(1);
    while (number.hasRemaining()) {
      if (channel.read(number) < 0) {
        throw new EOFException("the client sends no more");
      }
    }
    return number.getInt(0);
  }

  void write(int... numbers) throws IOException {
    ByteBuffer text = buffer(numbers.length);
    for (int number : numbers) {
      text.putInt(number);
    }
    text.flip();
    while (text.hasRemaining()) {
      channel.write(text);
    }
  }

  /** As slurmstepd does: a byte of 0 with the descriptor. */
  void pass(Path file) throws IOException {
    try (Descriptor descriptor = Descriptor.open(file)) {
      UnixMessage.send(descriptor(), new byte[1], List.of(descriptor.number()));
    }
  }

  private int descriptor() {
    try {
      Class<?> kind = Class.forName("sun.nio.ch.SelChImpl");
      return (Integer) kind.getMethod("getFDVal").invoke(channel);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
