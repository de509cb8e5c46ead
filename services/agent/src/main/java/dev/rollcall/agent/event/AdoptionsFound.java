package dev.rollcall.agent.event;

import dev.rollcall.model.ProcessRef;
import java.util.List;

/** The requested adoptions, the newest first. */
public record AdoptionsFound(List<Remembered> adoptions) {
  /**
   * An adoption.
   *
   * @param process the last that asked for it: sshd's
   */
  public record Remembered(Adoption adoption, ProcessRef process) {}

  public AdoptionsFound {
    adoptions = List.copyOf(adoptions);
  }
}
