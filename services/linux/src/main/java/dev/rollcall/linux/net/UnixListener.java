package dev.rollcall.linux.net;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.Errno;
import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.Syscall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.Optional;

/** A listening unix stream socket, unix(7). Neither it nor what it accepts ever waits. */
public final class UnixListener implements AutoCloseable {
  private static final int SOCK_STREAM = 1;
  private static final int SOCK_NONBLOCK = 0x800;
  private static final int SOCK_CLOEXEC = 0x80000;

  private final Descriptor socket;
  private final String path;

  private UnixListener(Descriptor socket, Path path) {
    this.socket = socket;
    this.path = path.toString();
  }

  /**
   * Binds and listens.
   *
   * @param path where nothing may be; the file stays when the socket is closed
   * @param backlog of listen(2)
   * @throws ErrnoException EADDRINUSE if something is there
   */
  public static UnixListener open(Path path, int backlog) throws IOException {
    long fd =
        Syscall.SOCKET.call(UnixAddress.FAMILY, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    Descriptor socket = new Descriptor(Syscall.SOCKET.check("AF_UNIX", fd));
    try (Arena arena = Arena.ofConfined()) {
      long address = UnixAddress.of(path, arena).address();
      String subject = path.toString();
      Syscall.BIND.check(subject, Syscall.BIND.call(socket.number(), address, UnixAddress.SIZE));
      Syscall.LISTEN.check(subject, Syscall.LISTEN.call(socket.number(), backlog, 0));
      return new UnixListener(socket, path);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /** For epoll(7); stays this object's. */
  public int descriptor() {
    return socket.number();
  }

  /**
   * The next connection; empty if nobody waits.
   *
   * @throws ErrnoException EMFILE, ENFILE or ENOMEM; the clients keep waiting
   */
  public Optional<Descriptor> accept() throws ErrnoException {
    long fd;
    do {
      fd = Syscall.ACCEPT4.call(socket.number(), 0, 0, SOCK_NONBLOCK | SOCK_CLOEXEC, 0, 0);
    } while (fd == -Errno.EINTR.number() || fd == -Errno.ECONNABORTED.number());
    return fd == -Errno.EAGAIN.number()
        ? Optional.empty()
        : Optional.of(new Descriptor(Syscall.ACCEPT4.check(path, fd)));
  }

  @Override
  public void close() {
    socket.close();
  }
}
