package dev.rollcall.agent.event;

import dev.rollcall.model.JobId;

/** The result of offering users their jobs. */
public sealed interface OfferAnswer {
  /** Nothing was offered in this login so far. */
  record NotOffered() implements OfferAnswer {}

  /** The user's choice, which may be none of their jobs. */
  record Chosen(JobId job) implements OfferAnswer {}

  /** The user chose none, or could not be asked. */
  record Declined() implements OfferAnswer {}
}
