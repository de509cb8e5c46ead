package dev.rollcall.settings.container;

import dev.rollcall.settings.Problem;
import java.util.List;

/** The result of reading a container file. */
public sealed interface ContainerReading {
  /**
   * It can be used.
   *
   * @param notes what is in it and has no effect
   */
  record Good(ContainerConf conf, List<Problem> notes) implements ContainerReading {
    public Good {
      notes = List.copyOf(notes);
    }
  }

  /** It cannot be used, for all of these. */
  record Bad(List<Problem> problems) implements ContainerReading {
    public Bad {
      problems = List.copyOf(problems);
    }
  }
}
