package dev.rollcall.agent.door;

import java.util.LinkedHashSet;

/** Sessions that have not asked yet. When there are too many, the oldest goes first. */
final class SilentPeers {
  private final LinkedHashSet<DoorSession> sessions = new LinkedHashSet<>();
  private final int most;
  private final DoorMeters meters;

  SilentPeers(int most, DoorMeters meters) {
    this.most = most;
    this.meters = meters;
  }

  void add(DoorSession session) {
    if (sessions.size() >= most) {
      sessions.getFirst().dismiss(Fault.CROWD, most + " of them");
    }
    sessions.add(session);
    meters.silent.set(sessions.size());
  }

  void remove(DoorSession session) {
    sessions.remove(session);
    meters.silent.set(sessions.size());
  }
}
