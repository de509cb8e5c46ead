package dev.rollcall.agent.login.log;

import java.util.LinkedHashSet;

/** The last ids that were added, up to a number. Thread-safe. */
final class RecentIds {
  private final LinkedHashSet<String> ids = new LinkedHashSet<>();
  private final int capacity;

  RecentIds(int capacity) {
    this.capacity = capacity;
  }

  synchronized void add(String id) {
    ids.addLast(id);
    if (ids.size() > capacity) {
      ids.removeFirst();
    }
  }

  synchronized boolean has(String id) {
    return ids.contains(id);
  }
}
