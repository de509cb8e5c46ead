package dev.rollcall.agent.event;

import dev.rollcall.model.Job;

/** The result of a user's choice. */
public sealed interface ChoiceResult {
  record Kept(Job job) implements ChoiceResult {}

  record TakenBack() implements ChoiceResult {}

  /** The user owns no such job here. */
  record NoSuchJob() implements ChoiceResult {}
}
