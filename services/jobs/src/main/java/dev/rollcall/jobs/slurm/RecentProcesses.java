package dev.rollcall.jobs.slurm;

import dev.rollcall.model.ProcessRef;
import java.util.LinkedHashMap;
import java.util.Map;

/** Remembers some processes. The oldest are forgotten. Thread-safe. */
final class RecentProcesses {
  private final int most;
  private final Map<ProcessRef, Boolean> processes =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ProcessRef, Boolean> eldest) {
          return size() > most;
        }
      };

  /**
   * @param most that are remembered
   */
  RecentProcesses(int most) {
    this.most = most;
  }

  /** Whether it was not there before. */
  synchronized boolean add(ProcessRef process) {
    return processes.put(process, true) == null;
  }
}
