package dev.rollcall.cli.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Compares a session's environment with a step's, where both should be equal. */
public final class Comparison {
  /** What batch systems set; all else is the shells' own affair. */
  private static final Pattern OF_A_JOB =
      Pattern.compile("(SLURM|CUDA_|ROCR_|HIP_|ZE_|GPU_).*|DISPLAY|XAUTHORITY|TMPDIR");

  /** A step of Rollcall's has them if the site wants that, and a session only the first. */
  private static final Pattern OF_A_STEP = Pattern.compile("SLURM_(JOB_ID|JOBID|STEP_ID|STEPID)");

  /** A task of Slurm's has values of its step under the names of its job's, even of devices. */
  private static final Pattern OF_ANY_TASK = Pattern.compile("SLURM_JOB_ID|DISPLAY|XAUTHORITY");

  private static final String TASK = "SLURM_PROCID";

  /**
   * @param step what the step has, empty: nothing
   */
  public record Difference(Part part, String name, String step, String session) {}

  private Comparison() {}

  public static List<Difference> of(ProcessView step, ProcessView session) {
    List<Difference> differences = new ArrayList<>();
    for (Part part : Part.values()) {
      if (step.parts().containsKey(part) && session.parts().containsKey(part)) {
        boolean task = step.parts().get(part).containsKey(TASK);
        compare(
            part,
            alike(part, step.parts().get(part), task),
            alike(part, session.parts().get(part), task),
            differences);
      }
    }
    return differences;
  }

  private static SortedMap<String, String> alike(
      Part part, SortedMap<String, String> values, boolean task) {
    var kept = new TreeMap<>(values);
    switch (part) {
      case CGROUP -> kept.keySet().removeIf(name -> !name.equals("job"));
      case ENVIRONMENT ->
          kept.keySet()
              .removeIf(name ->
                  task
                      ? !OF_ANY_TASK.matcher(name).matches()
                      : !OF_A_JOB.matcher(name).matches() || OF_A_STEP.matcher(name).matches());
      case LIMITS, RLIMITS, DEVICES, GROUPS, NAMESPACES -> {}
    }
    return kept;
  }

  private static void compare(
      Part part,
      SortedMap<String, String> step,
      SortedMap<String, String> session,
      List<Difference> differences) {
    Set<String> names = new TreeSet<>(step.keySet());
    names.addAll(session.keySet());
    for (String name : names) {
      String ofStep = step.getOrDefault(name, "");
      String ofSession = session.getOrDefault(name, "");
      boolean same =
          ofStep.equals(ofSession) && step.containsKey(name) == session.containsKey(name);
      if (!same) {
        differences.add(new Difference(part, name, ofStep, ofSession));
      }
    }
  }
}
