package dev.rollcall.agent.outside;

import dev.rollcall.port.Processes;
import dev.rollcall.port.Processes.Seen;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** From which processes of this node others descend. For one look: it remembers what it saw. */
final class Lineage {
  private static final int DEEPEST = 64;

  private final Processes processes;
  private final Map<Integer, Optional<Seen>> seen = new HashMap<>();

  Lineage(Processes processes) {
    this.processes = processes;
  }

  /** The parent first. A pid that came to be after its child is another process by now. */
  List<Seen> above(Seen process) throws IOException {
    var above = new ArrayList<Seen>();
    Seen child = process;
    while (above.size() < DEEPEST) {
      Optional<Seen> parent = at(child.parent());
      if (parent.isEmpty() || parent.get().process().startTime() > child.process().startTime()) {
        break;
      }
      child = parent.get();
      above.add(child);
    }
    return above;
  }

  private Optional<Seen> at(int pid) throws IOException {
    if (pid < 1) {
      return Optional.empty();
    }
    Optional<Seen> known = seen.get(pid);
    if (known == null) {
      known = processes.see(pid);
      seen.put(pid, known);
    }
    return known;
  }
}
