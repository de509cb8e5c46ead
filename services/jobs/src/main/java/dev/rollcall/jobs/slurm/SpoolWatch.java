package dev.rollcall.jobs.slurm;

import static java.lang.System.Logger.Level.WARNING;
import static java.nio.file.StandardWatchEventKinds.ENTRY_CREATE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_DELETE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_MODIFY;

import dev.rollcall.model.JobId;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Hears of changes by inotify(7): sockets that come and go in SlurmdSpoolDir, or that directory
 * itself if it is not there yet, and writes in the jobs' freezer directories. At rest its thread
 * sleeps without a time.
 */
final class SpoolWatch implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(SpoolWatch.class.getName());

  /** A look that fails, and fails again, is not to take a processor and fill the log. */
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

  private final Path spool;
  private final WatchService service;
  private final Map<WatchKey, JobId> jobs = new ConcurrentHashMap<>();
  private volatile Optional<WatchKey> top = Optional.empty();
  private Optional<Path> watched = Optional.empty();

  private SpoolWatch(Path spool, WatchService service) {
    this.spool = spool;
    this.service = service;
  }

  /** Gets the events, on the watching thread. */
  interface Hearer {
    void spoolChanged();

    void frozenOrThawed(JobId job);

    /** The time until the next look; empty: none before the next event. */
    Optional<Duration> again();
  }

  static SpoolWatch open(Path spool) throws IOException {
    SpoolWatch opened = new SpoolWatch(spool, FileSystems.getDefault().newWatchService());
    opened.aim();
    return opened;
  }

  /** Watches the spool directory, or what is there of the way to it. */
  private void aim() throws IOException {
    Path there = nearest();
    while (top.filter(WatchKey::isValid).isEmpty() || !watched.equals(Optional.of(there))) {
      Optional<WatchKey> before = watched.equals(Optional.of(there)) ? Optional.empty() : top;
      try {
        top = Optional.of(there.register(service, ENTRY_CREATE, ENTRY_DELETE));
        watched = Optional.of(there);
        before.ifPresent(WatchKey::cancel);
      } catch (NoSuchFileException | NotDirectoryException removed) {
        watched = Optional.empty();
      }
      // Changes before the watch began gave no event.
      there = nearest();
    }
  }

  private Path nearest() {
    Path there = spool;
    while (!Files.isDirectory(there) && there.getParent() != null) {
      there = there.getParent();
    }
    return there;
  }

  void start(Hearer hearer) {
    Thread.ofPlatform().name("rollcall-slurm").daemon().start(() -> run(hearer));
  }

  /** Listens to writes in a job's directory, until that is removed or {@link #leave} is called. */
  void listen(JobId job, Path directory) {
    try {
      jobs.put(directory.register(service, ENTRY_MODIFY), job);
    } catch (IOException | ClosedWatchServiceException e) {
      LOG.log(WARNING, "cannot watch {0} of job {1}: {2}", directory, job, e.toString());
    }
  }

  boolean listensTo(JobId job) {
    return jobs.containsValue(job);
  }

  void leave(JobId job) {
    jobs.entrySet()
        .removeIf(entry -> {
          boolean its = entry.getValue().equals(job);
          if (its) {
            entry.getKey().cancel();
          }
          return its;
        });
  }

  private void run(Hearer hearer) {
    try {
      boolean well = true;
      while (true) {
        Optional<Duration> again = hearer.again();
        WatchKey key =
            again.isEmpty()
                ? service.take()
                : service.poll(
                    Math.max(again.get().toMillis(), well ? 0 : AFTER_FAILURE.toMillis()),
                    TimeUnit.MILLISECONDS);
        well = look(Optional.ofNullable(key), hearer);
      }
    } catch (ClosedWatchServiceException closed) {
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Whatever goes wrong, the thread goes on: else only the periodic check would see jobs end.
   *
   * @param key empty: no event came in time
   * @return whether all went well
   */
  @SuppressWarnings("IllegalCatch") // an error at one look may be none at the next
  private boolean look(Optional<WatchKey> key, Hearer hearer) {
    try {
      if (key.isEmpty()) {
        hearer.spoolChanged();
      } else {
        hear(key.get(), hearer);
      }
      return true;
    } catch (IOException | RuntimeException | Error e) {
      LOG.log(WARNING, "watching " + spool, e);
      return false;
    }
  }

  private void hear(WatchKey key, Hearer hearer) throws IOException {
    key.pollEvents();
    boolean valid = key.reset();
    JobId job = jobs.get(key);
    if (job == null) {
      aim();
      hearer.spoolChanged();
    } else {
      if (!valid) {
        jobs.remove(key);
      }
      hearer.frozenOrThawed(job);
    }
  }

  @Override
  public void close() throws IOException {
    service.close();
  }
}
