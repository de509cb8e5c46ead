package dev.rollcall.linux.calls;

import dev.rollcall.linux.calls.ProgramVariant.NetnsKey;
import dev.rollcall.linux.net.LocalAddresses;
import dev.rollcall.linux.net.Netns;
import dev.rollcall.linux.net.SockDiag;
import java.io.IOException;

/** A network namespace whose calls are believed. Thread-safe. */
record TrustedNamespace(Netns netns, SockDiag sockets, LocalAddresses addresses)
    implements AutoCloseable {
  /** Takes the namespace over. */
  static TrustedNamespace open(Netns netns) throws IOException {
    try {
      SockDiag sockets = SockDiag.open(netns);
      try {
        return new TrustedNamespace(netns, sockets, LocalAddresses.open(netns));
      } catch (IOException | RuntimeException e) {
        sockets.close();
        throw e;
      }
    } catch (IOException | RuntimeException e) {
      netns.close();
      throw e;
    }
  }

  /** As the program's keys name it. */
  long id(NetnsKey key) throws IOException {
    if (key == NetnsKey.INODE) {
      return netns.inode();
    }
    return netns
        .cookie()
        .orElseThrow(() -> new IOException("the kernel has no cookie of " + netns));
  }

  @Override
  public void close() {
    sockets.close();
    addresses.close();
    netns.close();
  }

  @Override
  public String toString() {
    return netns.toString();
  }
}
