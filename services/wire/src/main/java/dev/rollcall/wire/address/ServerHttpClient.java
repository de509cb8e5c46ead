package dev.rollcall.wire.address;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientBuilder;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.net.Address;
import io.vertx.core.net.AddressResolver;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.security.Security;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to one server. Its name is looked up again for each attempt to connect, by
 * getaddrinfo(3), so that hosts(5), resolv.conf(5) and nsswitch.conf(5) count as they are now; and
 * one address after the other is tried. A request fails with the reason of each address.
 */
public final class ServerHttpClient implements HttpClient {
  static {
    // Else a name keeps its address for 30 s, and stays unknown for 10 s (java.security).
    Security.setProperty("networkaddress.cache.ttl", "0");
    Security.setProperty("networkaddress.cache.negative.ttl", "0");
  }

  /** Before the kernel's words, as {@code connect(..) failed with error(-111): }. */
  private static final Pattern CALL =
      Pattern.compile("^\\w+\\(\\.\\.\\) failed( with error\\(-\\d+\\))?: ");

  /** As a SocketAddress the library would look the host up itself, and take none of IPv6. */
  private record Chosen(SocketAddress address) implements Address {
    List<SocketAddress> at() {
      return List.of(address);
    }
  }

  private final VertxInternal vertx;
  private final HttpClient http;
  private final String host;
  private final int port;
  private @Nullable Future<List<SocketAddress>> asked;
  private volatile @Nullable SocketAddress connected;

  /**
   * @param clients for any server
   * @param host a name, or an address without brackets
   */
  public ServerHttpClient(Vertx vertx, HttpClientBuilder clients, String host, int port) {
    this.vertx = (VertxInternal) vertx;
    this.http = clients.withAddressResolver(AddressResolver.mappingResolver(Chosen::at)).build();
    this.host = host;
    this.port = port;
  }

  /**
   * Goes over the connection that there is, or else to one address after the other.
   *
   * @param request its server, host and port are replaced
   */
  @Override
  public Future<HttpClientRequest> request(RequestOptions request) {
    request.setHost(authority()).setPort(port);
    SocketAddress known = connected;
    return known == null
        ? look().compose(all -> first(all, 0, request, new ArrayList<>()))
        : to(known, request);
  }

  private Future<HttpClientRequest> to(SocketAddress address, RequestOptions request) {
    return http.request(new RequestOptions(request).setServer(new Chosen(address)))
        .onFailure(_ -> lost());
  }

  private Future<HttpClientRequest> first(
      List<SocketAddress> all, int at, RequestOptions request, List<String> failures) {
    SocketAddress address = all.get(at);
    return to(address, request)
        .onSuccess(_ -> connected = address)
        .recover(e -> {
          failures.add(address.hostAddress() + ": " + reason(e));
          return at + 1 < all.size()
              ? first(all, at + 1, request, failures)
              : Future.failedFuture(
                  failures.size() == 1 ? e : new IOException(String.join("; ", failures)));
        });
  }

  /** The message of the innermost cause that has one, without the library's part of it. */
  public static String reason(Throwable cause) {
    String reason = cause.toString();
    for (Throwable t = cause; t != null; t = t.getCause()) {
      if (t.getMessage() != null) {
        reason = t.getMessage();
      }
    }
    return CALL.matcher(reason).replaceFirst("");
  }

  /** An address of IPv6 in brackets (RFC 3986, section 3.2.2), without the zone of this node. */
  private String authority() {
    return host.indexOf(':') < 0 ? host : "[" + host.replaceFirst("%.*", "") + "]";
  }

  /** To be called when a connection ended: the next request looks the name up. */
  public void lost() {
    connected = null;
  }

  /** One thread at a time waits for name servers, however many requests wait for it. */
  private synchronized Future<List<SocketAddress>> look() {
    Promise<List<SocketAddress>> own = vertx.getOrCreateContext().promise();
    try {
      own.complete(List.of(at(InetAddress.ofLiteral(host))));
    } catch (IllegalArgumentException _) { // a name
      if (asked == null) {
        Promise<List<SocketAddress>> answer = Promise.promise();
        asked = answer.future();
        Thread.ofPlatform().daemon().name("rollcall-names").start(() -> answer(answer));
      }
      asked.onComplete(own);
    }
    return own.future();
  }

  /** Without the name, by which the library would take all addresses of a server for one. */
  private SocketAddress at(InetAddress address) {
    String literal = address.getHostAddress();
    return SocketAddress.inetSocketAddress(
        new InetSocketAddress(InetAddress.ofLiteral(literal), port));
  }

  private void answer(Promise<List<SocketAddress>> to) {
    Future<List<SocketAddress>> answer = lookUp();
    synchronized (this) {
      asked = null;
    }
    answer.onComplete(to);
  }

  private Future<List<SocketAddress>> lookUp() {
    try {
      return Future.succeededFuture(
          Stream.of(InetAddress.getAllByName(host)).map(this::at).toList());
    } catch (UnknownHostException e) {
      return Future.failedFuture(e);
    }
  }

  @Override
  public Future<Void> shutdown(Duration timeout) {
    return http.shutdown(timeout);
  }
}
