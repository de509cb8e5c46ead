package dev.rollcall.gateway.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import java.net.URI;
import java.util.Optional;

/**
 * Keeps pages of other sites from asking with what a browser of somebody brings: its certificate,
 * or that it runs on this machine.
 */
final class Browsers {
  private Browsers() {}

  /** Why a request is not taken; absent: it is. */
  static Optional<String> objection(HttpServerRequest request) {
    HostAndPort host = request.authority();
    if (host == null) {
      return Optional.of("the request names no host");
    }
    // In clear there is loopback alone, and another name for it is somebody's trick.
    if (!request.isSSL() && !isLoopback(host.host())) {
      return Optional.of("host '" + host.host() + "' is not loopback");
    }
    String site = request.getHeader("sec-fetch-site");
    if (site != null && !site.equals("same-origin") && !site.equals("none")) {
      return Optional.of("a page of another site asks");
    }
    String origin = request.getHeader(HttpHeaders.ORIGIN);
    return origin == null || isOf(origin, host)
        ? Optional.empty()
        : Optional.of("a page of '" + origin + "' asks");
  }

  private static boolean isOf(String origin, HostAndPort host) {
    try {
      URI page = URI.create(origin);
      return host.host().equalsIgnoreCase(page.getHost()) && host.port() == page.getPort();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static boolean isLoopback(String host) {
    return host.equals("localhost")
        || host.equals("[::1]")
        || host.equals("::1")
        || host.matches("127(\\.[0-9]{1,3}){3}");
  }
}
