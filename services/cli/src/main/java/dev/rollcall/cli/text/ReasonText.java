package dev.rollcall.cli.text;

import dev.rollcall.model.Reason;
import java.util.Arrays;

/** Explains each reason of docs/adoption.md in a clause. */
public final class ReasonText {
  private ReasonText() {}

  /** A word of a later agent means only itself. */
  public static String clause(String word) {
    return Arrays.stream(Reason.values())
        .filter(reason -> reason.word().equals(word))
        .findAny()
        .map(ReasonText::clause)
        .orElse("a reason that this command does not know");
  }

  private static String clause(Reason reason) {
    return switch (reason) {
      case ROOT -> "root needs no job";
      case OTHER_SERVICE -> "the PAM service is not the one that the module is for";
      case CHOSEN_JOB -> "the user chose this job for the next sessions on this node";
      case ONLY_JOB -> "this was the user's only job on this node, so no other node was asked";
      case CALLER_JOB -> "several jobs, and the call came from this one";
      case NEWEST_JOB -> "several jobs, and the caller is not known: the newest";
      case CALLER_ELSEWHERE -> "several jobs, and the caller is in none of them";
      case NO_JOBS -> "the user had no job on this node";
      case JOB_STARTING -> "the user's job was still starting when the time was over";
      case JOB_SUSPENDED -> "the job that was decided on was suspended";
      case CALLER_UNKNOWN -> "several jobs, and the caller is not known";
      case ADOPT_FAILURE -> "the process could not be moved into the job";
      case GENERIC_FAILURE -> "the agent could not do its work in time";
    };
  }
}
