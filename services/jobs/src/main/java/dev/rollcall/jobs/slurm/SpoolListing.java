package dev.rollcall.jobs.slurm;

import dev.rollcall.model.JobId;
import dev.rollcall.model.StepId;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The sockets in SlurmdSpoolDir at one time.
 *
 * @param externs of extern steps, by job
 * @param others steps of jobs besides
 * @param foreign names of sockets of another node
 */
record SpoolListing(
    Map<JobId, Extern> externs, Map<JobId, Set<StepId>> others, Set<String> foreign) {
  static final SpoolListing EMPTY = new SpoolListing(Map.of(), Map.of(), Set.of());

  /**
   * @param made when the daemon made it, to within what Slurm 26.05 itself takes for the start of
   *     the job here: the file's mtime, which a socket keeps. Its ctime changes once more, as the
   *     daemon sets its mode
   */
  record Extern(Path file, Instant made) {}

  /**
   * @throws IOException the directory cannot be listed; one that is not there is empty
   */
  static SpoolListing read(Path spool, String node) throws IOException {
    SpoolListing listing = new SpoolListing(new HashMap<>(), new HashMap<>(), new HashSet<>());
    try (DirectoryStream<Path> files = Files.newDirectoryStream(spool)) {
      for (Path file : files) {
        StepSocket.parse(String.valueOf(file.getFileName()))
            .ifPresent(name -> listing.add(name, file, node));
      }
    } catch (NoSuchFileException | NotDirectoryException notYet) {
      return EMPTY;
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return listing;
  }

  private void add(StepSocket name, Path file, String node) {
    JobId job = name.step().job();
    if (!name.node().equals(node)) {
      foreign.add(String.valueOf(file.getFileName()));
    } else if (name.isExtern()) {
      made(file).ifPresent(at -> externs.put(job, new Extern(file, at)));
    } else {
      others.computeIfAbsent(job, _ -> new HashSet<>()).add(name.step().step());
    }
  }

  private static Optional<Instant> made(Path file) {
    try {
      return Optional.of(Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).toInstant());
    } catch (IOException gone) {
      return Optional.empty();
    }
  }

  /** Jobs that have other steps than they had. */
  Set<JobId> changedSince(SpoolListing before) {
    Set<JobId> all = new HashSet<>(others.keySet());
    all.addAll(before.others.keySet());
    all.removeIf(job -> steps(job).equals(before.steps(job)));
    return all;
  }

  /** Whether the job's batch script is here. */
  boolean hasScript(JobId job) {
    return steps(job).contains(SlurmEnvironment.BATCH);
  }

  private Set<StepId> steps(JobId job) {
    return others.getOrDefault(job, Set.of());
  }
}
