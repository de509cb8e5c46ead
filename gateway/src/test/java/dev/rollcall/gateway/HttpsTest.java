package dev.rollcall.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import dev.rollcall.gateway.Roles.Who;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.wire.tls.TlsFiles;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who may ask what by HTTP, with a certificate of each kind: as by gRPC. */
class HttpsTest {
  private record Answer(int status, String body) {
    List<String> jobs() {
      return StreamSupport.stream(
              JsonParser.parseString(body).getAsJsonObject().getAsJsonArray("jobs").spliterator(),
              false)
          .map(JsonElement::getAsJsonObject)
          .map(job -> job.get("jobId").getAsString() + "@" + job.get("node").getAsString())
          .toList();
    }
  }

  @TempDir Path directory = Path.of("unset");
  private final Vertx vertx = Vertx.vertx();
  private Roles roles;

  @BeforeEach
  void start() throws Exception {
    roles = new Roles(directory);
    FakeAgent node1 = roles.agent(Who.NODE1, "node1", "10.0.0.1");
    FakeAgent node2 = roles.agent(Who.NODE2, "node2", "10.0.0.2");
    node1.tell(FakeAgent.job(7, 1000), List.of(FakeAgent.process(70)));
    node2.tell(FakeAgent.job(8, 1001), List.of(FakeAgent.process(80)));
    node1.complete();
    node2.complete();
    Await.until("the jobs are there", () -> roles.gateways.memory.jobs().size() == 2);
  }

  @AfterEach
  void stop() throws Exception {
    roles.close();
    await(vertx.close());
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  private Answer get(HttpVersion version, Optional<TlsFiles> identity, String path, String uid)
      throws Exception {
    var options =
        new HttpClientOptions()
            .setSsl(true)
            .setUseAlpn(true)
            .setProtocolVersion(version)
            .setTrustOptions(
                new PemTrustOptions().addCertPath(roles.files(Who.GATEWAY).ca().toString()));
    identity.ifPresent(own ->
        options.setKeyCertOptions(
            new PemKeyCertOptions()
                .setCertPath(own.certificate().toString())
                .setKeyPath(own.key().toString())));
    var client = vertx.createHttpClient(options);
    var request =
        new RequestOptions()
            .setMethod(HttpMethod.GET)
            .setHost("127.0.0.1")
            .setPort(roles.gateways.gateway(0).port())
            .setURI(path);
    if (!uid.isEmpty()) {
      request.putHeader("rollcall-uid", uid);
    }
    return await(
        client
            .request(request)
            .compose(HttpClientRequest::send)
            .compose(response ->
                response
                    .body()
                    .map(Buffer::toString)
                    .map(b -> new Answer(response.statusCode(), b)))
            .eventually(client::close));
  }

  private Answer get(Who who, String path) throws Exception {
    return get(HttpVersion.HTTP_1_1, Optional.of(roles.files(who)), path, "");
  }

  @ParameterizedTest
  @EnumSource(
      value = HttpVersion.class,
      names = {"HTTP_1_1", "HTTP_2"})
  void eachSeesWhatIsTheirs(HttpVersion version) throws Exception {
    var administrator = Optional.of(roles.files(Who.ADMINISTRATOR));
    assertEquals(List.of("7@node1", "8@node2"), get(version, administrator, "/v1/jobs", "").jobs());
    var node1 = Optional.of(roles.files(Who.NODE1));
    assertEquals(List.of("7@node1"), get(version, node1, "/v1/jobs", "").jobs());
    assertEquals(List.of(), get(version, node1, "/v1/jobs", "1001").jobs());
    var login = Optional.of(roles.files(Who.LOGIN));
    assertEquals(List.of("8@node2"), get(version, login, "/v1/jobs", "1001").jobs());
  }

  @Test
  void whatIsRefusedByGrpcIsRefusedByHttp() throws Exception {
    assertEquals(List.of(), get(Who.SERVICE, "/v1/jobs").jobs());
    Answer other = get(Who.OTHER_CLUSTER, "/v1/jobs");
    assertEquals(403, other.status(), other.body());
    assertTrue(other.body().contains("PERMISSION_DENIED"), other.body());
    // An administrator asks in no user's name.
    Answer named =
        get(HttpVersion.HTTP_1_1, Optional.of(roles.files(Who.ADMINISTRATOR)), "/v1/jobs", "1001");
    assertEquals(403, named.status(), named.body());
    assertThrows(
        ExecutionException.class,
        () -> get(HttpVersion.HTTP_1_1, Optional.empty(), "/v1/jobs", ""));
  }
}
