package dev.rollcall.linux.systemd;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.linux.Epoll;
import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.ProcessRef;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;

/** Learns of a keeper's end by its pidfd, on a thread that sleeps until then. */
final class KeeperWatch implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(KeeperWatch.class.getName());
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
  private static final Duration END = Duration.ofSeconds(5);

  private final Proc proc;
  private final ProcessRef keeper;
  private final Predicate<ProcessRef> replaced;
  private final Epoll epoll;
  private final Thread thread;
  private volatile boolean stopped;

  private KeeperWatch(Proc proc, ProcessRef keeper, Predicate<ProcessRef> replaced, Epoll epoll) {
    this.proc = proc;
    this.keeper = keeper;
    this.replaced = replaced;
    this.epoll = epoll;
    this.thread = Thread.ofPlatform().name("rollcall-keeper").daemon().unstarted(this::run);
  }

  /**
   * @param replaced is told of the end, again after a pause while it says false
   */
  static KeeperWatch start(Proc proc, ProcessRef keeper, Predicate<ProcessRef> replaced)
      throws ErrnoException {
    var watch = new KeeperWatch(proc, keeper, replaced, Epoll.open());
    watch.thread.start();
    return watch;
  }

  ProcessRef keeper() {
    return keeper;
  }

  private void run() {
    try (epoll) {
      awaitEnd();
      Duration pause = FIRST_PAUSE;
      while (!stopped && !replaced.test(keeper)) {
        epoll.await(Optional.of(pause));
        pause =
            pause.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0
                ? LONGEST_PAUSE
                : pause.multipliedBy(2);
      }
    } catch (IOException e) {
      LOG.log(
          WARNING, "the keeper, process {0}, is not watched: {1}", keeper.pid(), e.getMessage());
    }
  }

  private void awaitEnd() throws IOException {
    Optional<Pidfd> pinned = Pidfd.open(proc, keeper);
    if (pinned.isPresent()) {
      try (Pidfd process = pinned.get()) {
        epoll.add(process.descriptor());
        while (!stopped && process.alive()) {
          epoll.await(Optional.empty());
        }
      }
    }
  }

  @Override
  public void close() {
    stopped = true;
    epoll.wake();
    try {
      if (!thread.join(END)) {
        LOG.log(WARNING, "the watch of the keeper does not stop");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
