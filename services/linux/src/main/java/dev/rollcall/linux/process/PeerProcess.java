package dev.rollcall.linux.process;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.Errno;
import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.Poll;
import dev.rollcall.linux.SocketOption;
import dev.rollcall.linux.SocketOption.Peer;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.port.PinnedProcess;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * The process at the other end of a unix stream socket, by the kernel's data, pinned. Since Linux
 * 6.5 the kernel hands out its pidfd; before, the pid is opened and then checked: a peer that has
 * not hung up has not ended, so its pid was its own when it was opened.
 */
public final class PeerProcess implements PinnedProcess {
  private final Pidfd pidfd;
  private final int uid;
  private final int socket;
  private final boolean pinnedByKernel;
  private final Proc proc;

  private PeerProcess(Pidfd pidfd, Peer peer, int socket, boolean pinnedByKernel, Proc proc) {
    this.pidfd = pidfd;
    this.uid = peer.uid();
    this.socket = socket;
    this.pinnedByKernel = pinnedByKernel;
    this.proc = proc;
  }

  /**
   * Pins the peer; empty if it has ended or hung up.
   *
   * @param socket a connected unix socket, which stays the caller's
   */
  public static Optional<PeerProcess> of(Proc proc, int socket) throws ErrnoException {
    Peer peer = SocketOption.peer(socket);
    if (peer.pid() < 1) {
      return Optional.empty();
    }
    try {
      Optional<Descriptor> handed = handedOut(socket);
      return handed
          .flatMap(fd -> Pidfd.take(proc, peer.pid(), fd))
          .map(pidfd -> new PeerProcess(pidfd, peer, socket, true, proc));
    } catch (ErrnoException e) {
      if (!e.is(Errno.ENOPROTOOPT)) {
        throw e;
      }
      return openedByPid(proc, socket, peer);
    }
  }

  /** The way of kernels before 6.5. */
  static Optional<PeerProcess> openedByPid(Proc proc, int socket, Peer peer) throws ErrnoException {
    Optional<PeerProcess> opened =
        Pidfd.open(proc, peer.pid()).map(fd -> new PeerProcess(fd, peer, socket, false, proc));
    if (opened.isPresent() && !opened.get().isStillPeer()) {
      opened.get().close();
      return Optional.empty();
    }
    return opened;
  }

  private static Optional<Descriptor> handedOut(int socket) throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment fd = arena.allocate(JAVA_INT);
      SocketOption.PEERPIDFD.read(socket, fd);
      return Optional.of(new Descriptor(fd.get(JAVA_INT, 0)));
    } catch (ErrnoException e) {
      if (e.is(Errno.ESRCH) || e.is(Errno.ENODATA)) { // the peer was reaped; ENODATA until 6.15
        return Optional.empty();
      }
      throw e;
    }
  }

  /** The peer's effective uid when it connected. */
  public int uid() {
    return uid;
  }

  /**
   * To be asked again after the process was acted on: whether it was the peer all the time. With
   * the kernel's pidfd it is while it lives.
   */
  public boolean isStillPeer() {
    if (pinnedByKernel) {
      return alive();
    }
    return !hungUp()
        && proc.effectiveUid(ref().pid()).filter(now -> now == uid).isPresent()
        && proc.runs(ref());
  }

  private boolean hungUp() {
    try {
      return (Poll.now(socket, Poll.IN | Poll.RDHUP) & (Poll.HUP | Poll.RDHUP)) != 0;
    } catch (ErrnoException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public ProcessRef ref() {
    return pidfd.ref();
  }

  @Override
  public boolean alive() {
    return pidfd.alive();
  }

  @Override
  public void close() {
    pidfd.close();
  }
}
