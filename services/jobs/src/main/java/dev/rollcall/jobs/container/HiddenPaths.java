package dev.rollcall.jobs.container;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;
import static java.nio.file.StandardWatchEventKinds.ENTRY_CREATE;
import static java.nio.file.StandardWatchEventKinds.OVERFLOW;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.mount.NamespaceThread;
import dev.rollcall.model.JobId;
import dev.rollcall.model.NamespaceType;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Keeps hidden paths hidden. The kernel takes a mount away from a file that the node replaces by
 * rename(2), and leaves it at a directory that the node moves aside. This class watches the
 * directories on the way to each hidden path by inotify(7), looks at the paths every ten seconds as
 * well, since inotify does not see what another machine does to a file system of the network, and
 * covers what is visible again, from within the job's namespace.
 *
 * <p>Its thread starts with the first job that has hidden paths. It never enters a namespace that
 * belongs to a user: there the user decides what is on the way to a path. The paths of each job are
 * looked at by a thread of their own, because a file system of the network may not answer: then
 * only that job's are looked at late.
 */
final class HiddenPaths implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(HiddenPaths.class.getName());
  private static final Duration PAUSE = Duration.ofSeconds(10);

  /** For the look at one job's paths, until the next job's turn comes anyway. */
  private static final Duration OF_A_LOOK = Duration.ofMillis(500);

  private final Pins pins;
  private final Map<JobId, OfJob> jobs = new ConcurrentHashMap<>();

  /** All that are not cancelled. Guarded by this. */
  private final Set<WatchKey> registered = new HashSet<>();

  private @Nullable WatchService service;

  /** The hidden paths of one job. */
  private static final class OfJob {
    private final JobId job;
    private final List<View.At> hidden;

    /** Held by the one thread that looks at them and covers them. */
    private final ReentrantLock lock = new ReentrantLock();

    /** The directories on the way, each with the names in it that lead on. */
    private volatile Map<WatchKey, Set<Path>> ways = Map.of();

    /** Whether something happened there that was not looked at. */
    private final AtomicBoolean changed = new AtomicBoolean();

    private Map<Path, Object> seen = Map.of();
    private String problem = "";

    OfJob(JobId job, List<View.At> hidden) {
      this.job = job;
      this.hidden = List.copyOf(hidden);
    }

    private boolean isOther() {
      return seen.entrySet().stream().anyMatch(was -> !was.getValue().equals(key(was.getKey())));
    }
  }

  HiddenPaths(Pins pins) {
    this.pins = pins;
  }

  /**
   * Watches the hidden paths of a job from now on, and covers what became visible before.
   *
   * @throws IOException if a path is visible and cannot be covered, or nothing can be watched
   */
  void watch(JobId job, List<View.At> hidden) throws IOException {
    if (hidden.isEmpty() || pins.keeps(job, NamespaceType.USER)) {
      return;
    }
    WatchService open = opened();
    var paths = new OfJob(job, hidden);
    paths.lock.lock();
    try {
      jobs.put(job, paths);
      aim(paths, open);
      cover(paths);
    } finally {
      paths.lock.unlock();
    }
  }

  /** The same of a job that ran already. Waits only a little for paths that do not answer. */
  void resume(JobId job, List<View.At> hidden) {
    try {
      onItsThread(job, () -> watchLogged(job, hidden));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void watchLogged(JobId job, List<View.At> hidden) {
    try {
      watch(job, hidden);
    } catch (IOException e) {
      LOG.log(WARNING, "job {0} may see a hidden path: {1}", job, e.getMessage());
    }
  }

  private static void onItsThread(JobId job, Runnable work) throws InterruptedException {
    Thread.ofPlatform().name("rollcall-hidden-" + job).daemon().start(work).join(OF_A_LOOK);
  }

  void forget(JobId job) {
    jobs.remove(job);
  }

  /** Watches before it looks: later changes are heard. */
  private void aim(OfJob paths, WatchService open) throws IOException {
    Map<Path, Set<Path>> directories = new HashMap<>();
    paths.hidden.forEach(at -> addWay(at.path(), directories));
    register(
        paths,
        directories.keySet().stream()
            .filter(Files::isDirectory)
            .collect(Collectors.toMap(each -> each, directories::get)),
        open);
    Map<Path, Object> now = new HashMap<>();
    directories.forEach((directory, names) ->
        names.forEach(name -> now.put(directory.resolve(name), key(directory.resolve(name)))));
    paths.seen = now;
  }

  /** Of directories that have just answered. One that several jobs have has one key. */
  private synchronized void register(
      OfJob paths, Map<Path, Set<Path>> directories, WatchService open) throws IOException {
    Map<WatchKey, Set<Path>> ways = new HashMap<>();
    for (var directory : directories.entrySet()) {
      WatchKey key = directory.getKey().register(open, ENTRY_CREATE);
      registered.add(key);
      ways.computeIfAbsent(key, _ -> new HashSet<>()).addAll(directory.getValue());
    }
    paths.ways = ways;
    Set<WatchKey> wanted = new HashSet<>(ways.keySet());
    jobs.values().forEach(each -> wanted.addAll(each.ways.keySet()));
    registered.stream().filter(key -> !wanted.contains(key)).forEach(WatchKey::cancel);
    registered.retainAll(wanted);
  }

  private synchronized WatchService opened() throws IOException {
    if (service == null) {
      var opening = FileSystems.getDefault().newWatchService();
      service = opening;
      Thread.ofPlatform().name("rollcall-hidden").daemon().start(() -> run(opening));
    }
    return service;
  }

  /** Each directory on the way, with the name that leads on; of the path, and of where it leads. */
  private static void addWay(Path path, Map<Path, Set<Path>> directories) {
    for (Path way : List.of(path.normalize(), real(path))) {
      for (Path at = way; at.getParent() != null; at = at.getParent()) {
        directories.computeIfAbsent(at.getParent(), _ -> new HashSet<>()).add(at.getFileName());
      }
    }
  }

  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException missing) {
      return path.normalize();
    }
  }

  /** Changes when something else is at the path. */
  private static Object key(Path path) {
    try {
      return String.valueOf(
          Files.getAttribute(path, "unix:dev") + ":" + Files.getAttribute(path, "unix:ino"));
    } catch (IOException missing) {
      return "";
    }
  }

  private void run(WatchService events) {
    long allLooked = System.nanoTime();
    try {
      while (true) {
        WatchKey key = events.poll(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        if (key != null) {
          note(key);
        }
        boolean all = System.nanoTime() - allLooked >= PAUSE.toNanos();
        for (OfJob each : jobs.values()) {
          if (all || each.changed.get()) {
            tend(each, events);
          }
        }
        allLooked = all ? System.nanoTime() : allLooked;
      }
    } catch (ClosedWatchServiceException closed) {
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Marks the jobs to whose paths a changed name leads. */
  private void note(WatchKey key) {
    Set<Path> names = new HashSet<>();
    boolean all = false;
    for (WatchEvent<?> event : key.pollEvents()) {
      all |= event.kind().equals(OVERFLOW);
      if (event.context() instanceof Path name) {
        names.add(name);
      }
    }
    all |= !key.reset();
    for (OfJob each : jobs.values()) {
      Set<Path> leading = each.ways.getOrDefault(key, Set.of());
      if (all || !Collections.disjoint(names, leading)) {
        each.changed.set(true);
      }
    }
  }

  /** A thread looks at the paths, unless one waits already for an earlier one to come back. */
  private void tend(OfJob paths, WatchService open) throws InterruptedException {
    if (!paths.lock.hasQueuedThreads()) {
      onItsThread(paths.job, () -> look(paths, open));
    }
  }

  private void look(OfJob paths, WatchService open) {
    paths.lock.lock();
    try {
      boolean changed = paths.changed.getAndSet(false);
      if (jobs.get(paths.job) == paths
          && (changed || paths.isOther() || !paths.problem.isEmpty())) {
        aimAgain(paths, open);
        coverAgain(paths);
      }
    } finally {
      paths.lock.unlock();
    }
  }

  private void aimAgain(OfJob paths, WatchService open) {
    try {
      aim(paths, open);
    } catch (ClosedWatchServiceException closed) {
      return;
    } catch (IOException e) {
      LOG.log(WARNING, "hidden paths are not watched: {0}", e.toString());
    }
  }

  private void coverAgain(OfJob paths) {
    try {
      cover(paths);
      paths.problem = "";
    } catch (IOException | RuntimeException e) {
      String problem = String.valueOf(e.getMessage());
      if (!problem.equals(paths.problem)) {
        paths.problem = problem;
        LOG.log(WARNING, "job {0} may see a hidden path: {1}", paths.job, problem);
      }
    }
  }

  private void cover(OfJob paths) throws IOException {
    if (!pins.keeps(paths.job, NamespaceType.MOUNT)) {
      jobs.remove(paths.job, paths);
      return;
    }
    List<Path> covered;
    try (Descriptor namespace = Descriptor.open(pins.file(paths.job, NamespaceType.MOUNT))) {
      covered =
          NamespaceThread.run(
              NamespaceType.MOUNT,
              namespace.number(),
              () -> Narrowing.hideAgain(paths.hidden, pins.directory()));
    }
    if (!covered.isEmpty()) {
      LOG.log(INFO, "job {0}: the node replaced {1}, which is hidden again", paths.job, covered);
    }
  }

  @Override
  public synchronized void close() {
    jobs.clear();
    try {
      if (service != null) {
        service.close();
      }
    } catch (IOException e) {
      LOG.log(WARNING, "watching hidden paths does not stop: {0}", e.toString());
    }
  }
}
