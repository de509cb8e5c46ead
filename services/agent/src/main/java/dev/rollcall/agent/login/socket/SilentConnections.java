package dev.rollcall.agent.login.socket;

import java.util.LinkedHashSet;

/** Sessions that have not asked yet. When there are too many, the oldest goes first. */
final class SilentConnections {
  private final LinkedHashSet<LoginConnection> sessions = new LinkedHashSet<>();
  private final int most;
  private final LoginSocketMeters meters;

  SilentConnections(int most, LoginSocketMeters meters) {
    this.most = most;
    this.meters = meters;
  }

  void add(LoginConnection session) {
    if (sessions.size() >= most) {
      sessions.getFirst().dismiss(RequestFailure.CROWD, most + " of them");
    }
    sessions.add(session);
    meters.silent.set(sessions.size());
  }

  void remove(LoginConnection session) {
    sessions.remove(session);
    meters.silent.set(sessions.size());
  }
}
