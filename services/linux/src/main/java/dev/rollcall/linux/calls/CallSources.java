package dev.rollcall.linux.calls;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.linux.KernelLockdown;
import dev.rollcall.port.CallSource;
import java.io.IOException;

/** Opens the best source of calls that works on this node. */
public final class CallSources {
  private static final System.Logger LOG = System.getLogger(CallSources.class.getName());

  private CallSources() {}

  /**
   * Opens sock_ops, or else, with one line in the log about what is missing, sock_diag.
   *
   * @throws IOException if neither works: no CAP_SYS_ADMIN, or netlink is refused
   */
  public static CallSource open(CallSourceConfig config) throws IOException {
    return open(config, KernelLockdown.OF_KERNEL);
  }

  static CallSource open(CallSourceConfig config, KernelLockdown lockdown) throws IOException {
    try {
      return SockOpsCalls.open(config);
    } catch (IOException e) {
      String reason = "sock_ops is not available: " + e.getMessage() + lockdown.remark();
      return withoutBpf(config, WARNING, reason);
    }
  }

  /**
   * Opens sock_diag, and logs one line.
   *
   * @param reason why BPF is not used
   * @throws IOException as {@link #open}
   */
  public static CallSource withoutBpf(
      CallSourceConfig config, System.Logger.Level level, String reason) throws IOException {
    LOG.log(level, "calls are found by sock_diag and not pushed: " + reason);
    return SockDiagCalls.open(config);
  }
}
