package dev.rollcall.agent.login.socket;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.UnixMessage;
import dev.rollcall.linux.UnixMessage.Received;
import io.netty.channel.IoEvent;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.unix.FileDescriptor;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.ContextInternal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One accepted connection, by the kernel's own calls. All of it is on the event loop of its
 * context, which waits for it only if nothing is there to be read.
 */
final class AcceptedSocket implements EpollIoHandle {
  /** The peer's hanging up makes a socket readable. */
  private static final EpollIoOps READABLE = EpollIoOps.EPOLLIN;

  private final ContextInternal context;
  private final Descriptor descriptor;
  private final FileDescriptor watched;
  private @Nullable Consumer<Buffer> received;
  private @Nullable Runnable gone;
  private @Nullable IoRegistration registration;
  private boolean closed;

  /**
   * @param descriptor of a connected socket that does not wait; taken over
   */
  AcceptedSocket(ContextInternal context, Descriptor descriptor) {
    this.context = context;
    this.descriptor = descriptor;
    this.watched = new FileDescriptor(descriptor.number());
  }

  /**
   * The number, which is the socket's until it is closed.
   *
   * @throws IOException if it is closed, so that its number may be another's
   */
  int descriptor() throws IOException {
    if (closed) {
      throw new IOException("the connection is closed");
    }
    return descriptor.number();
  }

  /**
   * Sets the handlers. Bytes that are there already are passed on at once.
   *
   * @param gone once the peer sends no more
   */
  void hear(Consumer<Buffer> received, Runnable gone) {
    this.received = received;
    this.gone = gone;
    read();
    if (this.received != null) {
      LoginListener.watch(context, this, READABLE, registered -> registration = registered);
    }
  }

  /** Removes the handlers; later bytes stay unread. */
  void deafen() {
    received = null;
    gone = null;
  }

  private void read() {
    Consumer<Buffer> hearer = received;
    Runnable end = gone;
    if (hearer == null || end == null) {
      return;
    }
    try {
      switch (UnixMessage.receive(descriptor.number())) {
        case Received.Bytes(ByteBuffer bytes) -> hearer.accept(copy(bytes));
        case Received.NothingYet() -> {}
        case Received.End() -> end.run();
      }
    } catch (ErrnoException e) { // ECONNRESET: the peer is gone, and did not read all
      end.run();
    }
  }

  private static Buffer copy(ByteBuffer bytes) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.get(copy);
    return Buffer.buffer(copy);
  }

  @Override
  public FileDescriptor fd() {
    return watched;
  }

  @Override
  public void handle(IoRegistration registered, IoEvent event) {
    if (received == null) {
      var _ = registered.cancel();
    } else {
      context.dispatch(this::read);
    }
  }

  /**
   * Sends this as the last, with descriptors beside it, and closes.
   *
   * @param descriptors stay the caller's
   * @throws ErrnoException if not all was taken; EPIPE: the peer is gone
   */
  void end(byte[] last, List<Integer> descriptors) throws ErrnoException {
    try {
      UnixMessage.send(descriptor.number(), last, descriptors);
    } finally {
      close();
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      deafen();
      IoRegistration registered = registration;
      registration = null;
      if (registered != null) {
        var _ = registered.cancel();
      }
      descriptor.close();
    }
  }
}
