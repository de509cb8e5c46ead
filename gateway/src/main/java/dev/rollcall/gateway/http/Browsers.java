package dev.rollcall.gateway.http;

import dev.rollcall.settings.HostPort;
import dev.rollcall.wire.Refusal;
import dev.rollcall.wire.Refusal.Reason;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.HostAndPort;
import java.net.URI;
import java.util.Optional;

/** Refuses requests that another site's page sends with a browser's certificate or local access. */
public final class Browsers {
  private Browsers() {}

  /** Why a request is refused; absent: it is not. */
  static Optional<Refusal> objection(HttpServerRequest request) {
    return hostsObjection(request)
        .or(() -> siteObjection(request).map(why -> Refusal.of(Reason.SITE_REFUSED, why)));
  }

  /** RFC 9112, 3.2: with two hosts, a proxy on the way may have gone by the other one. */
  public static Optional<Refusal> hostsObjection(HttpServerRequest request) {
    int hosts = request.headers().getAll(HttpHeaders.HOST).size();
    if (hosts == 1 || request.version() == HttpVersion.HTTP_2) {
      return Optional.empty();
    }
    String problem = "it is there " + hosts + " times";
    return Optional.of(
        Refusal.of(Reason.FIELD_INVALID, "header host: " + problem).field("header host", problem));
  }

  /**
   * Objects to requests of other sites' pages and, without TLS, to host names besides loopback's.
   */
  public static Optional<String> siteObjection(HttpServerRequest request) {
    HostAndPort host = request.authority();
    if (host == null) {
      return Optional.of("the request names no host");
    }
    // Plaintext is only served on loopback. Another host name is an attack, such as DNS rebinding.
    boolean loopback = host.host().equals("[::1]") || new HostPort(host.host(), 0).loopback();
    if (!request.isSSL() && !loopback) {
      return Optional.of("host '" + host.host() + "' is not loopback");
    }
    String site = request.getHeader("sec-fetch-site");
    if (site != null && !site.equals("same-origin") && !site.equals("none")) {
      return Optional.of("the request comes from a page of another site");
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
}
