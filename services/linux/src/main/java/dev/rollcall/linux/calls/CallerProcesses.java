package dev.rollcall.linux.calls;

import dev.rollcall.model.ProcessRef;
import java.util.List;

/**
 * Where the caller is looked for when only the socket is known: to read the descriptors of every
 * process on the node takes a second.
 */
@FunctionalInterface
public interface CallerProcesses {
  /** The processes that may have called for this user, such as those of the user's jobs. */
  List<ProcessRef> ofUser(int uid);
}
