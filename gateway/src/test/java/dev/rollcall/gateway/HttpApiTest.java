package dev.rollcall.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.rollcall.gateway.TestGateways.World;
import dev.rollcall.model.Call;
import dev.rollcall.proto.v1.Usage;
import dev.rollcall.proto.v1.UsageKind;
import dev.rollcall.proto.v1.UsageRecord;
import dev.rollcall.testkit.process.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The services as JSON over HTTP, by a client that knows nothing of gRPC. */
class HttpApiTest {
  private static final String CALL =
      "connection.protocol=PROTOCOL_TCP&connection.local.address=10.0.0.1"
          + "&connection.local.port=40000&connection.remote.address=10.0.0.2"
          + "&connection.remote.port=22";

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private TestGateways gateways;
  private FakeAgent node1;
  private FakeAgent node2;

  @BeforeEach
  void start() throws Exception {
    gateways = new TestGateways(World.MEMORY, 1);
    node1 = gateways.agent(0, "node1", "10.0.0.1").connect();
    node2 = gateways.agent(0, "node2", "10.0.0.2").connect();
    node1.tell(FakeAgent.job(7, 1000), List.of(FakeAgent.process(70)));
    node2.tell(FakeAgent.job(7, 1000), List.of(FakeAgent.process(71)));
    node2.tell(FakeAgent.job(8, 1001), List.of(FakeAgent.process(80)));
    node1.complete();
    node2.complete();
    Await.until("the jobs are there", () -> gateways.memory.jobs().size() == 3);
  }

  @AfterEach
  void stop() {
    client.close();
    gateways.close();
  }

