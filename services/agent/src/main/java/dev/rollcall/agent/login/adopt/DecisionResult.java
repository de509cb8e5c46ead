package dev.rollcall.agent.login.adopt;

import dev.rollcall.agent.event.LoginOutcome;
import dev.rollcall.model.JobStep;
import java.util.Optional;

/** The result of carrying a decision out. */
public sealed interface DecisionResult {
  /**
   * It is carried out.
   *
   * @param detail for the record: why the caller did not decide it, or what failed; may be empty
   * @param step that the session entered
   */
  record Done(LoginOutcome.Decided outcome, String detail, Optional<JobStep> step)
      implements DecisionResult {}

  /**
   * The job stopped taking sessions after it was decided on: decide again.
   *
   * @param reason for people
   */
  record JobNotOpen(String reason) implements DecisionResult {}
}
