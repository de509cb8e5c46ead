package dev.rollcall.agent.login.caller;

/** What threads do with the board; answered with the pid of who was taken, or 0. */
sealed interface CallerAction {
  record Announce(int node, int port, long sequence, int pid) implements CallerAction {}

  record Withdraw(int node, int port, long sequence) implements CallerAction {}

  record Take(int port) implements CallerAction {}

  record Lose(int node) implements CallerAction {}

  /** So much time passes that what is on the board is too old. */
  record Expire() implements CallerAction {}
}
