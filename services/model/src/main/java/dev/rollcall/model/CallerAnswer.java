package dev.rollcall.model;

import static java.util.Objects.requireNonNull;

/** The result of a query for a caller. "Nobody knows" and "could not ask" are different answers. */
public sealed interface CallerAnswer {
  record Found(Caller caller) implements CallerAnswer {
    public Found {
      requireNonNull(caller, "caller");
    }
  }

  /**
   * The node that could know the caller was asked, and does not know it.
   *
   * @param reason for people
   * @param noNode whether no node of the cluster has the address of the caller's end, so that all
   *     calls from there have unknown callers
   */
  record Unknown(String reason, boolean noNode) implements CallerAnswer {
    public Unknown {
      requireNonNull(reason, "reason");
    }

    public Unknown(String reason) {
      this(reason, /* noNode= */ false);
    }
  }

  /**
   * The node that could know the caller did not answer within the deadline.
   *
   * @param reason for people: who, and why
   */
  record Unreachable(String reason) implements CallerAnswer {
    public Unreachable {
      requireNonNull(reason, "reason");
    }
  }
}
