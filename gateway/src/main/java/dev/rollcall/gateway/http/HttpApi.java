package dev.rollcall.gateway.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.google.protobuf.Message;
import dev.rollcall.gateway.api.PrincipalResolver;
import dev.rollcall.wire.BadWordException;
import dev.rollcall.wire.Refusal;
import dev.rollcall.wire.Refusal.Reason;
import dev.rollcall.wire.grpc.BearerToken;
import dev.rollcall.wire.grpc.MessageLimits;
import dev.rollcall.wire.grpc.MungePurpose;
import dev.rollcall.wire.grpc.OtherRequests;
import dev.rollcall.wire.grpc.Peer;
import dev.rollcall.wire.grpc.ServiceCall;
import dev.rollcall.wire.memory.HeldMemory;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Maps HTTP/JSON requests to calls of services. A call is guarded, identified, limited and audited
 * as any other. {@code /openapi.json} lists all paths.
 */
public final class HttpApi implements OtherRequests {
  private static final String DESCRIPTION = "/openapi.json";
  private static final String JSON = "application/json";
  private static final String EVENTS = "text/event-stream";

  /** Seconds that the client waits, as Google's services take it. */
  private static final String TIMEOUT = "x-server-timeout";

  /** Characters of a path in an error. */
  private static final int LONGEST_SHOWN = 256;

  private static final double DEFAULT_SECONDS = 30;
  private static final double MOST_SECONDS = 300;

  /** What services look at, of the headers. */
  private static final List<Metadata.Key<String>> HEADERS =
      List.of(BearerToken.AUTHORIZATION, MungePurpose.CREDENTIAL, PrincipalResolver.UID);

  private final Vertx vertx;
  private final Routes routes;
  private final Buffer description;

  /**
   * @param version of the gateway, for the description
   */
  public HttpApi(Vertx vertx, List<ServerServiceDefinition> services, String version) {
    this.vertx = vertx;
    routes = new Routes(services);
    description = Buffer.buffer(described(version));
  }

  /** OpenAPI of all routes, which a test makes of the proto files. */
  private static String described(String version) {
    try (InputStream stream = HttpApi.class.getResourceAsStream("openapi.json")) {
      return new String(requireNonNull(stream).readAllBytes(), UTF_8).replace("VERSION", version);
    } catch (IOException e) {
      throw new UncheckedIOException("openapi.json cannot be read", e);
    }
  }

  @Override
  public void handle(HttpServerRequest request, Peer peer, HeldMemory memory) {
    HttpServerResponse response = request.response();
    // Nothing here is a page, and no page may show it as one.
    response.putHeader("x-content-type-options", "nosniff");
    Optional<Refusal> objection = Browsers.objection(request);
    if (objection.isPresent()) {
      HttpErrors.send(response, objection.get());
      return;
    }
    try {
      find(request, peer, memory);
    } catch (BadWordException e) {
      HttpErrors.send(response, e.refusal());
    }
  }

  private void find(HttpServerRequest request, Peer peer, HeldMemory memory) {
    HttpServerResponse response = request.response();
    String path = request.path();
    if (DESCRIPTION.equals(path)) {
      var _ = HttpAnswer.send(response, 200, description);
      return;
    }
    switch (route(request.method(), path == null ? "" : path)) {
      case Routes.Found.Way(Route route, var fields) -> start(request, peer, memory, route, fields);
      case Routes.Found.OtherVerbs(var verbs) -> {
        response.putHeader(HttpHeaders.ALLOW, String.join(", ", verbs));
        HttpErrors.send(
            response,
            405,
            Refusal.of(
                Reason.METHOD_UNKNOWN,
                shown(request.method().name())
                    + " is not for "
                    + shown(path)
                    + ": "
                    + String.join(", ", verbs)));
      }
      case Routes.Found.Nothing() ->
          HttpErrors.send(
              response,
              Refusal.of(
                  Reason.PATH_UNKNOWN,
                  "nothing is at " + shown(path) + ": " + DESCRIPTION + " lists all paths"));
    }
  }

  private static String shown(String path) {
    return path.length() > LONGEST_SHOWN ? path.substring(0, LONGEST_SHOWN) + "…" : path;
  }

  /** A path that is not percent-encoded makes it throw another exception. */
  private Routes.Found route(HttpMethod verb, String path) {
    try {
      return routes.find(verb, path);
    } catch (IllegalArgumentException e) {
      throw new BadWordException("path", String.valueOf(e.getMessage()));
    }
  }

