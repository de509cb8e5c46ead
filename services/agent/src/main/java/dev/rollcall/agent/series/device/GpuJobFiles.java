package dev.rollcall.agent.series.device;

import static java.lang.System.Logger.Level.WARNING;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.rollcall.agent.event.StageHealth;
import dev.rollcall.model.Job;
import dev.rollcall.port.Jobs;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;

/**
 * Writes the jobs of each GPU into files that GPU exporters read. The directory is the only state:
 * an agent that starts makes true what an earlier one left. Its files are known by {@link #MARK},
 * and those of others stay.
 */
public final class GpuJobFiles {
  private static final System.Logger LOG = System.getLogger(GpuJobFiles.class.getName());
  private static final String STAGE = "gpu-files";

  /** Nanoseconds of the time of change. Whoever writes into a file takes it away. */
  static final int MARK = 726_726_726;

  /** Permissions of the group and of others to write. They could put a link in a file's place. */
  private static final int OTHERS_WRITE = 0022;

  private static final String NEW = ".rollcall.new";

  private final Jobs jobs;
  private final NodeGpus gpus;
  private final IntFunction<String> user;
  private final Map<Path, GpuFileForm> directories;
  private String logged = "";

  /**
   * @param user the name of a uid
   */
  public GpuJobFiles(
      Jobs jobs, NodeGpus gpus, IntFunction<String> user, Map<Path, GpuFileForm> directories) {
    this.jobs = jobs;
    this.gpus = gpus;
    this.user = user;
    this.directories = Map.copyOf(directories);
  }

  /** Makes the files true, as long as it is known which jobs are here. Blocks. */
  public synchronized StageHealth renew() {
    List<String> problems = new ArrayList<>();
    if (jobs.unknownBecause().isEmpty()) {
      directories.forEach((directory, form) -> {
        try {
          problems.addAll(renew(directory, wanted(form)));
        } catch (NoSuchFileException e) {
          problems.add("directory " + directory + " of job files of GPUs does not exist: make it");
        } catch (IOException e) {
          problems.add("job files of GPUs in " + directory + ": " + e.getMessage());
        }
      });
    }
    String said = String.join("; ", problems);
    if (!said.equals(logged) && !said.isEmpty()) {
      LOG.log(WARNING, said);
    }
    logged = said;
    return new StageHealth(
        STAGE, false, problems.isEmpty(), said.isEmpty() ? "written to " + directories : said);
  }

  /** The text of each file, by its name. */
  private Map<String, String> wanted(GpuFileForm form) {
    KnownGpus known = gpus.known();
    Map<String, String> files = new TreeMap<>();
    for (Job job : jobs.list()) {
      Map<String, String> variables = new HashMap<>(jobs.variables(job.id()));
      variables.put("SLURM_JOB_USER", user.apply(job.uid()));
      for (JobDevice device : known.of(DeviceClaims.of(variables, jobs.deviceRules(job.id())))) {
        form.name(known, device)
            .ifPresent(
                name -> files.merge(name, form.text(name, job.id(), variables), form::together));
      }
    }
    return files;
  }

  /** Returns what is wrong, for people. */
  private static List<String> renew(Path directory, Map<String, String> wanted) throws IOException {
    if (((int) Files.getAttribute(directory, "unix:mode") & OTHERS_WRITE) != 0) {
      return List.of("others may write to " + directory + ": job files of GPUs are not written");
    }
    List<String> others = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(directory, "[0-9]*")) {
      for (Path file : all) {
        String text = wanted.get(String.valueOf(file.getFileName()));
        if (!isOurs(file)) {
          if (text != null) {
            others.add(file.toString());
          }
        } else if (text == null) {
          Files.delete(file);
        } else if (Files.readString(file).equals(text)) {
          wanted.remove(String.valueOf(file.getFileName()));
        }
      }
    }
    for (Map.Entry<String, String> each : wanted.entrySet()) {
      Path file = directory.resolve(each.getKey());
      if (!others.contains(file.toString())) {
        write(file, each.getValue());
      }
    }
    return others.isEmpty()
        ? List.of()
        : List.of("something else writes " + String.join(", ", others) + ": they are left alone");
  }

  private static boolean isOurs(Path file) throws IOException {
    var its = Files.readAttributes(file, BasicFileAttributes.class, NOFOLLOW_LINKS);
    return its.isRegularFile()
        && its.lastModifiedTime().toInstant().get(ChronoField.NANO_OF_SECOND) == MARK;
  }

  /** By a rename, so that a reader has the whole text. */
  private static void write(Path file, String text) throws IOException {
    Path fresh = file.resolveSibling(NEW);
    Files.deleteIfExists(fresh);
    try {
      Files.createFile(fresh);
      Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rw-r--r--"));
      Files.writeString(fresh, text);
      Instant marked = Instant.now().with(ChronoField.NANO_OF_SECOND, MARK);
      Files.setLastModifiedTime(fresh, FileTime.from(marked));
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }
}
