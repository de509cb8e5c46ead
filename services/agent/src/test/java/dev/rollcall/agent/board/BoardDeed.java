package dev.rollcall.agent.board;

/** What threads do with the board; answered with the pid of who was taken, or 0. */
sealed interface BoardDeed {
  record Announce(int node, int port, long sequence, int pid) implements BoardDeed {}

  record Withdraw(int node, int port, long sequence) implements BoardDeed {}

  record Take(int port) implements BoardDeed {}

  record Lose(int node) implements BoardDeed {}

  /** So much time passes that what is on the board is too old. */
  record Expire() implements BoardDeed {}
}
