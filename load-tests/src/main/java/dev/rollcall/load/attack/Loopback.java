package dev.rollcall.load.attack;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Addresses of 127.0.0.0/8, as many clients have different ones. */
final class Loopback {
  private static final int OTHER = 77;

  private Loopback() {}

  static InetAddress address(int number) throws UnknownHostException {
    return InetAddress.getByAddress(
        new byte[] {127, OTHER, (byte) (number >> 8), (byte) (number + 1)});
  }
}
