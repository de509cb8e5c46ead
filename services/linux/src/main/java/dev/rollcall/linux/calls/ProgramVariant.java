package dev.rollcall.linux.calls;

import java.util.List;
import java.util.Locale;

/**
 * A way of writing the program. What sock_ops programs may call differs between kernels, and
 * distributions move features back: the verifier is asked, not the version.
 */
record ProgramVariant(TaskAccess task, NetnsKey netns) {
  /** How members of the calling task are read. */
  enum TaskAccess {
    /** get_current_task_btf and plain loads, Linux 5.11. */
    BTF,
    /** get_current_task and probe_read_kernel, Linux 5.8. */
    PROBE
  }

  /** What names the socket's network namespace. */
  enum NetnsKey {
    /** get_netns_cookie for sock_ops, after 5.10. */
    COOKIE,
    /** {@code net->ns.inum}, which may be given out again once a namespace is gone. */
    INODE
  }

  /** Best first. */
  static final List<ProgramVariant> ALL =
      List.of(
          new ProgramVariant(TaskAccess.BTF, NetnsKey.COOKIE),
          new ProgramVariant(TaskAccess.PROBE, NetnsKey.COOKIE),
          new ProgramVariant(TaskAccess.BTF, NetnsKey.INODE),
          new ProgramVariant(TaskAccess.PROBE, NetnsKey.INODE));

  @Override
  public String toString() {
    return (task + " task, netns " + netns).toLowerCase(Locale.ROOT);
  }
}
