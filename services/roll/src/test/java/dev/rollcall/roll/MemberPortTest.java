package dev.rollcall.roll;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.hazelcast.cluster.Address;
import com.hazelcast.cluster.Member;
import com.hazelcast.instance.ProtocolType;
import com.hazelcast.internal.cluster.impl.MemberHandshake;
import com.hazelcast.internal.nio.Packet;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.hazelcast.map.IMap;
import dev.rollcall.model.Endpoint;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.testkit.roll.SettableClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Attacks on a member's port, of a process with a small heap that ends when it is full. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MemberPortTest {
  private static final int TRIES = 100;
  private static final int PATIENCE_MILLIS = 30_000;
  private static final byte[] PROTOCOL = "HZC".getBytes(US_ASCII);
  private static final int TWO_GIB = Integer.MAX_VALUE - 8;
  private static final InetAddress MEMBERS = InetAddress.ofLiteral("127.0.0.1");
  private static final InetAddress STRANGERS = InetAddress.ofLiteral("127.0.0.2");

  private final Members members = new Members("port", new SettableClock());
  private final List<Socket> open = new ArrayList<>();
  private OtherProcess attacked;
  private Grid honest;
  private IMap<Integer, byte[]> data;

  @BeforeAll
  void startMembers() throws IOException {
    attacked = OtherProcess.start(members.cluster(), "attacked:7450");
    honest =
        members.start(
            new GridConfig(
                members.cluster(),
                "honest:7450",
                Endpoint.parse("127.0.0.1:0"),
                List.of(attacked.listening().toString()),
                false),
            member -> member.getProperties().remove("hazelcast.partition.count"));
    Await.until(
        "both have joined",
        () -> honest.members() == 2 && honest.member().getPartitionService().isClusterSafe());
    data = honest.member().getMap("data");
    for (int i = 0; i < TRIES; i++) {
      data.set(i, new byte[i]);
    }
  }

  @AfterEach
  void closeConnections() throws IOException {
    for (Socket socket : open) {
      socket.close();
    }
    open.clear();
  }

  @AfterAll
  void endMembers() {
    members.close();
    attacked.close();
  }

  @Test
  void aHostThatIsNoMembersIsNotReadFrom() throws IOException {
    for (int i = 0; i < TRIES; i++) {
      try (Socket socket = connect(STRANGERS)) {
        send(socket, PROTOCOL, header(0, TWO_GIB));
        assertTrue(ends(socket));
      }
    }
    bothGoOn();
  }

  @Test
  void aLengthFarBeyondTheHeapEndsTheConnection() throws IOException {
    for (int i = 0; i < TRIES; i++) {
      try (Socket socket = connect(MEMBERS)) {
        send(socket, PROTOCOL, header(0, TWO_GIB - i));
        assertTrue(ends(socket));
      }
    }
    for (int length : List.of(-1, MemberConnections.MOST_OF_STRANGERS + 1)) {
      try (Socket socket = connect(MEMBERS)) {
        send(socket, PROTOCOL, header(0, length));
        assertTrue(ends(socket), () -> "after a length of " + length);
      }
    }
    bothGoOn();
  }

  @Test
  void alsoAfterTheHandshakeOfAMember() throws IOException {
    for (int i = 0; i < TRIES; i++) {
      try (Socket socket = connect(MEMBERS)) {
        send(socket, PROTOCOL, handshakeOfTheHonest());
        // The answer comes after the handshake was taken.
        socket.getInputStream().readNBytes(PROTOCOL.length + BoundedPacketDecoder.HEADER_BYTES);
        send(socket, header(0, TWO_GIB));
        assertTrue(ends(socket));
      }
    }
    bothGoOn();
  }

  @Test
  void aPortThatTheSiteProtectsAdmitsEveryHost() throws IOException {
    Endpoint listen = Endpoint.parse("127.0.0.1:0");
    var config = new GridConfig(members.cluster() + "2", "g:7450", listen, List.of(), true);
    try (Grid grid = members.start(config, _ -> {});
        Socket socket = connect(STRANGERS, grid.listening())) {
      send(socket, PROTOCOL, handshakeOfTheHonest());
      assertArrayEquals(PROTOCOL, socket.getInputStream().readNBytes(PROTOCOL.length));
    }
  }

  @Test
  void aPacketInPiecesIsWithinTheBoundOrNot() throws IOException {
    try (Socket socket = connect(MEMBERS)) {
      send(socket, PROTOCOL);
      for (byte next : handshakeOfTheHonest()) {
        send(socket, new byte[] {next});
      }
      socket.getInputStream().readNBytes(PROTOCOL.length + BoundedPacketDecoder.HEADER_BYTES);
      for (byte next : header(0, TWO_GIB)) {
        send(socket, new byte[] {next});
      }
      assertTrue(ends(socket));
    }
    bothGoOn();
  }

  /** Each by the address on which it listens, though the system would choose another. */
  @Test
  void hostsThatTheListNamesAreAdmitted() throws IOException {
    var listens = List.of(freePort("127.0.0.11"), freePort("127.0.0.12"));
    List<String> all = listens.stream().map(Endpoint::toString).toList();
    var grids = new ArrayList<Grid>();
    for (Endpoint listen : listens) {
      String gateway = listen + "-gateway";
      grids.add(
          members.start(
              new GridConfig(members.cluster() + "3", gateway, listen, all, false), _ -> {}));
    }
    Await.until(
        "both have joined", () -> grids.stream().allMatch(grid -> grid.members() == grids.size()));
  }

  private static Endpoint freePort(String address) throws IOException {
    var host = InetAddress.ofLiteral(address);
    try (var socket = new ServerSocket(0, 1, host)) {
      return new Endpoint(host, socket.getLocalPort());
    }
  }

  @Test
  void ofACrowdTheOldestGo() throws IOException {
    for (int i = 0; i < 4 * MemberConnections.MOST; i++) {
      Socket socket = connect(i % 2 == 0 ? MEMBERS : STRANGERS);
      open.add(socket);
      if (i % 3 == 0) {
        send(socket, PROTOCOL);
      }
    }
    for (int i = 0; i < open.size(); i++) {
      if (i % 2 == 1 || i < 2 * MemberConnections.MOST) {
        assertTrue(ends(open.get(i)), "connection " + i);
      }
    }
    bothGoOn();
  }

  @Test
  void whatMembersSendEachOtherIsFarLarger() {
    for (int i = 0; i < 8; i++) {
      data.set(i, new byte[8 << 20]);
      assertEquals(8 << 20, lengthOf(i));
      data.delete(i);
    }
    bothGoOn();
  }

  private void bothGoOn() {
    for (int i = 0; i < TRIES; i++) {
      data.set(TRIES + i, new byte[1]);
    }
    for (int i = 10; i < TRIES; i++) {
      assertEquals(i, lengthOf(i));
    }
    assertEquals(2, honest.members());
  }

  private int lengthOf(int key) {
    return requireNonNull(data.get(key)).length;
  }

  private Socket connect(InetAddress from) throws IOException {
    return connect(from, attacked.listening());
  }

  private static Socket connect(InetAddress from, Endpoint port) throws IOException {
    var socket = new Socket();
    socket.setSoTimeout(PATIENCE_MILLIS);
    socket.bind(new InetSocketAddress(from, 0));
    socket.connect(new InetSocketAddress(port.address(), port.port()), PATIENCE_MILLIS);
    return socket;
  }

  /** A connection that has ended meanwhile is what the attacker gets. */
  private static void send(Socket socket, byte[]... parts) {
    try {
      for (byte[] part : parts) {
        socket.getOutputStream().write(part);
      }
    } catch (IOException e) {
      assertTrue(ends(socket));
    }
  }

  private static boolean ends(Socket socket) {
    try {
      while (socket.getInputStream().read() >= 0) {}
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  private static byte[] header(int flags, int length) {
    return ByteBuffer.allocate(BoundedPacketDecoder.HEADER_BYTES)
        .put(Packet.VERSION)
        .putChar((char) flags)
        .putInt(-1)
        .putInt(length)
        .array();
  }

  private byte[] handshakeOfTheHonest() {
    Member stolen = honest.member().getCluster().getLocalMember();
    Address target =
        new Address(
            new InetSocketAddress(attacked.listening().address(), attacked.listening().port()));
    byte[] content =
        new DefaultSerializationServiceBuilder()
            .build()
            .toBytes(
                new MemberHandshake(
                    (byte) 2,
                    Map.of(ProtocolType.MEMBER, List.of(stolen.getAddress())),
                    target,
                    true,
                    stolen.getUuid()));
    int flags = new Packet(content).setPacketType(Packet.Type.SERVER_CONTROL).getFlags();
    return ByteBuffer.allocate(BoundedPacketDecoder.HEADER_BYTES + content.length)
        .put(header(flags, content.length))
        .put(content)
        .array();
  }
}
