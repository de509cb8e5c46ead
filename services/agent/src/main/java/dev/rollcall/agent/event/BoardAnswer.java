package dev.rollcall.agent.event;

import dev.rollcall.model.Caller;

/** What the board knows of a connection. */
public sealed interface BoardAnswer {
  record Announced(Caller caller) implements BoardAnswer {}

  /** Nothing: the call may have been announced late, or not at all. */
  record NotAnnounced() implements BoardAnswer {}
}
