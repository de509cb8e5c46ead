package dev.rollcall.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import dev.rollcall.gateway.TestGateways.World;
import dev.rollcall.gateway.http.OpenApiFile;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.wire.Refusal;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What {@code /openapi.json} says, beside what is answered and what docs/api.md says. */
class OpenApiTest {
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private TestGateways gateways;
  private JsonObject description;

  @BeforeEach
  void start() throws Exception {
    gateways = new TestGateways(World.MEMORY, 1);
    FakeAgent node1 = gateways.agent(0, "node1", "10.0.0.1").connect();
    node1.tell(FakeAgent.job(7, 1000), List.of(FakeAgent.process(70)));
    node1.complete();
    node1.escaped(FakeAgent.outsideProcess(80, 1000));
    Await.until("the job is there", () -> gateways.memory.jobs().size() == 1);
    description = JsonParser.parseString(send("GET", "/openapi.json", "")).getAsJsonObject();
  }

  @AfterEach
  void stop() {
    client.close();
    gateways.close();
  }

  private String send(String verb, String path, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateways.gateway(0).port() + path))
            .timeout(Duration.ofSeconds(20))
            .header("content-type", "application/json")
            .method(verb, BodyPublishers.ofString(body))
            .build();
    return client.send(request, BodyHandlers.ofString()).body();
  }

  private JsonObject operation(String path, String verb) {
    JsonObject described = description.getAsJsonObject("paths").getAsJsonObject(path);
    return described.getAsJsonObject(verb);
  }

  /** What is wrong with an answer. */
  private Set<?> problems(JsonObject operation, String status, String answer) {
    JsonObject schema =
        operation
            .getAsJsonObject("responses")
            .getAsJsonObject(status)
            .getAsJsonObject("content")
            .getAsJsonObject("application/json")
            .getAsJsonObject("schema")
            .deepCopy();
    schema.add("components", description.get("components"));
    return JsonSchemaFactory.getInstance(VersionFlag.V202012)
        .getSchema(schema.toString())
        .validate(answer, InputFormat.JSON);
  }

  @Test
  void theDescriptionIsThatOfTheProtoFiles() throws Exception {
    assertEquals(
        OpenApiFile.made(gateways.gateway(0).served()),
        OpenApiFile.shipped(),
        "cp gateway/target/openapi.json gateway/src/main/resources/dev/rollcall/gateway/http/");
  }

  @Test
  void answersAreAsTheyAreDescribed() throws Exception {
    assertEquals(
        Set.of(), problems(operation("/v1/nodes", "get"), "200", send("GET", "/v1/nodes", "")));
    String jobs = send("GET", "/v1/jobs", "");
    JsonObject list = operation("/v1/jobs", "get");
    assertEquals(Set.of(), problems(list, "200", jobs));
    assertTrue(jobs.contains("\"jobId\":\"7\""), jobs);
    assertEquals(
        Set.of(),
        problems(operation("/v1/jobs/{jobId}", "get"), "200", send("GET", "/v1/jobs/7", "")));
    assertEquals(
        Set.of(),
        problems(
            operation("/v1/jobs/{jobId}/processes", "get"),
            "200",
            send("GET", "/v1/jobs/7/processes", "")));
    String outsideProcesses = send("GET", "/v1/processes:outside?nodes=node1&nodes=node9", "");
    assertEquals(
        Set.of(), problems(operation("/v1/processes:outside", "get"), "200", outsideProcesses));
    assertTrue(outsideProcesses.contains("\"command\":\"sleep\""), outsideProcesses);
    assertTrue(outsideProcesses.contains("node node9 is not connected"), outsideProcesses);
    String identify =
        send(
            "POST",
            "/v1/callers:identify",
            """
            {"connection": {"protocol": "PROTOCOL_TCP", \
            "local": {"address": "10.9.0.1", "port": 1}, \
            "remote": {"address": "10.9.0.2", "port": 2}}}\
            """);
    assertEquals(Set.of(), problems(operation("/v1/callers:identify", "post"), "200", identify));
    assertTrue(identify.contains("unknown"), identify);
    assertEquals(Set.of(), problems(list, "default", send("GET", "/v1/jobs?uid=x", "")));
    // And what is not as described is found.
    assertNotEquals(Set.of(), problems(list, "200", jobs.replace("\"7\"", "7")));
    assertNotEquals(Set.of(), problems(list, "200", jobs.replace("gid", "group")));
  }

  @Test
  void theDescriptionHoldsTogether() {
    var ids = new HashSet<String>();
    description
        .getAsJsonObject("paths")
        .entrySet()
        .forEach(path ->
            path.getValue()
                .getAsJsonObject()
                .entrySet()
                .forEach(each -> {
                  JsonObject operation = each.getValue().getAsJsonObject();
                  String where = each.getKey() + " " + path.getKey();
                  assertTrue(ids.add(operation.get("operationId").getAsString()), where);
                  assertFalse(operation.get("summary").getAsString().isEmpty(), where);
                  assertEquals(named(path.getKey()), inPath(operation), where);
                }));
    Pattern.compile("\"#/components/schemas/([A-Za-z]+)\"")
        .matcher(description.toString())
        .results()
        .forEach(reference ->
            assertTrue(
                description
                    .getAsJsonObject("components")
                    .getAsJsonObject("schemas")
                    .has(reference.group(1)),
                reference.group()));
  }

  private static Set<String> named(String path) {
    var names = new TreeSet<String>();
    Pattern.compile("\\{([A-Za-z]+)\\}")
        .matcher(path)
        .results()
        .forEach(name -> names.add(name.group(1)));
    return names;
  }

  private static Set<String> inPath(JsonObject operation) {
    var names = new TreeSet<String>();
    if (operation.has("parameters")) {
      for (JsonElement each : operation.getAsJsonArray("parameters")) {
        JsonObject parameter = each.getAsJsonObject();
        if (parameter.get("in").getAsString().equals("path")) {
          names.add(parameter.get("name").getAsString());
        }
      }
    }
    return names;
  }

  @Test
  void thePageHasEveryWordOfErrorsWithItsStatus() throws IOException {
    var told = new TreeSet<String>();
    Pattern.compile("(?m)^\\| `([A-Z_]+)` \\| `([A-Z_]+)` \\|")
        .matcher(Files.readString(Path.of("../docs/api.md")))
        .results()
        .forEach(row -> told.add(row.group(1) + " " + row.group(2)));
    var known = new TreeSet<String>();
    for (Refusal.Reason reason : Refusal.Reason.values()) {
      known.add(reason + " " + reason.code());
    }
    assertEquals(known, told);
  }

  @Test
  void thePageTellsNoOtherPaths() throws IOException {
    var told = new TreeSet<String>();
    Pattern.compile("\\| `GET`?, ?`?(?:POST )?(/v1/\\S+)`|\\| `(?:GET|POST) (/v1/\\S+)`")
        .matcher(Files.readString(Path.of("../docs/api.md")))
        .results()
        .forEach(row -> told.add(row.group(1) == null ? row.group(2) : row.group(1)));
    assertEquals(19, told.size(), told.toString());
    var described = new TreeSet<String>();
    description
        .getAsJsonObject("paths")
        .keySet()
        .forEach(path ->
            described.add(
                path.replace("{jobId}", "{job_id}").replace("{adoptionId}", "{adoption_id}")));
    assertTrue(described.containsAll(told), described + " and " + told);
  }
}
