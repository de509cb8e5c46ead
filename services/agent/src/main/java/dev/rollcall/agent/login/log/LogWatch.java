package dev.rollcall.agent.login.log;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.linux.Epoll;
import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.Inotify;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Waits for writes to files, inotify(7). Without inotify, of which each user has only so many, it
 * returns every second. Any thread may watch; one waits.
 */
final class LogWatch implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(LogWatch.class.getName());
  private static final Duration WITHOUT = Duration.ofSeconds(1);

  private final Epoll epoll;
  private final Optional<Inotify> inotify;
  private volatile boolean blind;
  private volatile boolean stopped;

  private LogWatch(Epoll epoll, Optional<Inotify> inotify) {
    this.epoll = epoll;
    this.inotify = inotify;
    this.blind = inotify.isEmpty();
  }

  static LogWatch open() throws ErrnoException {
    Epoll epoll = Epoll.open();
    Optional<Inotify> inotify = inotify();
    if (inotify.isPresent()) {
      epoll.add(inotify.get().descriptor());
    }
    return new LogWatch(epoll, inotify);
  }

  private static Optional<Inotify> inotify() {
    try {
      return Optional.of(Inotify.open());
    } catch (ErrnoException e) {
      LOG.log(WARNING, "the log of logins is read every second: {0}", e.getMessage());
      return Optional.empty();
    }
  }

  void watch(Path file) {
    if (inotify.isEmpty()) {
      return;
    }
    try {
      blind = inotify.get().watch(file).isEmpty();
    } catch (ErrnoException e) {
      blind = true;
      LOG.log(WARNING, "{0} is read every second: {1}", file, e.getMessage());
    }
  }

  /**
   * Waits for a write, for {@link #stop}, or so long.
   *
   * @return whether inotify reported a write
   */
  boolean await(Duration most) throws ErrnoException {
    Duration time = blind && most.compareTo(WITHOUT) > 0 ? WITHOUT : most;
    boolean written = epoll.await(Optional.of(time)).isPresent();
    if (written) {
      inotify.orElseThrow().read();
    }
    return written;
  }

  /** Ends the waiting, now and later; {@link #close} when it has ended. */
  void stop() {
    stopped = true;
    epoll.wake();
  }

  boolean isStopped() {
    return stopped;
  }

  @Override
  public void close() {
    inotify.ifPresent(Inotify::close);
    epoll.close();
  }
}
