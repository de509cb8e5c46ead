package dev.rollcall.agent.serve;

import dev.rollcall.port.Jobs.From;

/** Decides which of their processes users may move into a job, by a call or by a login. */
public enum UserMoves {
  /** Those that are in no job. */
  FROM_NO_JOB(From.NO_JOB),
  /** Those of another open job of theirs too, which are then no part of that job's end. */
  BETWEEN_JOBS(From.OPEN_JOB);

  private final From from;

  UserMoves(From from) {
    this.from = from;
  }

  /** From where users' calls and logins may move their processes. */
  public From ofUsers() {
    return from;
  }

  From from(SocketUser asker) {
    return asker.root() ? From.OPEN_JOB : from;
  }
}
