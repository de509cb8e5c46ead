package dev.rollcall.jobs.slurm;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.UnixMessage;
import dev.rollcall.linux.UnixMessage.Received;
import dev.rollcall.linux.net.UnixListener;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.locks.LockSupport;

/** A client's connection as {@link ScriptedDaemon} has it: bytes, and files as descriptors. */
final class ServedSocket implements AutoCloseable {
  private static final long BETWEEN_LOOKS_NANOS = 200_000;

  private final Descriptor socket;
  private final Queue<Byte> read = new ArrayDeque<>();

  private ServedSocket(Descriptor socket) {
    this.socket = socket;
  }

  /** Waits for the next client. */
  static ServedSocket accept(UnixListener listener) throws IOException {
    Optional<Descriptor> next = listener.accept();
    while (next.isEmpty()) {
      LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
      next = listener.accept();
    }
    return new ServedSocket(next.get());
  }

  /** Waits for that many bytes. */
  byte[] read(int count) throws IOException {
    while (read.size() < count) {
      switch (UnixMessage.receive(socket.number())) {
        case Received.Bytes(ByteBuffer bytes) -> {
          while (bytes.hasRemaining()) {
            read.add(bytes.get());
          }
        }
        case Received.NothingYet() -> LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
        case Received.End() -> throw new EOFException("the client sends no more");
      }
    }
    byte[] bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      bytes[i] = read.remove();
    }
    return bytes;
  }

  void write(byte[] bytes) throws IOException {
    UnixMessage.send(socket.number(), bytes, List.of());
  }

  /** As slurmstepd does: a byte of 0 with the descriptor. */
  void pass(Path file) throws IOException {
    try (Descriptor descriptor = Descriptor.open(file)) {
      UnixMessage.send(socket.number(), new byte[1], List.of(descriptor.number()));
    }
  }

  @Override
  public void close() {
    socket.close();
  }
}
