package dev.rollcall.agent.login.socket;

import dev.rollcall.port.PinnedProcess;
import java.io.IOException;

/** Identifies the process at the other end of a unix socket, by the kernel's data. */
public interface SocketPeers {
  /**
   * A pinned peer.
   *
   * @param uid its effective uid when it connected
   */
  record Peer(PinnedProcess process, int uid) {}

  /**
   * Pins the peer of a connected socket. The caller closes the process.
   *
   * @param descriptor of the socket; stays open
   * @throws IOException naming the call and the errno, also when the peer is gone
   */
  Peer of(int descriptor) throws IOException;
}
