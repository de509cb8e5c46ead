package dev.rollcall.linux.net;

import java.io.IOException;

/** Waits for changes of the addresses of one network namespace, by rtnetlink(7). */
public final class AddressChanges implements AutoCloseable {
  private final NetlinkSocket changes;

  private AddressChanges(NetlinkSocket changes) {
    this.changes = changes;
  }

  public static AddressChanges open(Netns netns) throws IOException {
    NetlinkSocket changes = NetlinkSocket.open(netns, NetlinkSocket.ROUTE);
    try {
      changes.subscribe(NetlinkSocket.ADDRESSES);
      changes.waitForEver();
      return new AddressChanges(changes);
    } catch (IOException e) {
      changes.close();
      throw e;
    }
  }

  /** Returns when addresses were added or removed since the last time. For one thread. */
  public void await() throws IOException {
    changes.await();
    var _ = changes.drain();
  }

  @Override
  public void close() {
    changes.close();
  }
}
