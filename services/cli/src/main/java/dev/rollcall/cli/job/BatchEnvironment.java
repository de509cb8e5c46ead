package dev.rollcall.cli.job;

import dev.rollcall.model.JobLabel;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
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
  static final int MOST_BYTES = 6_144;

  private static final int LONGEST_VALUE = 1_024;
  private static final Pattern NAME =
      Pattern.compile(
          "SLURMD?_[A-Z0-9_]{1,100}|[A-Z0-9]{1,100}_VISIBLE_DEVICES|TMPDIR|" + JobLabel.BATCH_ID);
  private static final Pattern VALUE = Pattern.compile("[ -~]{0," + LONGEST_VALUE + "}");

  /** They describe the prolog, or slurmd, and no job. */
  private static final Set<String> OF_THE_PROLOG = Set.of("SLURM_CONF", "SLURM_SCRIPT_CONTEXT");

  private BatchEnvironment() {}

  /** Goes by names. Leaves out each variable that is too long or would exceed the limits. */
  static Map<String, String> of(Map<String, String> environment) {
    Map<String, String> taken = new LinkedHashMap<>();
    int bytes = 0;
    for (var variable : new TreeMap<>(environment).entrySet()) {
      int length = variable.getKey().length() + variable.getValue().length();
      if (taken.size() < MOST && bytes + length <= MOST_BYTES && isOfJob(variable)) {
        taken.put(variable.getKey(), variable.getValue());
        bytes += length;
      }
    }
    return taken;
  }

  private static boolean isOfJob(Map.Entry<String, String> variable) {
    return NAME.matcher(variable.getKey()).matches()
        && !OF_THE_PROLOG.contains(variable.getKey())
        && VALUE.matcher(variable.getValue()).matches();
  }
}
