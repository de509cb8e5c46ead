package dev.rollcall.linux.calls;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.port.CallSource;
import java.io.IOException;

/** Opens the best source of calls that works on this node. */
public final class CallSources {
  private static final System.Logger LOG = System.getLogger(CallSources.class.getName());

  private CallSources() {}

  /**
   * By sock_ops; else, saying once what is missing, by sock_diag.
   *
   * @throws IOException if not even that is to be had: no CAP_SYS_ADMIN, or netlink is refused
   */
  public static CallSource open(CallSourceConfig config) throws IOException {
    if (!config.bpf()) {
      LOG.log(INFO, "calls are found by sock_diag and not pushed: bpf is off");
      return SockDiagCalls.open(config);
    }
    try {
      return SockOpsCalls.open(config);
    } catch (IOException e) {
      LOG.log(
          WARNING,
          "calls are found by sock_diag and not pushed, sock_ops is not available: "
              + e.getMessage());
      return SockDiagCalls.open(config);
    }
  }
}
