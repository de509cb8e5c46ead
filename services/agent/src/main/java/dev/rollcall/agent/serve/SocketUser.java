package dev.rollcall.agent.serve;

import dev.rollcall.wire.Refusal;
import dev.rollcall.wire.grpc.Peer;
import io.grpc.Status;

/**
 * The client of a unix socket, from SO_PEERCRED.
 *
 * @param pid of the peer when it connected
 * @param uid of the peer when it connected
 */
record SocketUser(int pid, int uid) {
  /** The peer of the call for which this code runs. */
  static SocketUser current() {
    return switch (Peer.current()) {
      case Peer.Local(int pid, int uid, _) -> new SocketUser(pid, uid);
      case Peer.Certified _, Peer.Uncertified _, Peer.Anonymous _ ->
          throw Refusal.plain(
              Status.PERMISSION_DENIED, "the agent serves only users of its own node");
    };
  }

  boolean root() {
    return uid == 0;
  }

  boolean may(int owner) {
    return root() || uid == owner;
  }

  /** What only root may do. */
  void requireRoot(String what) {
    if (!root()) {
      throw Refusal.plain(
          Status.PERMISSION_DENIED,
          "uid " + Integer.toUnsignedString(uid) + " may not " + what + ": root only");
    }
  }
}
