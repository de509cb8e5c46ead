package dev.rollcall.gateway.route;

/** What became of a question to a node. */
public sealed interface Heard<T> {
  record Said<T>(T answer) implements Heard<T> {}

  /**
   * @param reason for people: which node, and why
   */
  record Silent<T>(String reason) implements Heard<T> {}
}
