package dev.rollcall.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.gateway.TestGateways.World;
import dev.rollcall.wire.grpc.VertxSettings;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pages of other sites that ask by gRPC, where the gateway listens in plaintext on loopback. */
class GrpcPagesTest {
  private final Vertx vertx = VertxSettings.start(VertxSettings.quiet());
  private TestGateways gateways;

  @BeforeEach
  void start() throws Exception {
    gateways = new TestGateways(World.MEMORY, 1);
  }

  @AfterEach
  void stop() {
    vertx.close().await();
    gateways.close();
  }

  @ParameterizedTest
  @CsvSource({
    "HTTP_2, application/grpc, origin, http://evil.example",
    "HTTP_2, application/grpc+proto, sec-fetch-site, cross-site",
    "HTTP_1_1, application/grpc-web+proto, host, evil.example:17550",
    "HTTP_1_1, application/grpc-web-text, origin, http://evil.example",
  })
  void areRefused(HttpVersion version, String type, String header, String value) {
    assertEquals(403, ask(version, type, header, value));
  }

  @ParameterizedTest
  @CsvSource({
    "HTTP_2, application/grpc, 200",
    "HTTP_1_1, application/grpc-web+proto, 415",
    "HTTP_1_1, application/grpc, 415",
    "HTTP_2, application/grpc+json, 415",
  })
  void programsAskByGrpcOverHttp2Alone(HttpVersion version, String type, int status) {
    assertEquals(status, ask(version, type, "user-agent", "curl"));
  }

  private int ask(HttpVersion version, String type, String header, String value) {
    HttpClient client =
        vertx.createHttpClient(
            new HttpClientOptions().setProtocolVersion(version).setHttp2ClearTextUpgrade(false));
    try {
      return client
          .request(
              new RequestOptions()
                  .setMethod(HttpMethod.POST)
                  .setHost("127.0.0.1")
                  .setPort(gateways.gateway(0).port())
                  .setURI("/rollcall.v1.NodeService/ListNodes")
                  .putHeader("content-type", type)
                  .putHeader(header, value))
          .compose(request -> request.send(Buffer.buffer(new byte[5])))
          .compose(response -> response.end().map(_ -> response))
          .map(HttpClientResponse::statusCode)
          .await();
    } finally {
      client.shutdown(0, TimeUnit.SECONDS).await();
    }
  }
}
