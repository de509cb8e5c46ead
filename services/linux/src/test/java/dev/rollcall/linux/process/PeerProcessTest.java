package dev.rollcall.linux.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.linux.SocketOption;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PeerProcessTest {
  private static final String CONNECT_AND_STAY =
      """
      use Socket; socket(my $s, AF_UNIX, SOCK_STREAM, 0) or die; \
      connect($s, pack_sockaddr_un($ARGV[0])) or die "connect: $!"; sleep 60;
      """;

  private interface Opening {
    Optional<PeerProcess> of(int socket) throws IOException;
  }

  private final Proc proc = new Proc(Path.of("/proc"));
  private ServerSocketChannel listener;
  private Path path;

  @BeforeEach
  void listen(@TempDir Path directory) throws IOException {
    path = directory.resolve("peer.sock");
    listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    listener.bind(UnixDomainSocketAddress.of(path));
  }

  @AfterEach
  void stop() throws IOException {
    listener.close();
  }

  @Test
  void pinsTheProcessThatConnected() throws Exception {
    pinsTheProcessThatConnected(socket -> PeerProcess.of(proc, socket));
  }

  @Test
  void pinsItByItsPidWhereTheKernelHandsOutNoPidfd() throws Exception {
    pinsTheProcessThatConnected(
        socket -> PeerProcess.openedByPid(proc, socket, SocketOption.peer(socket)));
  }

  private void pinsTheProcessThatConnected(Opening opening) throws Exception {
    Process child = Children.perl(CONNECT_AND_STAY, path.toString());
    Set<Integer> before = sockets();
    try (SocketChannel accepted = listener.accept()) {
      int socket = newSocket(before);
      try (PeerProcess peer = opening.of(socket).orElseThrow()) {
        assertEquals(child.pid(), peer.ref().pid());
        assertEquals(proc.effectiveUid((int) child.pid()).orElseThrow(), peer.uid());
        assertTrue(peer.isStillPeer());

        child.destroyForcibly().waitFor();

        assertFalse(peer.isStillPeer());
        assertFalse(peer.alive());
        assertTrue(opening.of(socket).isEmpty(), "a peer that has ended is nobody");
      }
      assertTrue(accepted.isOpen());
    } finally {
      child.destroyForcibly();
    }
  }

  private static int newSocket(Set<Integer> before) throws IOException {
    Set<Integer> now = sockets();
    now.removeAll(before);
    assertEquals(1, now.size(), "exactly the accepted socket is new");
    return now.iterator().next();
  }

  private static Set<Integer> sockets() throws IOException {
    Set<Integer> found = new HashSet<>();
    try (DirectoryStream<Path> fds = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path fd : fds) {
        if (Files.isSymbolicLink(fd)
            && Files.readSymbolicLink(fd).toString().startsWith("socket:")) {
          found.add(Integer.parseInt(fd.getFileName().toString()));
        }
      }
    }
    return found;
  }
}
