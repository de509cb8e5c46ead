package dev.rollcall.gateway.node;

import dev.rollcall.model.AddressText;
import java.net.InetAddress;
import java.util.Set;
import java.util.stream.Collectors;

/** Says for a log which addresses of a node are ignored: how many, and the first of them. */
final class IgnoredAddresses {
  private static final int SHOWN = 8;

  private IgnoredAddresses() {}

  static String of(Set<InetAddress> ignored) {
    String first =
        ignored.stream()
            .map(AddressText::of)
            .sorted()
            .limit(SHOWN)
            .collect(Collectors.joining(", "));
    return ignored.size()
        + " addresses that are not in its certificate are ignored: "
        + first
        + (ignored.size() > SHOWN ? ", …" : "");
  }
}
