package dev.rollcall.gateway.http;

import com.google.protobuf.Message;
import dev.rollcall.wire.Refusal;
import dev.rollcall.wire.Refusal.Reason;
import dev.rollcall.wire.grpc.BearerToken;
import dev.rollcall.wire.grpc.DirectCall;
import dev.rollcall.wire.grpc.Limits;
import dev.rollcall.wire.grpc.OtherRequests;
import dev.rollcall.wire.grpc.Peer;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Makes calls of services of requests, and answers with JSON. A call is guarded, identified,
 * limited and audited as any other. {@code /openapi.json} tells what there is.
 */
public final class HttpApi implements OtherRequests {
  private static final String DESCRIPTION = "/openapi.json";
  private static final String JSON = "application/json";
  private static final String EVENTS = "text/event-stream";

  /** Seconds that the client waits, as Google's services take it. */
  private static final String TIMEOUT = "x-server-timeout";

  private static final double DEFAULT_SECONDS = 30;
  private static final double MOST_SECONDS = 300;
  private static final long BODY_WITHIN_MILLIS = 10_000;

  /** What services look at, of the headers. */
  private static final String PREFIX = "rollcall-";

  private final Vertx vertx;
  private final Routes routes;
  private final Buffer description;

  /**
   * @param version of the gateway, for the description
   */
  public HttpApi(Vertx vertx, List<ServerServiceDefinition> services, String version) {
    this.vertx = vertx;
    routes = new Routes(services.stream().map(DirectCall::guarded).toList());
    description = Buffer.buffer(OpenApi.of(routes.all(), version) + "\n");
  }

  @Override
  public void handle(HttpServerRequest request, Peer peer) {
    HttpServerResponse response = request.response();
    // Nothing here is a page, and no page may show it as one.
    response.putHeader("x-content-type-options", "nosniff");
    Optional<Refusal> objection = Browsers.objection(request);
    if (objection.isPresent()) {
      HttpErrors.send(response, objection.get());
      return;
    }
    try {
      find(request, peer);
    } catch (IllegalArgumentException e) {
      String problem = String.valueOf(e.getMessage());
      HttpErrors.send(
          response, Refusal.of(Reason.FIELD_INVALID, "path: " + problem).field("path", problem));
    }
  }

  private void find(HttpServerRequest request, Peer peer) {
    HttpServerResponse response = request.response();
    String path = request.path();
    if (DESCRIPTION.equals(path)) {
      HttpAnswer.send(response, 200, description);
      return;
    }
    switch (routes.find(request.method(), path == null ? "" : path)) {
      case Routes.Found.Way(Route route, var fields) -> start(request, peer, route, fields);
      case Routes.Found.OtherVerbs(var verbs) -> {
        response.putHeader(HttpHeaders.ALLOW, String.join(", ", verbs));
        HttpErrors.send(
            response,
            405,
            Refusal.of(
                Reason.METHOD_UNKNOWN,
                request.method() + " is not for " + path + ": " + String.join(", ", verbs)));
      }
      case Routes.Found.Nothing() ->
          HttpErrors.send(
              response,
              Refusal.of(
                  Reason.PATH_UNKNOWN,
                  "nothing is at " + path + ": " + DESCRIPTION + " tells what there is"));
    }
  }

