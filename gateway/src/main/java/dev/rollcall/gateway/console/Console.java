package dev.rollcall.gateway.console;

import dev.rollcall.gateway.http.Browsers;
import dev.rollcall.wire.Refusal;
import dev.rollcall.wire.grpc.OtherRequests;
import dev.rollcall.wire.grpc.Peer;
import dev.rollcall.wire.memory.HeldMemory;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Serves the console below {@code /console/}, and passes all other requests to the API. The files
 * are the same for every client, so no identity is needed. A page of another site may link to the
 * console, but not embed it.
 */
public final class Console implements OtherRequests {
  static final String PATH = "/console/";

  private static final String INDEX = "index.html";

  /** All there are; a test compares them with the folder. */
  private static final List<String> NAMES =
      List.of(
          INDEX,
          "console.css",
          "icon.svg",
          "js/adoption-view.js",
          "js/adoptions-view.js",
          "js/api.js",
          "js/calls-view.js",
          "js/cluster.js",
          "js/columns.js",
          "js/element.js",
          "js/explained.js",
          "js/grafana.js",
          "js/graph.js",
          "js/job-view.js",
          "js/jobs-view.js",
          "js/main.js",
          "js/node-view.js",
          "js/nodes-view.js",
          "js/overview.js",
          "js/pid-search.js",
          "js/problems.js",
          "js/query.js",
          "js/search-view.js",
          "js/source.js",
          "js/status-line.js",
          "js/stream.js",
          "js/table.js",
          "js/token.js",
          "js/usage-table.js",
          "js/words.js");

  /** Nothing but this origin's own files runs, is shown, or is asked. */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
          + " require-trusted-types-for 'script'; trusted-types 'none'";

  private final Map<String, PageFile> files = new TreeMap<>();
  private final OtherRequests api;

  public Console(OtherRequests api) {
    this.api = api;
    NAMES.forEach(name -> files.put(PATH + name, PageFile.read(name)));
    files.put(PATH, PageFile.read(INDEX));
  }

  @Override
  public void handle(HttpServerRequest request, Peer peer, HeldMemory memory) {
    String path = request.path();
    if (path == null || !(path.equals("/") || (path + "/").startsWith(PATH))) {
      api.handle(request, peer, memory);
      return;
    }
    HttpServerResponse response = request.response();
    response.putHeader("x-content-type-options", "nosniff");
    Optional<Refusal> objection = Browsers.headersObjection(request);
    if (objection.isPresent()) {
      tell(response, 400, objection.get().text());
    } else if (!request.method().equals(HttpMethod.GET)
        && !request.method().equals(HttpMethod.HEAD)) {
      response.putHeader(HttpHeaders.ALLOW, "GET, HEAD");
      tell(response, 405, "GET and HEAD are for this path");
    } else if (!path.startsWith(PATH)) {
      response.putHeader(HttpHeaders.LOCATION, PATH);
      tell(response, 302, "the console is at " + PATH);
    } else {
      send(request, files.get(path));
    }
  }

  private static void send(HttpServerRequest request, @Nullable PageFile file) {
    HttpServerResponse response = request.response();
    if (file == null) {
      tell(response, 404, "the console has no such page: it starts at " + PATH);
      return;
    }
    response
        .putHeader("content-security-policy", POLICY)
        .putHeader("cross-origin-opener-policy", "same-origin")
        .putHeader("cross-origin-resource-policy", "same-origin")
        .putHeader("referrer-policy", "no-referrer")
        // A gateway of another version has other files: each is asked for anew, by its tag.
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-cache")
        .putHeader(HttpHeaders.ETAG, file.tag());
    if (isKnown(request, file.tag())) {
      response.setStatusCode(304).end();
      return;
    }
    response
        .putHeader(HttpHeaders.CONTENT_TYPE, file.type())
        .putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(file.content().length()));
    if (request.method().equals(HttpMethod.HEAD)) {
      response.end();
    } else {
      response.end(file.content());
    }
  }

  private static boolean isKnown(HttpServerRequest request, String tag) {
    String known = request.getHeader(HttpHeaders.IF_NONE_MATCH);
    return known != null
        && Arrays.stream(known.split(",", -1)).map(String::strip).anyMatch(tag::equals);
  }

  private static void tell(HttpServerResponse response, int status, String text) {
    response
        .setStatusCode(status)
        .putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8")
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
        .end(text + "\n");
  }
}
