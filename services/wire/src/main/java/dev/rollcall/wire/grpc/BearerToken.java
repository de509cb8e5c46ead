package dev.rollcall.wire.grpc;

import io.grpc.Metadata;
import java.util.Optional;

/** A token in the header of a call, RFC 6750. */
public final class BearerToken {
  public static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private static final String SCHEME = "Bearer ";

  private BearerToken() {}

  public static String header(String token) {
    return SCHEME + token;
  }

  /** Empty if there is none; what else a client proves itself by is not ours. */
  public static Optional<String> in(Metadata headers) {
    return Optional.ofNullable(headers.get(AUTHORIZATION))
        .filter(value -> value.regionMatches(true, 0, SCHEME, 0, SCHEME.length()))
        .map(value -> value.substring(SCHEME.length()).strip());
  }
}