  private void start(
      HttpServerRequest request, Peer peer, Route route, Map<String, String> fields) {
    if (route.verb().equals(HttpMethod.GET)) {
      call(
          request,
          peer,
          route,
          () -> List.of(RequestMessages.fromQuery(route.emptyRequest(), fields, request.params())));
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
    body(
        request,
        body ->
            call(
                request,
                peer,
                route,
                () ->
                    route.takesMany()
                        ? RequestMessages.fromLines(route.emptyRequest(), body)
                        : List.of(RequestMessages.fromBody(route.emptyRequest(), fields, body))));
  }

  /** A body that is too long, or too long on its way, ends the connection. */
  private void body(HttpServerRequest request, Consumer<String> then) {
    Buffer body = Buffer.buffer();
    HttpServerResponse response = request.response();
    long late =
        vertx.setTimer(
            BODY_WITHIN_MILLIS,
            _ -> {
              HttpErrors.send(
                  response,
                  408,
                  Refusal.of(
                      Reason.BODY_TOO_LATE,
                      "the body did not come within " + BODY_WITHIN_MILLIS / 1000 + " s"));
              var _ = request.connection().close();
            });
    response.closeHandler(_ -> vertx.cancelTimer(late));
    request.handler(part -> {
      if (body.length() + part.length() > Limits.MESSAGE_BYTES) {
        vertx.cancelTimer(late);
        request.handler(_ -> {});
        request.endHandler(_ -> {});
        HttpErrors.send(
            response,
            413,
            Refusal.of(
                    Reason.BODY_TOO_LARGE,
                    "the body is over the limit of %d bytes".formatted(Limits.MESSAGE_BYTES))
                .with("limit", Integer.toString(Limits.MESSAGE_BYTES)));
        var _ = request.connection().close();
      } else {
        body.appendBuffer(part);
      }
    });
    request.endHandler(_ -> {
      vertx.cancelTimer(late);
      then.accept(body.toString(StandardCharsets.UTF_8));
    });
  }

  private interface Messages {
    Collection<Message> read() throws BadFieldException;
  }

  private void call(HttpServerRequest request, Peer peer, Route route, Messages messages) {
    HttpServerResponse response = request.response();
    try {
      Optional<Deadline> deadline = deadline(request, route);
      Collection<Message> said = messages.read();
      String accepted = request.getHeader(HttpHeaders.ACCEPT);
      if (route.streams()) {
        var stream =
            new HttpStream(
                response, () -> cut(request), vertx, accepted != null && accepted.contains(EVENTS));
        DirectCall<Message, Message> call =
            start(route, peer, headers(request), said, deadline, stream);
        response.drainHandler(_ -> call.ready());
        response.closeHandler(_ -> {
          stream.gone();
          call.cancel("the client has gone");
        });
      } else {
        DirectCall<Message, Message> call =
            start(route, peer, headers(request), said, deadline, new HttpAnswer(response));
        response.closeHandler(_ -> call.cancel("the client has gone"));
      }
    } catch (BadFieldException e) {
      HttpErrors.send(
          response,
          Refusal.of(Reason.FIELD_INVALID, String.valueOf(e.getMessage()))
              .field(e.field(), e.problem()));
    }
  }

  private static void cut(HttpServerRequest request) {
    if (request.version() == HttpVersion.HTTP_2) {
      var _ = request.response().reset();
    } else {
      var _ = request.connection().close();
    }
  }

  @SuppressWarnings("unchecked") // every message of proto is a Message
  private static DirectCall<Message, Message> start(
      Route route,
      Peer peer,
      Metadata headers,
      Collection<Message> messages,
      Optional<Deadline> deadline,
      DirectCall.Answer<Message> answer) {
    return DirectCall.start(
        (ServerMethodDefinition<Message, Message>) route.method(),
        peer,
        headers,
        messages,
        deadline,
        answer);
  }

  private static Metadata headers(HttpServerRequest request) {
    var headers = new Metadata();
    request
        .headers()
        .forEach((name, value) -> {
          String lower = name.toLowerCase(Locale.ROOT);
          if (lower.equals(BearerToken.AUTHORIZATION.name())) {
            headers.put(BearerToken.AUTHORIZATION, value);
          } else if (lower.startsWith(PREFIX) && !lower.endsWith(Metadata.BINARY_HEADER_SUFFIX)) {
            headers.put(Metadata.Key.of(lower, Metadata.ASCII_STRING_MARSHALLER), value);
          }
        });
    return headers;
  }

  /** A stream has none, unless the client wants one. */
  private static Optional<Deadline> deadline(HttpServerRequest request, Route route)
      throws BadFieldException {
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
    throw new BadFieldException(
        "header " + TIMEOUT, "'" + text + "' is no number of seconds up to " + (int) MOST_SECONDS);
  }

  private static Deadline after(double seconds) {
    return Deadline.after((long) (seconds * 1e9), TimeUnit.NANOSECONDS);
  }
}
