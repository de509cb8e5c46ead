package dev.rollcall.linux.cgroup;

import static java.lang.System.Logger.Level.DEBUG;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.Epoll;
import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.Inotify;
import dev.rollcall.linux.Syscall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Reports when a watched cgroup reaches a limit. {@code memory.events} and {@code pids.events} tell
 * inotify (the kernel waits 10 ms between two, {@code CGROUP_FILE_NOTIFY_MIN_INTV}); for v1's
 * memory an eventfd is registered for {@code memory.oom_control}, which wakes when the limit is hit
 * in the cgroup or in one above it, and before anything is killed (Documentation/admin-guide
 * /cgroup-v1/memory.rst, 10). One eventfd serves all.
 *
 * <p>Any thread may add and remove; one waits.
 */
public final class LimitAlarm implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(LimitAlarm.class.getName());
  private static final List<String> FILES = List.of("memory.events", "pids.events");
  private static final int O_CLOEXEC = 0x80000;
  private static final int EFD_NONBLOCK = 0x800;

  /**
   * What woke.
   *
   * @param cgroups whose files told it
   * @param somewhere in one that v1's eventfd is registered for; a process may be killed just now
   */
  public record Hit(Set<CgroupDirectory> cgroups, boolean somewhere) {}

  private final Inotify inotify;
  private final Descriptor oom;
  private final Epoll epoll;
  private final Map<Integer, CgroupDirectory> watched = new HashMap<>();
  private volatile boolean closed;

  private LimitAlarm(Inotify inotify, Descriptor oom, Epoll epoll) throws ErrnoException {
    this.inotify = inotify;
    this.oom = oom;
    this.epoll = epoll;
    epoll.add(inotify.descriptor());
    epoll.add(oom.number());
  }

  public static LimitAlarm open() throws ErrnoException {
    long eventfd = Syscall.EVENTFD2.call(0, O_CLOEXEC | EFD_NONBLOCK, 0);
    var oom = new Descriptor(Syscall.EVENTFD2.check("", eventfd));
    return new LimitAlarm(Inotify.open(), oom, Epoll.open());
  }

  /** Watches this cgroup's files, as far as it has them. */
  public void add(CgroupDirectory cgroup) {
    for (String file : FILES) {
      try {
        Optional<Integer> watch = inotify.watch(cgroup.path().resolve(file));
        synchronized (watched) {
          watch.ifPresent(number -> watched.put(number, cgroup));
        }
      } catch (ErrnoException e) {
        LOG.log(DEBUG, "{0} is not watched: {1}", cgroup, e.getMessage());
      }
    }
  }

  /** Wakes when a v1 memory limit is hit in this cgroup or above it. It ends with the cgroup. */
  public void addOom(CgroupDirectory cgroup) {
    Path control = cgroup.path().resolve("memory.oom_control");
    if (!Files.exists(control) || !Files.exists(cgroup.path().resolve("cgroup.event_control"))) {
      return;
    }
    try (Descriptor opened = Descriptor.open(control)) {
      cgroup.write("cgroup.event_control", oom.number() + " " + opened.number());
    } catch (IOException e) {
      LOG.log(DEBUG, "OOM in {0} is not watched: {1}", cgroup, e.getMessage());
    }
  }

  /** Watches its files no longer. */
  public void remove(CgroupDirectory cgroup) {
    remove(cgroup::equals);
  }

  /** Watches its files, and those of all below it, no longer. */
  public void removeBelow(CgroupDirectory top) {
    remove(cgroup -> cgroup.path().startsWith(top.path()));
  }

  private void remove(Predicate<CgroupDirectory> over) {
    Set<Integer> watches = new HashSet<>();
    synchronized (watched) {
      watched.forEach((watch, cgroup) -> {
        if (over.test(cgroup)) {
          watches.add(watch);
        }
      });
      watches.forEach(watched::remove);
    }
    watches.forEach(inotify::unwatch);
  }

  /** How many files are watched. */
  public int watches() {
    synchronized (watched) {
      return watched.size();
    }
  }

  /** Waits; empty when this is closed. */
  public Optional<Hit> await() throws ErrnoException {
    while (!closed) {
      OptionalInt ready = epoll.await(Optional.empty());
      if (closed || ready.isEmpty()) {
        continue;
      }
      if (ready.getAsInt() == oom.number()) {
        drain();
        return Optional.of(new Hit(Set.of(), true));
      }
      Set<CgroupDirectory> hit = hit(inotify.read());
      if (!hit.isEmpty()) {
        return Optional.of(new Hit(hit, false));
      }
    }
    return Optional.empty();
  }

  private Set<CgroupDirectory> hit(Set<Integer> watches) {
    Set<CgroupDirectory> cgroups = new HashSet<>();
    synchronized (watched) {
      for (int watch : watches) {
        Optional.ofNullable(watched.get(watch)).ifPresent(cgroups::add);
      }
    }
    return cgroups;
  }

  private void drain() {
    try (Arena arena = Arena.ofConfined()) {
      long count = arena.allocate(ValueLayout.JAVA_LONG).address();
      Syscall.READ.call(oom.number(), count, Long.BYTES);
    }
  }

  /** Ends the waiting; {@link #close} when it has ended. */
  public void stop() {
    closed = true;
    epoll.wake();
  }

  @Override
  public void close() {
    closed = true;
    inotify.close();
    oom.close();
    epoll.close();
  }
}
