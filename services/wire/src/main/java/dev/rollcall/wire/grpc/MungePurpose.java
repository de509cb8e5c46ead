package dev.rollcall.wire.grpc;

import io.grpc.Metadata;

/** The purpose of a munge credential: to authenticate a call to a gateway. */
public final class MungePurpose {
  /** A credential as munge writes it. Each call has its own. */
  public static final Metadata.Key<String> CREDENTIAL =
      Metadata.Key.of("rollcall-munge", Metadata.ASCII_STRING_MARSHALLER);

  private MungePurpose() {}

  /**
   * What the credential holds, so that it is good for nothing else.
   *
   * @param binding of the TLS connection
   */
  public static String payload(String binding) {
    return "rollcall gateway 1 " + binding;
  }
}
