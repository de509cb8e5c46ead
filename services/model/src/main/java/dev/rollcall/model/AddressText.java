package dev.rollcall.model;

import java.net.Inet6Address;
import java.net.InetAddress;

/** Writes IP addresses for people, IPv6 as RFC 5952 recommends: {@code fd77::1}. */
public final class AddressText {
  private static final int GROUPS = 8;

  private AddressText() {}

  /** The address without a zone and without brackets. */
  public static String of(InetAddress address) {
    return address instanceof Inet6Address ? v6(address.getAddress()) : address.getHostAddress();
  }

  /** The longest run of at least two groups of zeros, the first of equal ones, becomes "::". */
  private static String v6(byte[] bytes) {
    int from = GROUPS;
    int length = 1;
    for (int i = 0; i < GROUPS; i++) {
      int run = zerosFrom(bytes, i);
      if (run > length) {
        from = i;
        length = run;
      }
    }
    if (from == GROUPS) {
      return groups(bytes, 0, GROUPS);
    }
    return groups(bytes, 0, from) + "::" + groups(bytes, from + length, GROUPS);
  }

  private static int zerosFrom(byte[] bytes, int first) {
    int end = first;
    while (end < GROUPS && group(bytes, end) == 0) {
      end++;
    }
    return end - first;
  }

  private static String groups(byte[] bytes, int from, int to) {
    var text = new StringBuilder();
    for (int i = from; i < to; i++) {
      text.append(i == from ? "" : ":").append(Integer.toHexString(group(bytes, i)));
    }
    return text.toString();
  }

  private static int group(byte[] bytes, int index) {
    return (bytes[2 * index] & 0xff) << 8 | (bytes[2 * index + 1] & 0xff);
  }
}
