package dev.rollcall.linux.calls;

import dev.rollcall.model.ProcessRef;
import java.util.List;

/**
 * Finds the process of a socket in a few likely places, because reading all descriptors of a node
 * takes a second.
 */
@FunctionalInterface
public interface CallerProcesses {
  /**
   * The processes that may have called for this user, such as those of the user's jobs.
   *
   * @param most no more are listed
   */
  List<ProcessRef> ofUser(int uid, int most);
}
