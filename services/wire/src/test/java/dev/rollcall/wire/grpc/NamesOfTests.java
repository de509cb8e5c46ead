package dev.rollcall.wire.grpc;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Answers for the names that a test sets, as hosts(5) would; the system answers for all others. */
public final class NamesOfTests extends InetAddressResolverProvider {
  private static final Map<String, List<InetAddress>> ADDRESSES = new ConcurrentHashMap<>();

  static void set(String name, String... addresses) {
    ADDRESSES.put(name, Stream.of(addresses).map(literal -> named(name, literal)).toList());
  }

  /** As the system's own resolver has it: the address knows the name. */
  private static InetAddress named(String name, String literal) {
    try {
      return InetAddress.getByAddress(name, InetAddress.ofLiteral(literal).getAddress());
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public InetAddressResolver get(Configuration configuration) {
    InetAddressResolver system = configuration.builtinResolver();
    return new InetAddressResolver() {
      @Override
      public Stream<InetAddress> lookupByName(String host, LookupPolicy policy)
          throws UnknownHostException {
        if (!host.endsWith(".test")) {
          return system.lookupByName(host, policy);
        }
        List<InetAddress> known = ADDRESSES.getOrDefault(host, List.of());
        if (known.isEmpty()) {
          throw new UnknownHostException(host + ": Name or service not known");
        }
        return known.stream();
      }

      @Override
      public String lookupByAddress(byte[] address) throws UnknownHostException {
        return system.lookupByAddress(address);
      }
    };
  }

  @Override
  public String name() {
    return "names of tests";
  }
}
