package dev.rollcall.agent.event;

/** How a login of the module's log was taken in. */
public enum LoginTaken {
  /** As a new one: it is published. */
  PUBLISHED,
  /** As one that was published before. */
  KNOWN,
  /** As another phase of a login that is known: nothing is published. */
  REPEATED
}
