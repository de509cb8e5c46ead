package dev.rollcall.agent;

import dev.rollcall.agent.login.decide.AuditOnly;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** As a test says. */
public final class SettableAuditOnly implements AuditOnly {
  public volatile Set<Integer> uids = Set.of();
  public volatile boolean blocks;
  public final CountDownLatch answers = new CountDownLatch(1);

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
    if (blocks) {
      try {
        var _ = answers.await(30, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    return uids.contains(uid);
  }

  @Override
  public Optional<String> ruleFor(int uid) {
    return holdsFor(uid, "") ? Optional.of("the test's word") : Optional.empty();
  }

  @Override
  public void renew() {}
}
