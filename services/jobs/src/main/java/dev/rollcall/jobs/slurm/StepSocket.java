package dev.rollcall.jobs.slurm;

import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.StepId;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a step daemon's socket in SlurmdSpoolDir: {@code <node>_<job>.<step>}, and {@code
 * .<component>} behind it in a heterogeneous job; decimal numbers (Slurm 22.05 to 26.05).
 *
 * @param node as the name has it
 */
record StepSocket(String node, JobStep step) {
  // SLURM_EXTERN_CONT, SLURM_BATCH_SCRIPT and SLURM_INTERACTIVE_STEP.
  private static final long EXTERN = 0xffff_fffcL;
  private static final long BATCH = 0xffff_fffbL;
  private static final long INTERACTIVE = 0xffff_fffaL;

  /** Numbers from here on have a meaning of their own, or will. */
  private static final long SPECIAL = 0xffff_fff0L;

  private static final Pattern NAME =
      Pattern.compile("(.+)_([1-9][0-9]{0,9})\\.([0-9]{1,10})(\\.[0-9]{1,10})?");

  /** Empty for any other file, and for a step of a kind that is not known. */
  static Optional<StepSocket> parse(String file) {
    Matcher name = NAME.matcher(file);
    if (!name.matches()) {
      return Optional.empty();
    }
    Optional<StepId> step = step(Long.parseLong(name.group(3)));
    return JobId.find(name.group(2))
        .flatMap(job -> step.map(its -> new StepSocket(name.group(1), new JobStep(job, its))));
  }

  private static Optional<StepId> step(long number) {
    if (number == EXTERN) {
      return Optional.of(StepId.EXTERN);
    } else if (number == BATCH) {
      return Optional.of(SlurmEnvironment.BATCH);
    } else if (number == INTERACTIVE) {
      return Optional.of(new StepId("interactive"));
    }
    return number < SPECIAL ? Optional.of(StepId.of(number)) : Optional.empty();
  }

  boolean isExtern() {
    return step.step().equals(StepId.EXTERN);
  }
}