  private HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:" + gateways.gateway(0).port() + path))
        .timeout(Duration.ofSeconds(20));
  }

  private HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return client.send(request.build(), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }

  private HttpResponse<String> post(String path, String body) {
    return send(
        to(path).header("content-type", "application/json").POST(BodyPublishers.ofString(body)));
  }

  private JsonObject get(String path) {
    HttpResponse<String> response = send(to(path));
    assertEquals(200, response.statusCode(), response.body());
    assertEquals("application/json", response.headers().firstValue("content-type").orElse(""));
    return JsonParser.parseString(response.body()).getAsJsonObject();
  }

  private static JsonObject error(HttpResponse<String> response, int status, String code) {
    assertEquals(status, response.statusCode(), response.body());
    JsonObject error =
        JsonParser.parseString(response.body()).getAsJsonObject().getAsJsonObject("error");
    assertEquals(status, error.get("code").getAsInt());
    assertEquals(code, error.get("status").getAsString());
    return error;
  }

  private static List<String> jobs(JsonObject response) {
    return StreamSupport.stream(response.getAsJsonArray("jobs").spliterator(), false)
        .map(JsonElement::getAsJsonObject)
        .map(job -> job.get("jobId").getAsString() + "@" + job.get("node").getAsString())
        .toList();
  }

  @Test
  void jobsAndNodesAreToldAsJson() throws Exception {
    assertEquals(List.of("7@node1", "7@node2", "8@node2"), jobs(get("/v1/jobs")));
    assertEquals(List.of("8@node2"), jobs(get("/v1/jobs?uid=1001")));
    assertEquals(List.of("7@node1"), jobs(get("/v1/jobs?node=node1")));
    assertEquals(List.of("7@node1", "7@node2"), jobs(get("/v1/jobs/7")));
    JsonObject node = get("/v1/nodes").getAsJsonArray("nodes").get(0).getAsJsonObject();
    assertEquals("node1", node.get("node").getAsString());
    assertEquals("NODE_STATE_CONNECTED", node.get("state").getAsString());
    assertEquals("[\"10.0.0.1\"]", node.get("addresses").toString());
    JsonArray processes = get("/v1/jobs/8/processes").getAsJsonArray("nodes");
    assertEquals(1, processes.size());
  }

  @Test
  void aListIsToldInPartsThatMissNothing() throws Exception {
    var seen = new ArrayList<String>();
    String token = "";
    do {
      JsonObject part = get("/v1/jobs?pageSize=1&page_token=" + token);
      assertEquals(1, jobs(part).size());
      seen.addAll(jobs(part));
      token = part.get("nextPageToken").getAsString();
      assertTrue(seen.size() <= 3, seen.toString());
    } while (!token.isEmpty());
    assertEquals(List.of("7@node1", "7@node2", "8@node2"), seen);
    JsonObject first = get("/v1/nodes?page_size=1");
    JsonObject second =
        get("/v1/nodes?page_size=1&page_token=" + first.get("nextPageToken").getAsString());
    assertEquals(
        "node2", second.getAsJsonArray("nodes").get(0).getAsJsonObject().get("node").getAsString());
    assertEquals("", second.get("nextPageToken").getAsString());
  }

  @Test
  void aCallerIsIdentifiedInBothWays() throws Exception {
    Call call = node1.call("10.0.0.1:40000", "10.0.0.2:22");
    node1.announce(call, 1);
    Await.until(
        "the call is there",
        () -> get("/v1/callers:identify?" + CALL).getAsJsonObject("answer").has("found"));
    JsonObject found =
        get("/v1/callers:identify?" + CALL).getAsJsonObject("answer").getAsJsonObject("found");
    assertEquals("node1", found.get("node").getAsString());
    assertEquals(call.caller().uid(), found.get("uid").getAsInt());

    String connection =
        """
        {"connection": {"protocol": "PROTOCOL_TCP", \
        "local": {"address": "10.0.0.1", "port": 40000}, \
        "remote": {"address": "10.0.0.2", "port": 22}}%s}\
        """;
    HttpResponse<String> posted = post("/v1/callers:identify", connection.formatted(""));
    assertEquals(
        found,
        JsonParser.parseString(posted.body())
            .getAsJsonObject()
            .getAsJsonObject("answer")
            .getAsJsonObject("found"));

    HttpResponse<String> many =
        post(
            "/v1/callers:identifyMany",
            connection.formatted(", \"requestId\": 1")
                + "\n"
                + connection.formatted(", \"request_id\": \"2\"").replace("40000", "40001"));
    assertEquals(200, many.statusCode(), many.body());
    var answers = new ArrayList<String>();
    many.body()
        .lines()
        .filter(line -> !line.isBlank())
        .map(line -> JsonParser.parseString(line).getAsJsonObject())
        .forEach(line ->
            answers.add(
                line.get("requestId").getAsString()
                    + line.getAsJsonObject("answer").keySet().iterator().next()));
    answers.sort(null);
    assertEquals("1found", answers.getFirst());
    assertEquals(2, answers.size());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /v1/jobs/x                                  | job_id
          /v1/jobs/0                                  | job_id
          /v1/jobs?uid=-1                             | uid
          /v1/jobs?uid=1&uid=2                        | uid
          /v1/jobs?uid=%D9%A1                         | uid
          /v1/jobs/%D9%A1                             | job_id
          /v1/jobs/%EF%BC%97                          | job_id
          /v1/jobs?user=alice                         | user
          /v1/jobs/7?job_id=8                         | job_id
          /v1/jobs/7?jobId=8                          | jobId
          /v1/jobs?page_size=1&pageSize=2             | pageSize
          /v1/adoptions?outcome=99                    | outcome
          /v1/jobs?page_size=1001                     | page_size
          /v1/jobs?page_token=%2f                     | page_token
          /v1/callers:identify?connection.local=1     | connection.local
          /v1/callers:identify?connection.local.x=1   | connection.local.x
          /v1/callers:identify?connection.protocol=no | connection.protocol
          """)
  void whatCannotBeIsNamedByItsField(String path, String field) throws Exception {
    JsonObject error = error(send(to(path)), 400, "INVALID_ARGUMENT");
    JsonObject detail = error.getAsJsonArray("details").get(0).getAsJsonObject();
    assertEquals("type.googleapis.com/google.rpc.BadRequest", detail.get("@type").getAsString());
    JsonObject violation = detail.getAsJsonArray("fieldViolations").get(0).getAsJsonObject();
    assertEquals(field, violation.get("field").getAsString());
    assertFalse(violation.get("description").getAsString().isEmpty());
    assertTrue(error.get("message").getAsString().startsWith(field + ": "), error.toString());
    assertEquals("FIELD_INVALID", reason(error));
  }

  /**
   * Each has two meanings for two readers, or none in RFC 8259: a part, and what is in its place.
   */
  static List<Arguments> notStrict() {
    String port = "\"port\":22}}}";
    return List.of(
        Arguments.of(port, port + "{}"),
        Arguments.of(port, port + " x"),
        Arguments.of(port, port + "]"),
        Arguments.of(port, "\"port\":21," + port),
        Arguments.of(port, "\"port\":21,\"\\u0070ort\":22}}}"),
        Arguments.of(port, "\"port\":22 /* one */}}}"),
        Arguments.of(port, "\"port\":22}}} // one"),
        Arguments.of(port, "\"port\":22 # one\n}}}"),
        Arguments.of(port, "\"port\":22,}}}"),
        Arguments.of(port, "\"port\":22;}}}"),
        Arguments.of(port, "\"port\"=22}}}"),
        Arguments.of(port, "port:22}}}"),
        Arguments.of(port, "'port':22}}}"),
        Arguments.of(port, "\"port\":'22'}}}"),
        Arguments.of(port, "\"port\":022}}}"),
        Arguments.of(port, "\"port\":+22}}}"),
        Arguments.of(port, "\"port\":NaN}}}"),
        Arguments.of(port, "\"port\":\u0662\u0662}}}"),
        Arguments.of(port, "\"port\":\"\u0662\u0662\"}}}"),
        Arguments.of(port, "\"port\":\"\uff12\uff12\"}}}"),
        Arguments.of("10.0.0.2", "10.0.0.2\t"),
        Arguments.of("{\"connection\"", ")]}'\n{\"connection\""),
        Arguments.of("{\"connection\"", "\ufeff{\"connection\""),
        Arguments.of("\"10.0.0.1\"", "[".repeat(2_000) + "]".repeat(2_000)));
  }

  @ParameterizedTest
  @MethodSource("notStrict")
  void jsonThatIsNotStrictIsRefused(String part, String other) throws Exception {
    String valid =
        "{\"connection\":{\"protocol\":\"PROTOCOL_TCP\","
            + "\"local\":{\"address\":\"10.0.0.1\",\"port\":40000},"
            + "\"remote\":{\"address\":\"10.0.0.2\",\"port\":22}}}";
    assertEquals(200, post("/v1/callers:identify", valid).statusCode());
    String body = valid.replace(part, other);
    JsonObject error = error(post("/v1/callers:identify", body), 400, "INVALID_ARGUMENT");
    String message = error.get("message").getAsString();
    assertTrue(message.startsWith("body: "), message);
    HttpResponse<String> many =
        post("/v1/callers:identifyMany", valid + "\n" + body.replace('\n', ' '));
    assertTrue(many.body().contains("body, line 2: "), many.body());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Transfer-Encoding: identity, chunked\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked, chunked\r\n",
        "Transfer-Encoding: x\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: gzip, chunked\r\n",
      })
  void anotherCodingThanOneChunkedIsRefused(String headers) throws Exception {
    for (String path : List.of("/v1/callers:identify", "/openapi.json", "/console/")) {
      try (var socket = new Socket(InetAddress.getLoopbackAddress(), gateways.gateway(0).port())) {
        String request =
            "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n%s\r\n"
                .formatted(path, headers);
        String next = "GET /v1/nodes HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
        socket.getOutputStream().write((request + "2\r\n{}\r\n0\r\n\r\n" + next).getBytes(UTF_8));
        socket.setSoTimeout(60_000);
        var answer = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
        String first = answer.readLine();
        assertTrue(first == null || first.startsWith("HTTP/1.1 400 "), path + ": " + first);
        assertFalse(rest(answer).contains("HTTP/1.1 "), "the connection goes on: " + path);
      }
    }
  }

  /** Up to the end of the connection, which may be a reset as not all was read. */
  private static String rest(BufferedReader answer) throws IOException {
    var text = new StringBuilder();
    try {
      for (String line = answer.readLine(); line != null; line = answer.readLine()) {
        text.append(line).append('\n');
      }
    } catch (SocketException e) {
      text.append(e.getMessage());
    }
    return text.toString();
  }

  /** The word for programs. */
  private static String reason(JsonObject error) {
    return error.getAsJsonArray("details").asList().stream()
        .map(JsonElement::getAsJsonObject)
        .filter(one ->
            one.get("@type").getAsString().equals("type.googleapis.com/google.rpc.ErrorInfo"))
        .peek(one -> assertEquals("dev.rollcall", one.get("domain").getAsString()))
        .map(one -> one.get("reason").getAsString())
        .collect(Collectors.joining(" "));
  }

  @Test
  void whatIsRefusedHasAWordForPrograms() throws Exception {
    assertEquals("PATH_UNKNOWN", reason(error(send(to("/v1/job")), 404, "NOT_FOUND")));
    assertEquals(
        "METHOD_UNKNOWN", reason(error(send(to("/v1/nodes").DELETE()), 405, "UNIMPLEMENTED")));
    assertEquals(
        "ASK_THE_NODE",
        reason(error(post("/v1/jobs", "{\"job_id\": 9}"), 400, "FAILED_PRECONDITION")));
    assertEquals(
        "ADOPTION_UNKNOWN", reason(error(send(to("/v1/adoptions/none")), 404, "NOT_FOUND")));
    assertEquals(
        "BODY_TOO_LARGE",
        reason(
            error(post("/v1/callers:identify", " ".repeat(2 << 20)), 413, "RESOURCE_EXHAUSTED")));
    assertEquals(
        "SITE_REFUSED",
        reason(
            error(
                send(to("/v1/nodes").header("origin", "https://elsewhere.example")),
                403,
                "PERMISSION_DENIED")));
  }

  @Test
  void whoeverAsksTooOftenIsToldWhenToAskAgain() throws Exception {
    HttpResponse<String> refused = send(to("/v1/nodes").header("rollcall-uid", "1000"));
    for (int i = 0; refused.statusCode() == 200 && i < 100_000; i++) {
      refused = send(to("/v1/nodes").header("rollcall-uid", "1000"));
    }
    JsonObject error = error(refused, 429, "RESOURCE_EXHAUSTED");
    assertEquals("RATE_EXCEEDED", reason(error));
    assertEquals("1", refused.headers().firstValue("retry-after").orElse(""));
    assertTrue(error.toString().contains("\"retryDelay\":\"1s\""), error.toString());
  }

  @Test
  void whoeverSendsMuchIsToldToo() {
    HttpResponse<String> answered;
    int bodies = 0;
    do {
      answered =
          send(
              to("/v1/callers:identifyMany")
                  .header("rollcall-uid", "1000")
                  .header("content-type", "application/json")
                  .POST(BodyPublishers.ofString("\n".repeat(900_000))));
      bodies++;
    } while (answered.statusCode() == 200 && bodies < 20);
    assertEquals("RATE_EXCEEDED", reason(error(answered, 429, "RESOURCE_EXHAUSTED")));
    assertTrue(bodies > 1, "the first is within a second's worth");
  }

  @Test
  void whatIsNotThereIsToldWithWhatIs() throws Exception {
    assertTrue(error(send(to("/v1/job")), 404, "NOT_FOUND").toString().contains("/openapi.json"));
    HttpResponse<String> other = send(to("/v1/nodes").DELETE());
    error(other, 405, "UNIMPLEMENTED");
    assertEquals("GET", other.headers().firstValue("allow").orElse(""));
    error(
        send(
            to("/v1/jobs")
                .header("content-type", "text/plain")
                .POST(BodyPublishers.ofString("{}"))),
        415,
        "INVALID_ARGUMENT");
    error(post("/v1/callers:identify", "{"), 400, "INVALID_ARGUMENT");
    error(post("/v1/callers:identify", "{\"nothing\": 1}"), 400, "INVALID_ARGUMENT");
    JsonObject third =
        error(post("/v1/callers:identifyMany", "\n\n{\"no\": 1}"), 400, "INVALID_ARGUMENT");
    assertTrue(third.get("message").getAsString().startsWith("body, line 3: "), third.toString());
    // What gateways leave to nodes.
    error(post("/v1/jobs", "{\"job_id\": 9}"), 400, "FAILED_PRECONDITION");
    error(post("/v1/jobs/9:end", ""), 400, "FAILED_PRECONDITION");
    error(send(to("/v1/jobs/7/leftovers")), 400, "FAILED_PRECONDITION");
    assertTrue(
        raw("GET /v1/jobs/%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            .startsWith("HTTP/1.1 400 "));
    error(send(to("/v1/nodes").header("x-server-timeout", "soon")), 400, "INVALID_ARGUMENT");
  }

  @Test
  void aBodyOverTheLimitIsRefused() throws Exception {
    error(post("/v1/callers:identify", " ".repeat(2 << 20)), 413, "RESOURCE_EXHAUSTED");
  }

  @Test
  void anAnswerThatDoesNotComeInTimeIsTold() throws Exception {
    node1.answerWith(null);
    // The node is asked, and says nothing; the gateway gives up before the client does.
    JsonObject answer =
        JsonParser.parseString(
                send(to("/v1/callers:identify?" + CALL).header("x-server-timeout", "0.3")).body())
            .getAsJsonObject();
    assertTrue(answer.has("answer") || answer.has("error"), answer.toString());
    error(
        send(to("/v1/callers:watch").header("x-server-timeout", "0.3")), 504, "DEADLINE_EXCEEDED");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void changesAreToldAsTheyCome(boolean events) throws Exception {
    HttpRequest request =
        to("/v1/jobs:watch")
            .header("accept", events ? "text/event-stream" : "application/x-ndjson")
            .build();
    int before = gateways.gateway(0).callsUnderWay();
    HttpResponse<InputStream> response = client.send(request, BodyHandlers.ofInputStream());
    assertEquals(
        events ? "text/event-stream" : "application/x-ndjson",
        response.headers().firstValue("content-type").orElse(""));
    try (var lines =
        new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
      for (int i = 0; i < 3; i++) {
        nextJob(lines, events);
      }
      node1.tell(FakeAgent.job(9, 1002), List.of(FakeAgent.process(90)));
      assertEquals("9@node1", nextJob(lines, events));
      assertEquals(before + 1, gateways.gateway(0).callsUnderWay());
    }
    Await.until("the stream is over", () -> gateways.gateway(0).callsUnderWay() == before);
  }

  @Test
  void theUseOfAJobIsSentAsEvents() throws Exception {
    UsageRecord used =
        UsageRecord.newBuilder()
            .setKind(UsageKind.USAGE_KIND_JOB)
            .setJobId(7)
            .setUid(1000)
            .setUsage(Usage.newBuilder().setMemoryNow(4096))
            .build();
    node1.used(used);
    node2.used(used);
    HttpRequest request =
        to("/v1/usage:watch?job_id=7").header("accept", "text/event-stream").build();
    var response = client.send(request, BodyHandlers.ofInputStream());
    try (var lines =
        new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
      String event = lines.lines().filter(line -> line.startsWith("data: ")).findFirst().orElse("");
      JsonObject record =
          JsonParser.parseString(event.substring("data: ".length()))
              .getAsJsonObject()
              .getAsJsonObject("record");
      assertEquals("node1", record.get("node").getAsString());
      assertEquals("4096", record.getAsJsonObject("usage").get("memoryNow").getAsString());
    }
    error(send(to("/v1/usage:watch")), 400, "INVALID_ARGUMENT");
    error(send(to("/v1/usage:watch?job_id=99")), 404, "NOT_FOUND");
  }

  private static String nextJob(BufferedReader lines, boolean events) throws Exception {
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith(events ? "data: " : "{")) {
        JsonObject job =
            JsonParser.parseString(events ? line.substring("data: ".length()) : line)
                .getAsJsonObject()
                .getAsJsonObject("job");
        return job.get("jobId").getAsString() + "@" + job.get("node").getAsString();
      }
    }
    throw new AssertionError("the stream has ended");
  }

  @Test
  void aHeaderThatNoServiceReadsIsIgnoredWhateverItsName() throws Exception {
    String request = "GET /v1/jobs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
    for (String header : List.of("rollcall-!x: 1", "rollcall-uid2: 1", "rollcall-a-bin: 1")) {
      String answer = raw(request + header + "\r\n\r\n");
      assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
    }
    String answer = raw(request + "Rollcall-Uid: x\r\n\r\n");
    assertTrue(answer.contains("rollcall-uid"), answer);
  }

  @Test
  void aPathThatIsNotPercentEncodedIsNamed() throws Exception {
    String answer =
        raw("GET /v1/jobs/%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    assertTrue(answer.startsWith("HTTP/1.1 400 "), answer);
    assertTrue(answer.contains("\"message\":\"path: "), answer);
  }

  /** All over one connection of HTTP/1.1. */
  @ParameterizedTest
  @ValueSource(strings = {"/v1/jobs:watch?uid=%zz", "/v1/jobs?node=100%"})
  void aQueryThatIsNotPercentEncodedLeavesNoCallUnderWay(String path) throws Exception {
    int before = gateways.gateway(0).callsUnderWay();
    String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n";
    String answers = raw((request + "\r\n").repeat(39) + request + "Connection: close\r\n\r\n");
    assertEquals(40, answers.split("HTTP/1.1 400 ", -1).length - 1, answers);
    assertEquals(40, answers.split("\"message\":\"query: ", -1).length - 1, answers);
    assertEquals(before, gateways.gateway(0).callsUnderWay());
  }

  @Test
  void aCallCountsFromItsHeadersOn() throws Exception {
    int before = gateways.gateway(0).callsUnderWay();
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), gateways.gateway(0).port())) {
      socket
          .getOutputStream()
          .write(
              """
              POST /v1/callers:identify HTTP/1.1\r
              Host: localhost\r
              content-type: application/json\r
              content-length: 100\r
              \r
              """
                  .getBytes(StandardCharsets.US_ASCII));
      Await.until("it counts", () -> gateways.gateway(0).callsUnderWay() == before + 1);
    }
    Await.until("it is over", () -> gateways.gateway(0).callsUnderWay() == before);
  }

  @Test
  void pagesOfOtherSitesAreRefused() throws Exception {
    String own = "http://127.0.0.1:" + gateways.gateway(0).port();
    assertEquals(200, send(to("/v1/nodes").header("origin", own)).statusCode());
    error(send(to("/v1/nodes").header("origin", "http://evil.example")), 403, "PERMISSION_DENIED");
    error(send(to("/v1/nodes").header("origin", "null")), 403, "PERMISSION_DENIED");
    error(send(to("/v1/nodes").header("sec-fetch-site", "cross-site")), 403, "PERMISSION_DENIED");
    assertEquals(200, send(to("/v1/nodes").header("sec-fetch-site", "same-origin")).statusCode());
    // A name of somebody's that was made to lead here.
    String answer =
        raw("GET /v1/nodes HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
    assertTrue(answer.startsWith("HTTP/1.1 403 "), answer);
    assertTrue(raw("GET /v1/nodes HTTP/1.1\r\nConnection: close\r\n\r\n").startsWith("HTTP/1.1 4"));
  }

  private String raw(String request) throws Exception {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), gateways.gateway(0).port())) {
      socket.setSoTimeout(20_000);
      OutputStream out = socket.getOutputStream();
      out.write(request.getBytes(StandardCharsets.US_ASCII));
      out.flush();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
