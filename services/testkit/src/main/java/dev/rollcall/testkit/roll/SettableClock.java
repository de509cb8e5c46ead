package dev.rollcall.testkit.roll;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that moves only when it is told to. */
public final class SettableClock implements InstantSource {
  private Instant now = Instant.parse("2026-11-20T12:00:00Z");

  @Override
  public synchronized Instant instant() {
    return now;
  }

  public synchronized void advance(Duration by) {
    now = now.plus(by);
  }
}
