package dev.rollcall.wire.grpc;

/** Refuses plaintext on every address besides loopback. */
final class Plaintext {
  private Plaintext() {}

  /**
   * @param host as it was written: a name that only resolves to loopback today is not enough
   */
  static void check(String host, int port) {
    if (!host.equals("localhost")
        && !host.equals("::1")
        && !host.matches("127(\\.[0-9]{1,3}){3}")) {
      throw new IllegalArgumentException(
          host + " port " + port + " is not on loopback, so TLS is required");
    }
  }
}
