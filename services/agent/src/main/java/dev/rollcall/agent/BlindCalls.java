package dev.rollcall.agent;

import dev.rollcall.model.Connection;
import dev.rollcall.port.CallSource;

/**
 * For a kernel that shows no calls, neither by BPF nor by sock_diag: no caller on this node is ever
 * known. Users with one job do not notice.
 *
 * @param reason for people: what was tried
 */
record BlindCalls(String reason) implements CallSource {
  @Override
  public String name() {
    return "none";
  }

  @Override
  public Sighting find(Connection connection) {
    return new Sighting.NotSeen(reason);
  }

  @Override
  public void announce(Listener listener) {
    // It never has a call to report.
  }

  @Override
  public long withheld() {
    return 0;
  }

  @Override
  public void close() {
    // Nothing is open.
  }
}
