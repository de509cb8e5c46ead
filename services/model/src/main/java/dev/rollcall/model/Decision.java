package dev.rollcall.model;

import java.util.List;

/**
 * The node's decision about one incoming session. A new case is a compile error in every switch.
 */
public sealed interface Decision {
  Reason reason();

  /** Moves the session into this job. */
  record Adopt(JobId into, Reason reason) implements Decision {}

  /** Lets the session in without a job, as the site's options say. */
  record Allow(Reason reason) implements Decision {}

  /**
   * Refuses the session.
   *
   * @param message one line for the user
   */
  record Deny(Reason reason, String message) implements Decision {}

  /** Is not our business: the PAM stack goes on as if the module were not there. */
  record StepAside(Reason reason) implements Decision {}

  /**
   * Leaves the session as it is, as if the module were not there: the site only watches here.
   *
   * @param would what else were done
   */
  record Unenforced(Decision would) implements Decision {
    @Override
    public Reason reason() {
      return would.reason();
    }
  }

  /**
   * Not yet: this job is beginning. Decide again when it has, and refuse with {@code otherwise}
   * when there is no time left.
   */
  record Wait(JobId beginning, Deny otherwise) implements Decision {
    @Override
    public Reason reason() {
      return otherwise.reason();
    }
  }

  /**
   * Nothing else decides between the user's jobs: offer them, and decide as {@code otherwise} says
   * if the user cannot be asked or chooses none.
   */
  record Offer(List<Job> newestFirst, Decision otherwise) implements Decision {
    public Offer {
      newestFirst = List.copyOf(newestFirst);
    }

    @Override
    public Reason reason() {
      return otherwise.reason();
    }
  }

  /** Who the caller is decides between several jobs: find out, then decide again. */
  record AskCaller() implements Decision {
    @Override
    public Reason reason() {
      return Reason.CALLER_UNKNOWN;
    }
  }
}
