package dev.rollcall.agent;

import dev.rollcall.agent.decide.AuditOnly;
import java.util.Set;

/** As a test says. */
public final class SettableAuditOnly implements AuditOnly {
  public volatile Set<Integer> uids = Set.of();
  public volatile boolean blocks;

  @Override
  public boolean isOn() {
    return !uids.isEmpty();
  }

  @Override
  public boolean mayBlock() {
    return blocks;
  }

  @Override
  public boolean holdsFor(int uid, String user) {
    return uids.contains(uid);
  }

  @Override
  public void renew() {}
}
