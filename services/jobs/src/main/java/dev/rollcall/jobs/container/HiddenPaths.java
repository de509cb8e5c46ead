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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps hidden paths hidden. The kernel takes a mount away from a file that the node replaces by
 * rename(2), and leaves it at a directory that the node moves aside. This class watches the
 * directories on the way to each hidden path by inotify(7), looks at the paths every ten seconds as
 * well, since inotify does not see what another machine does to a file system of the network, and
 * covers what is visible again, from within the job's namespace.
 *
 * <p>Its thread starts with the first job that has hidden paths. It never enters a namespace that
 * belongs to a user: there the user decides what is on the way to a path.
 */
final class HiddenPaths implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(HiddenPaths.class.getName());
  private static final Duration PAUSE = Duration.ofSeconds(10);

  private final Pins pins;
  private final Map<JobId, List<View.At>> jobs = new ConcurrentHashMap<>();
  private final Map<JobId, String> problems = new HashMap<>();
  private Map<Path, Object> seen = Map.of();
  private Map<WatchKey, Set<Path>> watched = new HashMap<>();
  private @Nullable WatchService service;

  HiddenPaths(Pins pins) {
    this.pins = pins;
  }

  /**
   * Watches the hidden paths of a job from now on, and covers what became visible before.
   *
   * @throws IOException if a path is visible and cannot be covered, or nothing can be watched
   */
  synchronized void watch(JobId job, List<View.At> hidden) throws IOException {
    if (hidden.isEmpty() || pins.keeps(job, NamespaceType.USER)) {
      return;
    }
    jobs.put(job, List.copyOf(hidden));
    aim();
    cover(job, hidden);
  }

  void forget(JobId job) {
    jobs.remove(job);
  }

  /** Watches before it looks: later changes are heard. */
  private void aim() throws IOException {
    WatchService open = opened();
    Map<Path, Set<Path>> directories = new HashMap<>();
    Map<Path, Object> now = new HashMap<>();
    for (List<View.At> hidden : jobs.values()) {
      hidden.forEach(at -> addWay(at.path(), directories));
    }
    Map<WatchKey, Set<Path>> fresh = new HashMap<>();
    for (var directory : directories.entrySet()) {
      if (Files.isDirectory(directory.getKey())) {
        fresh
            .computeIfAbsent(directory.getKey().register(open, ENTRY_CREATE), _ -> new HashSet<>())
            .addAll(directory.getValue());
      }
    }
    watched.keySet().stream().filter(key -> !fresh.containsKey(key)).forEach(WatchKey::cancel);
    watched = fresh;
    directories.forEach((directory, names) ->
        names.forEach(name -> now.put(directory.resolve(name), key(directory.resolve(name)))));
    seen = now;
  }

  private WatchService opened() throws IOException {
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
    try {
      while (true) {
        WatchKey key = events.poll(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        boolean changed = key != null && isConcerned(key);
        tend(changed);
      }
    } catch (ClosedWatchServiceException closed) {
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized boolean isConcerned(WatchKey key) {
    Set<Path> names = watched.getOrDefault(key, Set.of());
    boolean concerned = false;
    for (WatchEvent<?> event : key.pollEvents()) {
      concerned |= event.kind().equals(OVERFLOW) || names.contains(event.context());
    }
    return !key.reset() || concerned;
  }

  private synchronized void tend(boolean changed) {
    boolean other =
        seen.entrySet().stream().anyMatch(was -> !was.getValue().equals(key(was.getKey())));
    if (!changed && !other && problems.isEmpty()) {
      return;
    }
    try {
      aim();
    } catch (IOException e) {
      LOG.log(WARNING, "hidden paths are not watched: {0}", e.toString());
    }
    problems.keySet().retainAll(jobs.keySet());
    jobs.forEach(this::coverAgain);
  }

  private void coverAgain(JobId job, List<View.At> hidden) {
    try {
      cover(job, hidden);
      problems.remove(job);
    } catch (IOException | RuntimeException e) { // the others are to be covered all the same
      String problem = String.valueOf(e.getMessage());
      if (!problem.equals(problems.put(job, problem))) {
        LOG.log(WARNING, "job {0} may see a hidden path: {1}", job, problem);
      }
    }
  }

  private void cover(JobId job, List<View.At> hidden) throws IOException {
    if (!pins.keeps(job, NamespaceType.MOUNT)) {
      jobs.remove(job);
      return;
    }
    List<Path> covered;
    try (Descriptor namespace = Descriptor.open(pins.file(job, NamespaceType.MOUNT))) {
      covered =
          NamespaceThread.run(
              NamespaceType.MOUNT,
              namespace.number(),
              () -> Narrowing.hideAgain(hidden, pins.directory()));
    }
    if (!covered.isEmpty()) {
      LOG.log(INFO, "job {0}: the node replaced {1}, which is hidden again", job, covered);
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
