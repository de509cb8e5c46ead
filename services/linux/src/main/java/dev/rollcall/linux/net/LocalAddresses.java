package dev.rollcall.linux.net;

import dev.rollcall.linux.ErrnoException;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.Prefix;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Lists the current addresses of one network namespace, by rtnetlink(7). Each query first checks
 * for a change, in a microsecond. Thread-safe.
 */
public final class LocalAddresses implements AutoCloseable {
  private static final int RTM_NEWADDR = 20;
  private static final int RTM_GETADDR = 22;
  private static final int NLM_F_REQUEST = 1;
  private static final int NLM_F_DUMP = 0x300;
  private static final int IFADDRMSG = 8; // u8 family, prefix length, flags, scope; u32 interface
  private static final int IFA_ADDRESS = 1;
  private static final int IFA_LOCAL = 2;

  private final NetlinkSocket changes;
  private final NetlinkSocket dumps;
  private Set<Prefix> addresses = Set.of();
  private Set<InetAddress> own = Set.of();

  private LocalAddresses(NetlinkSocket changes, NetlinkSocket dumps) {
    this.changes = changes;
    this.dumps = dumps;
  }

  public static LocalAddresses open(Netns netns) throws IOException {
    NetlinkSocket changes = NetlinkSocket.open(netns, NetlinkSocket.ROUTE);
    try {
      changes.subscribe(NetlinkSocket.ADDRESSES);
      LocalAddresses opened =
          new LocalAddresses(changes, NetlinkSocket.open(netns, NetlinkSocket.ROUTE));
      opened.readAgain();
      return opened;
    } catch (IOException | RuntimeException e) {
      changes.close();
      throw e;
    }
  }

  public synchronized boolean contains(InetAddress address) throws IOException {
    refresh();
    return own.contains(address);
  }

  /** The prefixes that are on-link by the addresses of the interfaces. */
  public synchronized Set<Prefix> onLink() throws IOException {
    refresh();
    return addresses;
  }

  private void refresh() throws IOException {
    if (changes.drain()) {
      readAgain();
    }
  }

  private void readAgain() throws IOException {
    dumps.request(RTM_GETADDR, NLM_F_REQUEST | NLM_F_DUMP, NetlinkMessage.HEADER + IFADDRMSG);
    dumps.send();
    Set<Prefix> onLink = new HashSet<>();
    Set<InetAddress> found = new HashSet<>();
    while (true) {
      for (NetlinkMessage message : dumps.receive()) {
        switch (message.type()) {
          case RTM_NEWADDR -> add(message, onLink, found);
          case NetlinkMessage.ERROR ->
              throw new ErrnoException("rtnetlink", "RTM_GETADDR", message.errno());
          case NetlinkMessage.DONE -> {
            addresses = Set.copyOf(onLink);
            own = Set.copyOf(found);
            return;
          }
          default -> {} // netlink(7): unknown types are to be skipped
        }
      }
    }
  }

  static void add(NetlinkMessage message, Set<Prefix> onLink, Set<InetAddress> own)
      throws MalformedReplyException {
    if (message.payload().limit() < IFADDRMSG) {
      throw new MalformedReplyException("ifaddrmsg of " + message.payload().limit() + " bytes");
    }
    Map<Integer, ByteBuffer> attributes = message.attributes(IFADDRMSG);
    ByteBuffer onLinkAddress = attributes.get(IFA_ADDRESS);
    // On a point-to-point link IFA_ADDRESS is the other end's and IFA_LOCAL this one's.
    ByteBuffer local = attributes.getOrDefault(IFA_LOCAL, onLinkAddress);
    int length = message.payload().get(1) & 0xff;
    if (local == null || onLinkAddress == null || !fits(local) || !fits(onLinkAddress)) {
      return; // a family that is not IP
    }
    own.add(address(local));
    InetAddress network = address(onLinkAddress);
    if (length <= network.getAddress().length * 8) {
      onLink.add(new Prefix(network, length));
    }
  }

  private static boolean fits(ByteBuffer address) {
    return address.limit() == 4 || address.limit() == 16;
  }

  private static InetAddress address(ByteBuffer bytes) {
    return Endpoint.addressOf(NetlinkMessage.bytes(bytes, 0, bytes.limit()));
  }

  @Override
  public synchronized void close() {
    changes.close();
    dumps.close();
  }
}
