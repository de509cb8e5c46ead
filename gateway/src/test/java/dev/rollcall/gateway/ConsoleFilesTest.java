package dev.rollcall.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.gateway.TestGateways.World;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How the files of the console are served; what they do is ConsoleBrowserTest's. */
class ConsoleFilesTest {
  private static final Path FOLDER =
      Path.of("src/main/resources/dev/rollcall/gateway/console").toAbsolutePath();
  private static final Pattern NAMED = Pattern.compile("(?:from |href=|src=)['\"]([^'\"#]+)['\"]");

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private TestGateways gateways;

  @BeforeEach
  void start() throws Exception {
    gateways = new TestGateways(World.MEMORY, 1);
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

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private static String header(HttpResponse<?> response, String name) {
    return response.headers().firstValue(name).orElse("");
  }

  private static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(FOLDER)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  @Test
  void theRootLeadsToTheConsole() throws Exception {
    HttpResponse<String> root = send(to("/"));
    assertEquals(302, root.statusCode());
    assertEquals("/console/", header(root, "location"));
    assertEquals("/console/", header(send(to("/console")), "location"));
    HttpResponse<String> page = send(to("/console/"));
    assertEquals(200, page.statusCode());
    assertTrue(page.body().startsWith("<!doctype html>"), page.body());
  }

  @Test
  void everyFileIsServedAsWhatItIs() throws Exception {
    assertFalse(files().isEmpty());
    for (Path file : files()) {
      HttpResponse<String> response = send(to("/console/" + FOLDER.relativize(file)));
      assertEquals(200, response.statusCode(), file.toString());
      assertEquals(Files.readString(file), response.body());
      String name = file.toString();
      String type =
          switch (name.substring(name.lastIndexOf('.'))) {
            case ".html" -> "text/html; charset=utf-8";
            case ".css" -> "text/css; charset=utf-8";
            case ".js" -> "text/javascript; charset=utf-8";
            default -> "image/svg+xml";
          };
      assertEquals(type, header(response, "content-type"), name);
    }
  }

  @Test
  void everyFileThatAFileNamesIsThere() throws Exception {
    int named = 0;
    for (Path file : files()) {
      var names = NAMED.matcher(Files.readString(file));
      while (!file.toString().endsWith(".svg") && names.find()) {
        Path parent = file.getParent();
        assertTrue(
            parent != null && Files.exists(parent.resolve(names.group(1))),
            file + " names " + names.group(1));
        named++;
      }
    }
    assertTrue(named > 20, "names were found: " + named);
  }

  @Test
  void nothingOfAnotherOriginIsAllowedAndNoPageMayHoldIt() throws Exception {
    HttpResponse<String> page = send(to("/console/"));
    String policy = header(page, "content-security-policy");
    assertTrue(policy.startsWith("default-src 'none'; "), policy);
    assertTrue(policy.contains("script-src 'self'; "), policy);
    assertTrue(policy.contains("frame-ancestors 'none'"), policy);
    assertFalse(policy.contains("unsafe"), policy);
    assertEquals("nosniff", header(page, "x-content-type-options"));
    assertEquals("no-referrer", header(page, "referrer-policy"));
    assertEquals("same-origin", header(page, "cross-origin-resource-policy"));
    assertFalse(page.body().matches("(?s).*(<script>| on[a-z]+=| style=|https?:).*"), page.body());
  }

  @Test
  void aFileThatIsKnownIsNotSentAgain() throws Exception {
    HttpResponse<String> first = send(to("/console/console.css"));
    String tag = header(first, "etag");
    assertEquals("no-cache", header(first, "cache-control"));
    HttpResponse<String> again =
        send(to("/console/console.css").header("if-none-match", "\"x\", " + tag));
    assertEquals(304, again.statusCode());
    assertEquals("", again.body());
    assertEquals(tag, header(again, "etag"));
    assertEquals(
        200, send(to("/console/console.css").header("if-none-match", "\"x\"")).statusCode());
  }

  @Test
  void itsHeadIsToldWithoutTheRest() throws Exception {
    HttpResponse<String> head =
        send(to("/console/").method("HEAD", HttpRequest.BodyPublishers.noBody()));
    assertEquals(200, head.statusCode());
    assertEquals("", head.body());
    assertEquals(
        Files.size(FOLDER.resolve("index.html")), Long.parseLong(header(head, "content-length")));
  }

  @Test
  void whatIsNotThereOrNotForReadingIsRefused() throws Exception {
    assertEquals(404, send(to("/console/js")).statusCode());
    assertEquals(404, send(to("/console/../console/Console.class")).statusCode());
    assertEquals(404, send(to("/console/%2e%2e/Console.class")).statusCode());
    HttpResponse<String> posted =
        send(to("/console/").POST(HttpRequest.BodyPublishers.ofString("x")));
    assertEquals(405, posted.statusCode());
    assertEquals("GET, HEAD", header(posted, "allow"));
    assertTrue(send(to("/consoles")).body().contains("NOT_FOUND"));
  }

  @Test
  void aGatewayThatIsToldSoHasNone() throws Exception {
    gateways.close();
    gateways = TestGateways.withoutConsole();
    assertEquals(404, send(to("/console/")).statusCode());
    assertEquals(404, send(to("/")).statusCode());
    assertEquals(200, send(to("/v1/nodes")).statusCode());
  }

  @Test
  void aPageOfAnotherSiteMayLeadToItAndStillAsksNothing() throws Exception {
    assertEquals(200, send(to("/console/").header("sec-fetch-site", "cross-site")).statusCode());
    assertEquals(403, send(to("/v1/nodes").header("sec-fetch-site", "cross-site")).statusCode());
  }
}
