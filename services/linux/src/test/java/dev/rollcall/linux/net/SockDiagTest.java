package dev.rollcall.linux.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.Prefix;
import dev.rollcall.model.Protocol;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("root")
class SockDiagTest {
  private Netns own;
  private SockDiag diag;

  @BeforeEach
  void open() throws IOException {
    own = Netns.own();
    diag = SockDiag.open(own);
  }

  @AfterEach
  void close() {
    diag.close();
    own.close();
  }

  private static Endpoint endpoint(java.net.SocketAddress address) {
    InetSocketAddress inet = (InetSocketAddress) address;
    return new Endpoint(inet.getAddress(), inet.getPort());
  }

  private static Connection of(SocketChannel channel) throws IOException {
    return Connection.tcp(
        endpoint(channel.getLocalAddress()), endpoint(channel.getRemoteAddress()));
  }

  private static ServerSocketChannel listen(String address) throws IOException {
    return ServerSocketChannel.open()
        .bind(new InetSocketAddress(InetAddress.ofLiteral(address), 0));
  }

  /** A JDK socket is dual-stack: to IPv4 it connects from a v4-mapped address. */
  @SuppressWarnings("try") // closes early
  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "::1"})
  void findsBothEndsOfAConnectionUntilTheyAreClosed(String address) throws Exception {
    try (ServerSocketChannel listener = listen(address);
        SocketChannel caller = SocketChannel.open(listener.getLocalAddress());
        SocketChannel accepted = listener.accept()) {
      Connection call = of(caller);
      DiagSocket found = diag.find(call).orElseThrow();

      assertEquals(call.local(), found.local());
      assertEquals(call.remote(), found.remote());
      assertEquals(inode(call), found.inode());
      assertEquals(inode(call.flipped()), diag.find(call.flipped()).orElseThrow().inode());

      caller.close();

      assertEquals(Optional.empty(), diag.find(call));
    }
  }

  @Test
  void aListenerIsNotAConnection() throws Exception {
    try (ServerSocketChannel listener = listen("127.0.0.1")) {
      Endpoint local = endpoint(listener.getLocalAddress());

      assertEquals(
          Optional.empty(), diag.find(Connection.tcp(local, Endpoint.parse("127.0.0.1:3"))));
      assertTrue(diag.listening(local));
      assertFalse(diag.listening(new Endpoint(local.address(), 1)));
    }
  }

  @Test
  void aReplyToAnEarlierQuestionIsNotTakenForThisOnes() throws Exception {
    try (ServerSocketChannel listener = listen("127.0.0.1");
        SocketChannel caller = SocketChannel.open(listener.getLocalAddress());
        NetlinkSocket raw = NetlinkSocket.open(own, NetlinkSocket.SOCK_DIAG)) {
      // Asked and never received: what a look-up leaves behind whose wait ended early.
      raw.request(20, 0x301, 72).put(16, (byte) 2).put(17, (byte) 6).putInt(20, -1);
      raw.send();
      raw.request(20, 1, 72).put(16, (byte) 2).put(17, (byte) 6).putInt(20, -1).putLong(64, -1);
      raw.send();

      NetlinkMessage answer = raw.receive().getFirst();

      assertEquals(2, answer.sequence());
      assertEquals(NetlinkMessage.ERROR, answer.type());
      assertTrue(caller.isConnected());
    }
  }

  @Test
  void everyUdpSocketOfThePortCanBeTheSenderAndTheConnectedOneIsFirst() throws Exception {
    try (DatagramChannel one = shared(0)) {
      Endpoint bound = endpoint(one.getLocalAddress());
      Connection sending =
          new Connection(
              Protocol.UDP,
              new Endpoint(InetAddress.ofLiteral("127.0.0.1"), bound.port()),
              Endpoint.parse("127.0.0.1:9"));
      assertEquals(1, senders(sending).size());
      try (DatagramChannel two =
          shared(bound.port())
              .connect(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 9))) {
        List<DiagSocket> senders = senders(sending);
        assertEquals(2, senders.size(), "with " + endpoint(two.getLocalAddress()));
        assertEquals(sending.remote(), senders.getFirst().remote());
        var toAnother =
            new Connection(Protocol.UDP, sending.local(), Endpoint.parse("127.0.0.1:10"));
        assertEquals(2, senders(toAnother).size(), "sendto(2) goes anywhere");
      }
      var elsewhere =
          new Connection(
              Protocol.UDP, Endpoint.parse("127.0.0.1:" + (bound.port() ^ 1)), sending.remote());
      assertEquals(List.of(), senders(elsewhere));
    }
  }

  private List<DiagSocket> senders(Connection connection) throws IOException {
    return diag.senders(connection).orElseThrow();
  }

  @Test
  void ofAPortWithMoreSocketsThanAreReadNoneIsTold() throws Exception {
    List<DatagramChannel> channels = new ArrayList<>(List.of(shared(0)));
    try {
      int port = endpoint(channels.getFirst().getLocalAddress()).port();
      var sending =
          new Connection(
              Protocol.UDP, Endpoint.parse("127.0.0.1:" + port), Endpoint.parse("127.0.0.1:9"));
      while (channels.size() < SockDiag.MOST_ON_PORT) {
        channels.add(shared(port));
      }
      assertEquals(SockDiag.MOST_ON_PORT, senders(sending).size());

      // They cannot send IPv6 and count nevertheless: to read them takes as long.
      channels.add(
          DatagramChannel.open(StandardProtocolFamily.INET)
              .setOption(StandardSocketOptions.SO_REUSEADDR, true)
              .bind(new InetSocketAddress(port)));

      assertEquals(Optional.empty(), diag.senders(sending));
      assertEquals(Optional.empty(), diag.senders(sending), "after one that was not read");
    } finally {
      for (DatagramChannel each : channels) {
        each.close();
      }
    }
  }

  @Test
  void noSocketIsOfPort0() throws Exception {
    try (DatagramChannel one = shared(0)) {
      var sending =
          new Connection(
              Protocol.UDP, Endpoint.parse("127.0.0.1:0"), Endpoint.parse("127.0.0.1:9"));
      assertEquals(List.of(), senders(sending), "with " + endpoint(one.getLocalAddress()));
    }
  }

  private static DatagramChannel shared(int port) throws IOException {
    return DatagramChannel.open()
        .setOption(StandardSocketOptions.SO_REUSEADDR, true)
        .bind(new InetSocketAddress(port));
  }

  @Test
  void asksTheNamespaceItWasOpenedFor() throws Exception {
    Process other =
        new ProcessBuilder(
                "unshare", "--net", "sh", "-c", "ip link set lo up; echo ready; exec sleep 60")
            .start();
    try (ServerSocketChannel listener = listen("127.0.0.1");
        SocketChannel caller = SocketChannel.open(listener.getLocalAddress());
        DatagramChannel sender = shared(0)) {
      assertEquals("ready", other.inputReader().readLine());
      int port = endpoint(sender.getLocalAddress()).port();
      var sending =
          new Connection(
              Protocol.UDP, Endpoint.parse("127.0.0.1:" + port), Endpoint.parse("127.0.0.1:9"));
      try (Netns netns = Netns.at(Path.of("/proc/" + other.pid() + "/ns/net"));
          SockDiag there = SockDiag.open(netns)) {
        assertEquals(Optional.empty(), there.find(of(caller)));
        assertTrue(diag.find(of(caller)).isPresent());
        assertEquals(Optional.of(List.of()), there.senders(sending));
        assertEquals(1, senders(sending).size());
        assertFalse(own.cookie().equals(netns.cookie()));
        assertEquals(
            Files.readSymbolicLink(Path.of("/proc/" + other.pid() + "/ns/net")).toString(),
            "net:[" + netns.inode() + "]");
      }
    } finally {
      other.destroyForcibly();
    }
  }

  @Test
  void localAddressesFollowTheInterfaces() throws Exception {
    Process other =
        new ProcessBuilder("unshare", "--net", "sh", "-c", "ip link set lo up; echo ready; sh")
            .redirectErrorStream(true)
            .start();
    try {
      assertEquals("ready", other.inputReader().readLine());
      try (Netns netns = Netns.at(Path.of("/proc/" + other.pid() + "/ns/net"));
          LocalAddresses addresses = LocalAddresses.open(netns)) {
        InetAddress added = InetAddress.ofLiteral("10.77.0.1");
        assertTrue(addresses.contains(InetAddress.ofLiteral("127.0.0.1")));
        assertFalse(addresses.contains(added));

        var shell = other.outputWriter();
        shell.write("ip addr add 10.77.0.1/24 dev lo && echo added\n");
        shell.flush();
        assertEquals("added", other.inputReader().readLine());

        assertTrue(addresses.contains(added));
        assertTrue(addresses.onLink().contains(Prefix.parse("10.77.0.0/24")));
      }
    } finally {
      other.destroyForcibly();
    }
  }

  /** By another way of asking: the lines of /proc/net, proc(5). */
  private static long inode(Connection connection) throws IOException {
    String file = connection.protocol().name().toLowerCase(Locale.ROOT);
    String ports =
        String.format(
            ".*:%04X [0-9A-F]+:%04X .*", connection.local().port(), connection.remote().port());
    List<String> lines = new ArrayList<>(Files.readAllLines(Path.of("/proc/self/net/" + file)));
    lines.addAll(Files.readAllLines(Path.of("/proc/self/net/" + file + "6")));
    List<String> matching = lines.stream().filter(line -> line.matches(ports)).toList();
    assertEquals(1, matching.size(), "one socket " + connection);
    return Long.parseLong(matching.getFirst().strip().split(" +", -1)[9]);
  }
}
