package dev.rollcall.linux.cgroup;

import static java.lang.System.Logger.Level.DEBUG;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.Epoll;
import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.Inotify;
import dev.rollcall.linux.Syscall;
import dev.rollcall.model.JobId;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Reports jobs that reach a limit. {@code memory.events} and {@code pids.events} tell inotify (the
 * kernel waits 10 ms between two, {@code CGROUP_FILE_NOTIFY_MIN_INTV}); for v1's memory an eventfd
 * of the job's is registered for {@code memory.oom_control}, which wakes when the limit is hit in
 * the cgroup or in one above it, and before anything is killed (Documentation/admin-guide
 * /cgroup-v1/memory.rst, 10).
 *
 * <p>Any thread may add and remove; one waits.
 */
public final class LimitAlarm implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(LimitAlarm.class.getName());
  private static final List<String> FILES = List.of("memory.events", "pids.events");

  /**
   * Files of one job: root's programs share fs.inotify.max_user_watches, 8,192 before Linux 5.11.
   */
  static final int MOST_OF_A_JOB = 64;

  private static final int O_CLOEXEC = 0x80000;
  private static final int EFD_NONBLOCK = 0x800;

  /**
   * The jobs that reached limits.
   *
   * @param counted in whose cgroups the kernel has counted it
   * @param oom whose v1 eventfd woke; a process may be killed just now
   */
  public record Hit(Set<JobId> counted, Set<JobId> oom) {}

  private record Watched(JobId job, CgroupDirectory cgroup) {}

  private final Inotify inotify;
  private final Epoll epoll;
  private final Map<Integer, Watched> watched = new HashMap<>();

  /** Of v1's jobs. Under the lock of {@link #watched}, as long as it is in use. */
  private final Map<JobId, Descriptor> eventfds = new HashMap<>();

  private volatile boolean closed;

  private LimitAlarm(Inotify inotify, Epoll epoll) throws ErrnoException {
    this.inotify = inotify;
    this.epoll = epoll;
    epoll.add(inotify.descriptor());
  }

  public static LimitAlarm open() throws ErrnoException {
    return new LimitAlarm(Inotify.open(), Epoll.open());
  }

  /**
   * Watches the files of this cgroup of the job's, as far as it has them and the job has no more
   * than {@value #MOST_OF_A_JOB} watched. So its own are to be added first: there the kernel counts
   * also what happens below (OOM kills since Linux 5.2, refused forks on v2 since 6.11).
   */
  public void add(JobId job, CgroupDirectory cgroup) {
    for (String file : FILES) {
      try {
        if (watches(job) < MOST_OF_A_JOB) {
          watch(job, cgroup, file);
        }
      } catch (ErrnoException e) {
        LOG.log(DEBUG, "{0} is not watched: {1}", cgroup, e.getMessage());
      }
    }
  }

  private void watch(JobId job, CgroupDirectory cgroup, String file) throws ErrnoException {
    Optional<Integer> watch = inotify.watch(cgroup.path().resolve(file));
    synchronized (watched) {
      watch.ifPresent(number -> watched.put(number, new Watched(job, cgroup)));
    }
  }

  private long watches(JobId job) {
    synchronized (watched) {
      return watched.values().stream().filter(each -> each.job.equals(job)).count();
    }
  }

  /**
   * Wakes when a v1 memory limit is hit in this cgroup of the job's or above it. It ends with the
   * cgroup.
   */
  public void addOom(JobId job, CgroupDirectory cgroup) {
    Path control = cgroup.path().resolve("memory.oom_control");
    if (!Files.exists(control) || !Files.exists(cgroup.path().resolve("cgroup.event_control"))) {
      return;
    }
    try (Descriptor opened = Descriptor.open(control)) {
      synchronized (watched) {
        int eventfd = eventfd(job).number();
        cgroup.write("cgroup.event_control", eventfd + " " + opened.number());
      }
    } catch (IOException e) {
      LOG.log(DEBUG, "OOM in {0} is not watched: {1}", cgroup, e.getMessage());
    }
  }

  private Descriptor eventfd(JobId job) throws ErrnoException {
    Descriptor known = eventfds.get(job);
    if (known != null) {
      return known;
    }
    long number = Syscall.EVENTFD2.call(0, O_CLOEXEC | EFD_NONBLOCK, 0);
    var made = new Descriptor(Syscall.EVENTFD2.check("job " + job, number));
    eventfds.put(job, made);
    epoll.add(made.number());
    return made;
  }

  /** Watches its files no longer. */
  public void remove(CgroupDirectory cgroup) {
    remove(each -> each.cgroup.equals(cgroup));
  }

  /** Watches nothing of this job any longer. */
  public void remove(JobId job) {
    remove(each -> each.job.equals(job));
    synchronized (watched) {
      Optional.ofNullable(eventfds.remove(job)).ifPresent(Descriptor::close);
    }
  }

  private void remove(Predicate<Watched> over) {
    Set<Integer> watches = new HashSet<>();
    synchronized (watched) {
      watched.forEach((watch, each) -> {
        if (over.test(each)) {
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

  /** Waits for some, and returns all that there are then; empty when this is closed. */
  public Optional<Hit> await() throws ErrnoException {
    Hit hit = new Hit(new HashSet<>(), new HashSet<>());
    Optional<Duration> most = Optional.empty();
    while (!closed) {
      OptionalInt ready = epoll.await(most);
      if (ready.isPresent() && isMore(ready.getAsInt(), hit)) {
        most = Optional.of(Duration.ZERO);
      } else if (most.isPresent()) {
        return Optional.of(hit);
      }
    }
    return Optional.empty();
  }

  /** Whether it adds a job to what was hit. */
  private boolean isMore(int descriptor, Hit hit) throws ErrnoException {
    return descriptor == inotify.descriptor()
        ? hit.counted.addAll(jobs(inotify.read()))
        : drained(descriptor).filter(hit.oom::add).isPresent();
  }

  private Set<JobId> jobs(Set<Integer> watches) {
    Set<JobId> jobs = new HashSet<>();
    synchronized (watched) {
      for (int watch : watches) {
        Optional.ofNullable(watched.get(watch)).ifPresent(each -> jobs.add(each.job));
      }
    }
    return jobs;
  }

  /**
   * The job whose eventfd this is. It may have been removed meanwhile, and the number another's.
   */
  private Optional<JobId> drained(int descriptor) {
    synchronized (watched) {
      for (var each : eventfds.entrySet()) {
        if (each.getValue().number() == descriptor) {
          drain(descriptor);
          return Optional.of(each.getKey());
        }
      }
    }
    return Optional.empty();
  }

  private static void drain(int eventfd) {
    try (Arena arena = Arena.ofConfined()) {
      long count = arena.allocate(ValueLayout.JAVA_LONG).address();
      Syscall.READ.call(eventfd, count, Long.BYTES);
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
    synchronized (watched) {
      eventfds.values().forEach(Descriptor::close);
    }
    epoll.close();
  }
}
