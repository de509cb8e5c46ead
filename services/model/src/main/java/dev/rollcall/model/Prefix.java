package dev.rollcall.model;

import java.net.InetAddress;
import java.util.Arrays;

/**
 * A block of addresses. The bits after the length are zero.
 *
 * @param length 0 to 32 for IPv4, to 128 for IPv6
 */
public record Prefix(InetAddress address, int length) {
  public Prefix {
    byte[] bytes = address.getAddress();
    if (length < 0 || length > bytes.length * 8) {
      throw new IllegalArgumentException(
          "prefix length " + length + " of " + AddressText.of(address) + " is too long");
    }
    for (int bit = length; bit < bytes.length * 8; bit++) {
      bytes[bit / 8] &= (byte) ~(0x80 >> bit % 8);
    }
    address = Endpoint.addressOf(bytes);
  }

  /**
   * Reads {@code 10.77.0.0/24} or {@code fd77::/64}.
   *
   * @throws IllegalArgumentException naming the text, if it is neither
   */
  public static Prefix parse(String text) {
    int slash = text.indexOf('/');
    try {
      return new Prefix(
          InetAddress.ofLiteral(text.substring(0, Math.max(slash, 0))),
          Integer.parseInt(text.substring(slash + 1)));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("'" + text + "' is not ADDRESS/LENGTH", e);
    }
  }

  /**
   * Reads what {@link #mapped()} and {@link #mappedLength} return.
   *
   * @param mapped 16 bytes
   */
  public static Prefix ofMapped(byte[] mapped, int mappedLength) {
    InetAddress address = Endpoint.addressOf(mapped);
    return new Prefix(address, mappedLength - 128 + address.getAddress().length * 8);
  }

  public boolean contains(InetAddress other) {
    return other.getAddress().length == address.getAddress().length
        && new Prefix(other, length).equals(this);
  }

  /** The 16 bytes of the address, v4-mapped for IPv4. */
  public byte[] mapped() {
    return mapped(address);
  }

  /** As {@link #length} counts in the mapped address. */
  public int mappedLength() {
    return 128 - address.getAddress().length * 8 + length;
  }

  /** The 16 bytes of an address, v4-mapped (RFC 4291, 2.5.5.2) for IPv4. */
  public static byte[] mapped(InetAddress address) {
    byte[] bytes = address.getAddress();
    if (bytes.length == 16) {
      return bytes;
    }
    byte[] mapped = new byte[16];
    Arrays.fill(mapped, 10, 12, (byte) 0xff);
    System.arraycopy(bytes, 0, mapped, 12, 4);
    return mapped;
  }

  @Override
  public String toString() {
    return AddressText.of(address) + "/" + length;
  }
}
