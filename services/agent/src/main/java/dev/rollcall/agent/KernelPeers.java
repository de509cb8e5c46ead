package dev.rollcall.agent;

import dev.rollcall.agent.login.socket.SocketPeers;
import dev.rollcall.linux.process.PeerProcess;
import dev.rollcall.linux.process.Proc;
import java.io.IOException;
import java.nio.file.Path;

/** Peers as the kernel pins them. */
final class KernelPeers implements SocketPeers {
  private final Proc proc = new Proc(Path.of("/proc"));

  @Override
  public Peer of(int descriptor) throws IOException {
    PeerProcess peer =
        PeerProcess.of(proc, descriptor)
            .orElseThrow(() -> new IOException("the peer has exited or disconnected"));
    return new Peer(peer, peer.uid());
  }
}
