package dev.rollcall.jobs.slurm;

import dev.rollcall.model.ProcessRef;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Remembers which processes were reported to step daemons, which count a process twice if it is
 * reported twice. The oldest are forgotten. Thread-safe.
 */
final class ReportedProcesses {
  private static final int REMEMBERED = 4_096;

  private final Map<ProcessRef, Boolean> reported =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ProcessRef, Boolean> eldest) {
          return size() > REMEMBERED;
        }
      };

  /** Whether it was not there before. */
  synchronized boolean add(ProcessRef process) {
    return reported.put(process, true) == null;
  }
}
