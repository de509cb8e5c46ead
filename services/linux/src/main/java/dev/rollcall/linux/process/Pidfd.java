package dev.rollcall.linux.process;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.Errno;
import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.Poll;
import dev.rollcall.linux.Syscall;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.port.PinnedProcess;
import java.io.UncheckedIOException;
import java.util.Optional;

/** A process pinned by pidfd_open(2), Linux 5.3: an action reaches this process or none. */
public final class Pidfd implements PinnedProcess {
  private final Descriptor descriptor;
  private final ProcessRef ref;

  private Pidfd(Descriptor descriptor, ProcessRef ref) {
    this.descriptor = descriptor;
    this.ref = ref;
  }

  /**
   * Pins the process that has this pid now; empty if none has, or it has ended.
   *
   * @throws ErrnoException ENOSYS before Linux 5.3, EMFILE, EINVAL for a thread that is no leader
   */
  public static Optional<Pidfd> open(Proc proc, int pid) throws ErrnoException {
    long fd = Syscall.PIDFD_OPEN.call(pid);
    if (fd == -Errno.ESRCH.number()) {
      return Optional.empty();
    }
    return take(proc, pid, new Descriptor(Syscall.PIDFD_OPEN.check("pid " + pid, fd)));
  }

  /** Pins exactly this process; empty if it has ended, even if its pid is in use again. */
  public static Optional<Pidfd> open(Proc proc, ProcessRef process) throws ErrnoException {
    Optional<Pidfd> pinned = open(proc, process.pid());
    if (pinned.isPresent() && !pinned.get().ref.equals(process)) {
      pinned.get().close();
      return Optional.empty();
    }
    return pinned;
  }

  /**
   * Takes over a pidfd of this pid. The start time is read between the pinning and a check that the
   * process lives: so it is this process's and not that of a later owner of the pid.
   */
  static Optional<Pidfd> take(Proc proc, int pid, Descriptor descriptor) {
    Optional<Pidfd> pinned = Optional.empty();
    try {
      pinned = proc.ref(pid).map(ref -> new Pidfd(descriptor, ref)).filter(Pidfd::alive);
    } finally {
      if (pinned.isEmpty()) {
        descriptor.close();
      }
    }
    return pinned;
  }

  @Override
  public ProcessRef ref() {
    return ref;
  }

  /** For setns(2) and epoll(7); stays this object's. */
  public int descriptor() {
    return descriptor.number();
  }

  @Override
  public boolean alive() {
    try {
      // Readable once the whole thread group has ended, also before it is waited for.
      return (Poll.now(descriptor.number(), Poll.IN) & Poll.IN) == 0;
    } catch (ErrnoException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends a signal, signal(7); false if the process has ended. */
  public boolean signal(int signal) throws ErrnoException {
    long result = Syscall.PIDFD_SEND_SIGNAL.call(descriptor.number(), signal, /* siginfo */ 0);
    if (result == -Errno.ESRCH.number()) {
      return false;
    }
    Syscall.PIDFD_SEND_SIGNAL.check("pid " + ref.pid() + ", signal " + signal, result);
    return true;
  }

  @Override
  public void close() {
    descriptor.close();
  }

  @Override
  public String toString() {
    return "pidfd of " + ref;
  }
}
