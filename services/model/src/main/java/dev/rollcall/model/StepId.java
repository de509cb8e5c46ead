package dev.rollcall.model;

import java.util.Comparator;
import java.util.regex.Pattern;

/** A step of a job: {@code extern}, {@code batch}, {@code interactive} or a decimal number. */
public record StepId(String text) {
  // Before EXTERN: static fields are set in the order of the text.
  private static final Pattern VALID =
      Pattern.compile("extern|batch|interactive|0|[1-9][0-9]{0,9}");

  /** The step that holds what arrives from outside: one per job and node. */
  public static final StepId EXTERN = new StepId("extern");

  /** The extern step, then by number and name. */
  public static final Comparator<StepId> EXTERN_FIRST =
      Comparator.comparing((StepId step) -> !step.equals(EXTERN))
          .thenComparingInt(step -> step.text().length())
          .thenComparing(StepId::text);

  public StepId {
    if (!VALID.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a step: extern, batch, interactive or a number");
    }
  }

  public static StepId of(long number) {
    return new StepId(Long.toString(number));
  }

  @Override
  public String toString() {
    return text;
  }
}
