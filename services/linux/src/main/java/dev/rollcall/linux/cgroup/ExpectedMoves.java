package dev.rollcall.linux.cgroup;

import static java.lang.System.Logger.Level.WARNING;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Keeps the kernel's fast path for moves enabled while a move is expected.
 *
 * <p>A move takes {@code cgroup_threadgroup_rwsem} for writing. On a node at rest that waits for an
 * RCU grace period, milliseconds; within some 10 ms of another such write it takes microseconds
 * (Linux, kernel/cgroup/cgroup.c; with the mount option favordynmods, 6.0, always). A process that
 * writes its own number to the {@code cgroup.procs} that it is in takes the same lock and moves
 * nobody. The lock is one for all hierarchies.
 *
 * <p>The thread sleeps without a timer while nothing is expected. Thread-safe.
 */
public final class ExpectedMoves implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(ExpectedMoves.class.getName());

  /** From the first packet of a login to its move most take less: key exchange and signature. */
  static final Duration KEPT = Duration.ofSeconds(1);

  /** Well within the 10 ms that one write lasts. */
  private static final Duration BETWEEN = Duration.ofMillis(4);

  private final Path proc;
  private final Thread thread = new Thread(this::run, "rollcall-expected-moves");
  private volatile long until = System.nanoTime();
  private volatile boolean open = true;
  private final AtomicLong writes = new AtomicLong();

  /**
   * @param proc where procfs is mounted
   */
  public ExpectedMoves(Path proc) {
    this.proc = proc;
    thread.setDaemon(true);
    thread.start();
  }

  /** A move is expected within the next second. Returns at once. */
  public void expect() {
    until = System.nanoTime() + KEPT.toNanos();
    LockSupport.unpark(thread);
  }

  /** How often the lock was taken so far. */
  long writes() {
    return writes.get();
  }

  private void run() {
    try {
      while (open) {
        if (isExpected()) {
          prepare(ownCgroup());
        } else {
          LockSupport.park(this);
        }
      }
    } catch (IOException | IllegalArgumentException e) {
      LOG.log(WARNING, "moves are not prepared: {0}", e.getMessage());
    }
  }

  private boolean isExpected() {
    return open && System.nanoTime() - until < 0;
  }

  private void prepare(CgroupDirectory own) throws IOException {
    while (isExpected()) {
      own.write("cgroup.procs", "0");
      writes.incrementAndGet();
      LockSupport.parkNanos(this, BETWEEN.toNanos());
    }
  }

  /** Where this process is now: looked up anew for each expectation, since it may be moved. */
  private CgroupDirectory ownCgroup() throws IOException {
    CgroupMounts mounts = CgroupMounts.read(proc);
    var cgroups = ProcessCgroups.read(proc, (int) ProcessHandle.current().pid());
    for (CgroupMount mount : mounts.all()) {
      String name =
          mount.v2() ? ProcessCgroups.V2 : mount.controllers().stream().findFirst().orElse("?");
      Optional<String> path = cgroups.in(name);
      if (path.isPresent()) {
        return new CgroupDirectory(mount.directoryOf(path.get()));
      }
    }
    throw new IOException("this process is in no cgroup that is mounted");
  }

  @Override
  public void close() {
    open = false;
    LockSupport.unpark(thread);
  }
}
