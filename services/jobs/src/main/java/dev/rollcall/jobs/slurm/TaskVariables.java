package dev.rollcall.jobs.slurm;

import static java.lang.System.Logger.Level.WARNING;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rollcall.model.JobId;
import dev.rollcall.model.allocation.EnvironmentAllowList;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * Reads the batch system's variables from the environment of a batch script, and holds a bounded
 * part of them: the job's user may have added any number of others with such names.
 */
final class TaskVariables {
  private static final System.Logger LOG = System.getLogger(TaskVariables.class.getName());

  /** Beside the job's id. A session gets at most 48. */
  static final int MOST = 128;

  /** Of names and values together. */
  static final int MOST_BYTES = 32 << 10;

  private static final int LONGEST_VALUE = 4_096;

  /**
   * No name that {@link SlurmEnvironment#isBatchSystems} accepts is longer than 127 bytes. One byte
   * more is too long.
   */
  private static final int LONGEST = 127 + 1 + LONGEST_VALUE;

  private static final int MOST_NAMED = 16;
  private static final String JOB_ID = "SLURM_JOB_ID";
  private static final int MOST_READ = 1 << 20;

  private final SequencedMap<String, String> kept = new LinkedHashMap<>();
  private int bytes;
  private final List<String> leftOut = new ArrayList<>();
  private int moreLeftOut;

  /**
   * Reads the variables of a job.
   *
   * @param environ as environ in proc(5): variables that end with a NUL byte; the first MiB is read
   * @return empty if it is not the environment of a process of the job
   */
  static Optional<Map<String, String>> read(InputStream environ, JobId job) throws IOException {
    var variables = new TaskVariables();
    variables.addAll(environ);
    // A process may have written over its environment: then it is not believed at all.
    if (!job.toString().equals(variables.kept.get(JOB_ID))) {
      return Optional.empty();
    }
    variables.noteLeftOut(job);
    return Optional.of(variables.kept);
  }

  private void addAll(InputStream environ) throws IOException {
    byte[] variable = new byte[LONGEST + 1];
    int length = 0;
    int next = 0;
    for (int left = MOST_READ; left > 0 && next >= 0; left--) {
      next = environ.read();
      if (next > 0) {
        if (length < variable.length) {
          variable[length++] = (byte) next;
        }
      } else {
        add(new String(variable, 0, length, UTF_8));
        length = 0;
      }
    }
  }

  private void add(String variable) {
    int equals = variable.indexOf('=');
    if (equals > 0) {
      add(variable.substring(0, equals), variable.substring(equals + 1));
    }
  }

  private void add(String name, String value) {
    if (!SlurmEnvironment.isBatchSystems(name)) {
      return;
    }
    int size = name.length() + value.getBytes(UTF_8).length;
    if (name.equals(JOB_ID)) {
      kept.putFirst(name, value);
    } else if (isValue(value) && kept.size() < MOST && bytes + size <= MOST_BYTES) {
      bytes += size;
      kept.put(name, value);
    } else if (leftOut.size() < MOST_NAMED) {
      leftOut.add(name);
    } else {
      moreLeftOut++;
    }
  }

  private static boolean isValue(String value) {
    return value.getBytes(UTF_8).length <= LONGEST_VALUE
        && value.chars().allMatch(each -> each >= ' ' && each != 0x7f);
  }

  private void noteLeftOut(JobId job) {
    if (!leftOut.isEmpty()) {
      kept.put(EnvironmentAllowList.LEFT_OUT, String.join(" ", leftOut));
      LOG.log(
          WARNING,
          "job {0}: sessions do not get these variables of its batch script: {1}, and {2} others."
              + " A value has at most {3} printable bytes, all have {4}",
          job,
          String.join(" ", leftOut),
          moreLeftOut,
          LONGEST_VALUE,
          MOST_BYTES);
    }
  }
}
