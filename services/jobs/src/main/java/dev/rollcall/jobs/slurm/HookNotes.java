package dev.rollcall.jobs.slurm;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.model.JobId;
import dev.rollcall.port.Jobs.JobSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stores facts that only the hooks report about jobs: a file for each job, so that a new agent has
 * them, too.
 */
final class HookNotes {
  private static final System.Logger LOG = System.getLogger(HookNotes.class.getName());
  private static final String SUFFIX = ".job";
  private static final String ENVIRONMENT = "environment.";

  private final Path directory;
  private final Map<JobId, Note> notes = new ConcurrentHashMap<>();

  private HookNotes(Path directory) {
    this.directory = directory;
  }

  enum Teller {
    /** Perhaps before the run of the job that it tells of. */
    PROLOG,
    /** Of a run that was here. */
    GATEWAY
  }

  /**
   * @param environment of the job's sessions
   */
  record Note(Teller teller, int uid, int gid, Instant startedAt, Map<String, String> environment) {
    static Note of(JobSpec spec, Teller teller) {
      return new Note(
          teller, spec.uid(), spec.gid(), spec.startedAt(), spec.allocation().environment());
    }
  }

  static HookNotes open(Path directory) throws IOException {
    HookNotes opened = new HookNotes(Files.createDirectories(directory));
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + SUFFIX)) {
      files.forEach(opened::recall);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return opened;
  }

  private void recall(Path file) {
    try {
      String name = file.getFileName().toString();
      JobId job = JobId.parse(name.substring(0, name.length() - SUFFIX.length()));
      notes.put(job, read(file));
    } catch (IOException | RuntimeException e) {
      LOG.log(WARNING, "cannot read the note {0} of a hook: {1}", file, e.getMessage());
    }
  }

  private static Note read(Path file) throws IOException {
    var written = new Properties();
    try (var reader = Files.newBufferedReader(file)) {
      written.load(reader);
    }
    Map<String, String> environment = new TreeMap<>();
    for (String key : written.stringPropertyNames()) {
      if (key.startsWith(ENVIRONMENT)) {
        environment.put(key.substring(ENVIRONMENT.length()), written.getProperty(key));
      }
    }
    return new Note(
        Teller.valueOf(written.getProperty("teller", Teller.PROLOG.name())),
        Integer.parseInt(written.getProperty("uid", "")),
        Integer.parseInt(written.getProperty("gid", "")),
        Instant.parse(written.getProperty("started", "")),
        environment);
  }

  Optional<Note> of(JobId job) {
    return Optional.ofNullable(notes.get(job));
  }

  Map<JobId, Note> all() {
    return Map.copyOf(notes);
  }

  void put(JobId job, Note note) throws IOException {
    var written = new Properties();
    written.setProperty("teller", note.teller().name());
    written.setProperty("uid", Integer.toString(note.uid()));
    written.setProperty("gid", Integer.toString(note.gid()));
    written.setProperty("started", note.startedAt().toString());
    note.environment().forEach((name, value) -> written.setProperty(ENVIRONMENT + name, value));
    Path unfinished = directory.resolve(job + ".new");
    try {
      try (var writer = Files.newBufferedWriter(unfinished)) {
        written.store(writer, null);
      }
      Files.move(unfinished, file(job), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      Files.deleteIfExists(unfinished);
      throw new IOException(file(job) + ": " + e.getMessage(), e);
    }
    notes.put(job, note);
  }

  void forget(JobId job) {
    if (notes.remove(job) == null) {
      return;
    }
    try {
      Files.deleteIfExists(file(job));
    } catch (IOException e) {
      LOG.log(WARNING, "cannot remove the hook''s note of job {0}: {1}", job, e.getMessage());
    }
  }

  /** Whether a prolog told it when this run of the job had begun: it tells of the next one. */
  boolean isOfLaterRun(SlurmJob job) {
    return of(job.id()).filter(note -> note.teller() == Teller.PROLOG).isPresent()
        && toldAt(job.id()).filter(job::beganBefore).isPresent();
  }

  /** Forgets what the gateway told of an earlier run than the one that began then. */
  void forgetEarlierRun(JobId job, Instant began) {
    boolean ofARun = of(job).filter(note -> note.teller() == Teller.GATEWAY).isPresent();
    if (ofARun && toldAt(job).filter(began::isAfter).isPresent()) {
      forget(job);
    }
  }

  /** When it was told; empty if there is no note. */
  Optional<Instant> toldAt(JobId job) {
    try {
      return Optional.of(Files.getLastModifiedTime(file(job)).toInstant());
    } catch (IOException none) {
      return Optional.empty();
    }
  }

  private Path file(JobId job) {
    return directory.resolve(job + SUFFIX);
  }
}
