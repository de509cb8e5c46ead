package dev.rollcall.wire.trace;

import dev.rollcall.wire.address.ServerHttpClient;
import dev.rollcall.wire.tls.TlsIdentity;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Sends traces to a collector: OTLP over HTTP, with a connection for each message. */
final class Collector {
  /** The result of sending a message. */
  sealed interface Answer {
    /**
     * It came there.
     *
     * @param rejected spans that were not taken all the same
     */
    record Taken(long rejected) implements Answer {}

    /** It never will be. */
    record Refused(String why) implements Answer {}

    /** Later, perhaps. */
    record Away(String why) implements Answer {}
  }

  static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final String PATH = "/v1/traces";
  private static final int LONGEST_ANSWER = 65_536;
  private static final int OK = 200;

  /** By OTLP the same message may be sent again. */
  private static final Set<Integer> AGAIN = Set.of(429, 502, 503, 504);

  private final String host;
  private final int port;
  private final ServerHttpClient http;

  /**
   * @param tls absent: in clear
   */
  Collector(Vertx vertx, String host, int port, Optional<TlsIdentity> tls) {
    this.host = host;
    this.port = port;
    var options =
        new HttpClientOptions()
            .setKeepAlive(false)
            .setConnectTimeout((int) PATIENCE.toMillis())
            .setIdleTimeout((int) PATIENCE.toSeconds());
    tls.ifPresent(identity -> {
      identity.applyTo(options);
      options.setUseAlpn(false).setVerifyHost(true);
    });
    http =
        new ServerHttpClient(
            vertx,
            vertx.httpClientBuilder().with(options).with(new PoolOptions().setCleanerPeriod(0)),
            host,
            port);
  }

  /** Never fails, and ends by the patience. */
  Future<Answer> take(byte[] message) {
    var to =
        new RequestOptions()
            .setMethod(HttpMethod.POST)
            .setURI(PATH)
            .putHeader(HttpHeaders.CONTENT_TYPE, "application/x-protobuf");
    return http.request(to)
        .compose(request -> request.send(Buffer.buffer(message)).compose(this::answer))
        .timeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
        .onComplete(_ -> http.lost()) // the connection ends with its message
        .recover(
            cause -> Future.succeededFuture(new Answer.Away(String.valueOf(cause.getMessage()))));
  }

  private Future<Answer> answer(HttpClientResponse response) {
    Buffer body = Buffer.buffer();
    response.handler(bytes -> {
      if (body.length() < LONGEST_ANSWER) {
        body.appendBuffer(bytes);
      }
    });
    int status = response.statusCode();
    return response
        .end()
        .map(_ -> {
          if (status == OK) {
            return new Answer.Taken(Otlp.rejected(body.getBytes()));
          }
          String why = "it answered " + status + " " + response.statusMessage();
          return AGAIN.contains(status) ? new Answer.Away(why) : new Answer.Refused(why);
        });
  }

  Future<Void> close() {
    return http.close();
  }

  @Override
  public String toString() {
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
  }
}
