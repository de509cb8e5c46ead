package dev.rollcall.wire.grpc;

/** Without TLS there is loopback alone, whoever asks for more, and by mistake or not. */
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