  private void start(
      HttpServerRequest request,
      Peer peer,
      HeldMemory memory,
      Route route,
      Map<String, String> fields) {
    if (route.verb().equals(HttpMethod.GET)) {
      MultiMap query = query(request);
      call(request, peer, route, memory, () -> {})
          .ifPresent(call ->
              say(call, () -> RequestMessages.fromQuery(route.emptyRequest(), fields, query)));
      return;
    }
    String type = request.getHeader(HttpHeaders.CONTENT_TYPE);
    if (type == null || !type.split(";", 2)[0].strip().equalsIgnoreCase(JSON)) {
      HttpErrors.send(
          request.response(),
          415,
          Refusal.of(Reason.CONTENT_TYPE_UNKNOWN, "content-type: '" + type + "' is not " + JSON));
      return;
    }
    int most = route.takesMany() ? MessageLimits.MESSAGE_BYTES : RequestBody.MOST_OF_ONE_MESSAGE;
    var body = new RequestBody(vertx, request, most, memory);
    // By the headers alone: who is not known, or has too much under way, says nothing more here.
    call(request, peer, route, memory, body::drop)
        .ifPresentOrElse(
            call -> {
              body.gather(
                  text -> {
                    if (route.takesMany()) {
                      new BodyLines(vertx, call, route.emptyRequest(), text, body.bytes()).start();
                    } else {
                      say(
                          call,
                          () -> {
                            call.read(body.bytes());
                            return RequestMessages.fromBody(route.emptyRequest(), fields, text);
                          });
                    }
                  },
                  (http, why) -> {
                    if (http > 0 && !request.response().headWritten()) {
                      HttpErrors.send(request.response(), http, why);
                    }
                    call.refuse(why.exception());
                  });
              call.whenWanted(body::sendContinue);
            },
            body::drop);
  }

  /** Read before a call begins, because Vert.x throws if the query is not percent-encoded. */
  private static MultiMap query(HttpServerRequest request) {
    try {
      return request.params();
    } catch (IllegalArgumentException e) {
      throw new BadWordException("query", String.valueOf(e.getMessage()));
    }
  }

  private static void say(ServiceCall<Message, Message> call, Supplier<Message> message) {
    call.say(message);
    call.saidAll();
  }

  /** Begins a call; absent: it is over already, and was answered. */
  private Optional<ServiceCall<Message, Message>> call(
      HttpServerRequest request, Peer peer, Route route, HeldMemory memory, Runnable ended) {
    HttpServerResponse response = request.response();
    Optional<Deadline> deadline;
    try {
      deadline = deadline(request, route);
    } catch (BadWordException e) {
      HttpErrors.send(response, e.refusal());
      return Optional.empty();
    }
    ServiceCall<Message, Message> call;
    if (route.streams()) {
      String accepted = request.getHeader(HttpHeaders.ACCEPT);
      boolean events = accepted != null && accepted.contains(EVENTS);
      var stream = new HttpStream(response, memory, ended, vertx, events);
      call = start(route, peer, headers(request), deadline, stream);
      response.drainHandler(_ -> call.ready());
      response.closeHandler(_ -> {
        stream.gone();
        call.cancel("the client has disconnected");
      });
    } else {
      call =
          start(route, peer, headers(request), deadline, new HttpAnswer(response, memory, ended));
      response.closeHandler(_ -> call.cancel("the client has disconnected"));
    }
    return response.ended() ? Optional.empty() : Optional.of(call);
  }

  @SuppressWarnings("unchecked") // every message of proto is a Message
  private static ServiceCall<Message, Message> start(
      Route route,
      Peer peer,
      Metadata headers,
      Optional<Deadline> deadline,
      ServiceCall.Client<Message> answer) {
    var call =
        new ServiceCall<>(
            (ServerMethodDefinition<Message, Message>) route.method(), peer, deadline, answer);
    call.start(headers);
    return call;
  }

  private static Metadata headers(HttpServerRequest request) {
    var headers = new Metadata();
    for (Metadata.Key<String> key : HEADERS) {
      request.headers().getAll(key.name()).forEach(value -> headers.put(key, value));
    }
    return headers;
  }

  /** A stream has none, unless the client wants one. */
  private static Optional<Deadline> deadline(HttpServerRequest request, Route route) {
    String text = request.getHeader(TIMEOUT);
    if (text == null) {
      return route.streams() ? Optional.empty() : Optional.of(after(DEFAULT_SECONDS));
    }
    try {
      double seconds = Double.parseDouble(text);
      if (seconds > 0 && seconds <= MOST_SECONDS) {
        return Optional.of(after(seconds));
      }
    } catch (NumberFormatException e) {
      // Told below, with what is out of bounds.
    }
    throw new BadWordException(
        "header " + TIMEOUT,
        "'" + text + "' is not a number of seconds up to " + (int) MOST_SECONDS);
  }

  private static Deadline after(double seconds) {
    return Deadline.after((long) (seconds * 1e9), TimeUnit.NANOSECONDS);
  }
}
