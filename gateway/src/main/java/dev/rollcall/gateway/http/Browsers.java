package dev.rollcall.gateway.http;

import dev.rollcall.settings.HostPort;
import dev.rollcall.wire.Refusal;
import dev.rollcall.wire.Refusal.Reason;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.HostAndPort;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/** Refuses requests that another site's page sends with a browser's certificate or local access. */
public final class Browsers {
  private Browsers() {}

  /** Why a request is refused; absent: it is not. */
  static Optional<Refusal> objection(HttpServerRequest request) {
    return headersObjection(request)
        .or(() -> siteObjection(request).map(why -> Refusal.of(Reason.SITE_REFUSED, why)));
  }

  /**
   * Objects to headers that a proxy on the way may have understood otherwise: two hosts (RFC 9112,
   * 3.2), and transfer codings besides one "chunked" (6.1). The answer then ends the connection: a
   * next request may begin elsewhere than it seems.
   */
  public static Optional<Refusal> headersObjection(HttpServerRequest request) {
    if (request.version() == HttpVersion.HTTP_2) {
      return Optional.empty();
    }
    int hosts = request.headers().getAll(HttpHeaders.HOST).size();
    if (hosts != 1) {
      return Optional.of(last(request, "header host", "it is there " + hosts + " times"));
    }
    List<String> codings = request.headers().getAll(HttpHeaders.TRANSFER_ENCODING);
    return codings.isEmpty()
            || (codings.size() == 1 && codings.getFirst().equalsIgnoreCase("chunked"))
        ? Optional.empty()
        : Optional.of(
            last(
                request,
                "header transfer-encoding",
                "'" + String.join(", ", codings) + "' is not chunked"));
  }

  private static Refusal last(HttpServerRequest request, String field, String problem) {
    request
        .response()
        .putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE)
        .endHandler(_ -> request.connection().close());
    return Refusal.of(Reason.FIELD_INVALID, field + ": " + problem).field(field, problem);
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
