package dev.rollcall.cli.job;

import dev.rollcall.model.JobLabel;
import dev.rollcall.model.allocation.EnvironmentAllowList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Selects the variables that a batch system sets for a job from the environment of its prolog.
 * services/brief/src/environment.c does the same.
 */
final class BatchEnvironment {
  /** With more, the file of a job would not hold all, and each login would ask the agent. */
  static final int MOST = 40;

  /** Of names and values together. Less than a request of the program in C. */
  static final int MOST_BYTES = 12_288;

  /** Of the names of those that are left out, with blanks between. */
  private static final int MOST_LEFT_OUT = 1_024;

  private static final int LONGEST_VALUE = 4_096;
  private static final Pattern NAME =
      Pattern.compile(
          "SLURMD?_[A-Z0-9_]{1,100}|[A-Z0-9]{1,100}_VISIBLE_DEVICES|GPU_DEVICE_ORDINAL"
              + "|ZE_AFFINITY_MASK|TMPDIR|"
              + JobLabel.BATCH_ID
              // Of Grid Engine.
              + "|JOB_ID|NSLOTS|NHOSTS|QUEUE|PE|PE_HOSTFILE|SGE_TASK_ID");
  private static final Pattern VALUE = Pattern.compile("[ -~]{0," + LONGEST_VALUE + "}");

  /** They describe the prolog, or slurmd, and no job. */
  private static final Set<String> OF_THE_PROLOG = Set.of("SLURM_CONF", "SLURM_SCRIPT_CONTEXT");

  private BatchEnvironment() {}

  /**
   * Goes by names. Leaves out each variable that is too long or would exceed the limits, and names
   * it in {@link EnvironmentAllowList#LEFT_OUT}.
   */
  static Map<String, String> of(Map<String, String> environment) {
    Map<String, String> taken = new LinkedHashMap<>();
    var leftOut = new StringJoiner(" ");
    int bytes = 0;
    for (var variable : new TreeMap<>(environment).entrySet()) {
      String name = variable.getKey();
      int length = name.length() + variable.getValue().length();
      if (!NAME.matcher(name).matches() || OF_THE_PROLOG.contains(name)) {
        continue;
      }
      if (taken.size() < MOST
          && bytes + length <= MOST_BYTES
          && VALUE.matcher(variable.getValue()).matches()) {
        taken.put(name, variable.getValue());
        bytes += length;
      } else if (leftOut.length() + name.length() < MOST_LEFT_OUT) {
        leftOut.add(name);
      }
    }
    if (leftOut.length() > 0) {
      taken.put(EnvironmentAllowList.LEFT_OUT, leftOut.toString());
    }
    return taken;
  }
}
