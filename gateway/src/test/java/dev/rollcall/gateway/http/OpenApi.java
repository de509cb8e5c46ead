package dev.rollcall.gateway.http;

import static java.util.Objects.requireNonNull;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.rollcall.wire.Refusal;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Describes routes as OpenAPI 3.1 does (https://spec.openapis.org/oas/v3.1.1.html). What it makes
 * is kept in {@code src/main/resources}.
 */
final class OpenApi {
  private static final String SCHEMAS = "#/components/schemas/";
  private static final String ERROR = "Error";
  private static final String JSON = "application/json";
  private static final int DEEPEST_PARAMETER = 3;
  private static final Pattern FIELD = Pattern.compile("\\{([a-z_]+)\\}");

  private final Comments comments = Comments.ofTheWire();
  private final Schemas schemas = new Schemas(comments);

  private OpenApi() {}

  /** The whole description, as JSON. */
  static String of(List<Route> routes) {
    return new GsonBuilder()
            .setPrettyPrinting()
            .disableHtmlEscaping()
            .create()
            .toJson(new OpenApi().describe(routes))
        + "\n";
  }

  private JsonObject describe(List<Route> routes) {
    var info = new JsonObject();
    info.addProperty("title", "Rollcall");
    info.addProperty("version", "VERSION"); // the gateway writes its own
    info.addProperty(
        "description",
        "Which job opened a connection, the jobs of the cluster and its nodes. Fields can also be"
            + " written as in proto, with underscores. Operations on this node belong to agents: a"
            + " gateway answers them with 400 or 501.");
    var all = new JsonObject();
    all.addProperty("openapi", "3.1.0");
    all.add("info", info);
    all.add("paths", paths(routes));
    schemas.add(ERROR, error());
    var components = new JsonObject();
    components.add("schemas", schemas.all());
    all.add("components", components);
    return all;
  }

  private JsonObject paths(List<Route> routes) {
    var paths = new TreeMap<String, JsonObject>();
    for (Route route : routes) {
      paths
          .computeIfAbsent(path(route), _ -> new JsonObject())
          .add(route.verb().name().toLowerCase(Locale.ROOT), operation(route));
    }
    var all = new JsonObject();
    paths.forEach(all::add);
    return all;
  }

  /** With the fields' names as JSON has them. */
  private static String path(Route route) {
    return FIELD
        .matcher(route.path().text())
        .replaceAll(name -> "{" + field(route, name.group(1)).getJsonName() + "}");
  }

  private static List<String> fields(Route route) {
    return FIELD.matcher(route.path().text()).results().map(name -> name.group(1)).toList();
  }

  private static FieldDescriptor field(Route route, String name) {
    return requireNonNull(
        Route.describedMethod(route.method()).getInputType().findFieldByName(name),
        () -> route.path().text() + ": the request has no field " + name);
  }

  private JsonObject operation(Route route) {
    var method = Route.describedMethod(route.method());
    var operation = new JsonObject();
    String service = method.getService().getName();
    var tags = new JsonArray();
    tags.add(service);
    operation.add("tags", tags);
    operation.addProperty("operationId", operationId(route, service));
    comments.of(method).ifPresent(text -> operation.addProperty("summary", text));
    var parameters = new JsonArray();
    for (String name : fields(route)) {
      parameters.add(parameter("path", field(route, name).getJsonName(), field(route, name)));
    }
    if (route.takesBody()) {
      operation.add("requestBody", requestBody(route));
    } else {
      var inPath = Set.copyOf(fields(route));
      query("", method.getInputType(), inPath, DEEPEST_PARAMETER, parameters);
    }
    if (!parameters.isEmpty()) {
      operation.add("parameters", parameters);
    }
    operation.add("responses", responses(route));
    return operation;
  }

  /** A method that can be called in two ways has two names. */
  private static String operationId(Route route, String service) {
    String name = service + "_" + Route.describedMethod(route.method()).getName();
    boolean second =
        route.takesBody() && Route.describedMethod(route.method()).getName().equals("Identify");
    return second ? name + "_Post" : name;
  }

  private JsonObject parameter(String in, String name, FieldDescriptor field) {
    var parameter = new JsonObject();
    parameter.addProperty("name", name);
    parameter.addProperty("in", in);
    if (in.equals("path")) {
      parameter.addProperty("required", true);
    }
    comments.of(field).ifPresent(text -> parameter.addProperty("description", text));
    parameter.add("schema", schemas.of(field));
    return parameter;
  }

  /** Every single value of a request, by its dotted name. */
  private void query(
      String prefix, Descriptor type, Set<String> inPath, int depth, JsonArray parameters) {
    for (FieldDescriptor field : type.getFields()) {
      String name = prefix + field.getJsonName();
      boolean message = field.getJavaType() == FieldDescriptor.JavaType.MESSAGE;
      if (message && !field.isRepeated() && !Schemas.isText(field.getMessageType()) && depth > 0) {
        query(name + ".", field.getMessageType(), inPath, depth - 1, parameters);
      } else if (!(message && field.isRepeated()) && !inPath.contains(field.getName())) {
        parameters.add(parameter("query", name, field));
      }
    }
  }

  private JsonObject requestBody(Route route) {
    var body = new JsonObject();
    if (route.takesMany()) {
      body.addProperty("description", "A message in each line.");
    }
    body.add(
        "content",
        content(JSON, schemas.reference(Route.describedMethod(route.method()).getInputType())));
    return body;
  }

  private static JsonObject content(String type, JsonObject schema) {
    var typed = new JsonObject();
    typed.add("schema", schema);
    var content = new JsonObject();
    content.add(type, typed);
    return content;
  }

  private JsonObject responses(Route route) {
    JsonObject schema = schemas.reference(Route.describedMethod(route.method()).getOutputType());
    var ok = new JsonObject();
    if (route.streams()) {
      ok.addProperty(
          "description",
          "As they come: a message in each line, or in each event's data. An error after the first"
              + " is a last line, or an event of the type failure.");
      JsonObject content = content("application/x-ndjson", schema);
      content.add("text/event-stream", content.get("application/x-ndjson"));
      ok.add("content", content);
    } else {
      ok.addProperty("description", "The answer.");
      ok.add("content", content(JSON, schema));
    }
    var reference = new JsonObject();
    reference.addProperty("$ref", SCHEMAS + ERROR);
    var other = new JsonObject();
    other.addProperty("description", "Why not.");
    other.add("content", content(JSON, reference));
    var responses = new JsonObject();
    responses.add("200", ok);
    responses.add("default", other);
    return responses;
  }

  private static JsonObject error() {
    var properties = new JsonObject();
    properties.add("code", typed("integer", "The status of HTTP."));
    properties.add("status", typed("string", "A word of google.rpc.Code, as INVALID_ARGUMENT."));
    properties.add("message", typed("string", "For people."));
    JsonObject details =
        typed(
            "array",
            "Of google.rpc: ErrorInfo, which has a word for programs; BadRequest, which names"
                + " fields; RetryInfo, which says when to ask again. None of what is not"
                + " foreseen.");
    details.add("items", detail());
    properties.add("details", details);
    var error = new JsonObject();
    error.addProperty("type", "object");
    error.add("properties", properties);
    var outer = new JsonObject();
    outer.add("error", error);
    var all = new JsonObject();
    all.addProperty("type", "object");
    all.add("properties", outer);
    return all;
  }

  private static JsonObject detail() {
    JsonObject type = typed("string", "As type.googleapis.com/google.rpc.ErrorInfo.");
    JsonObject reason = typed("string", "Of ErrorInfo.");
    var reasons = new JsonArray();
    Stream.of(Refusal.Reason.values()).map(Enum::name).forEach(reasons::add);
    reason.add("enum", reasons);
    JsonObject domain = typed("string", "Of ErrorInfo: whose word it is.");
    domain.addProperty("const", Refusal.DOMAIN);
    JsonObject metadata = typed("object", "Of ErrorInfo: as limit, identity, field, method.");
    metadata.add("additionalProperties", typed("string", "For people and programs."));
    JsonObject delay = typed("string", "Of RetryInfo: seconds, as 1s or 0.5s.");
    JsonObject violations = typed("array", "Of BadRequest.");
    JsonObject violation = typed("object", "One field.");
    var of = new JsonObject();
    of.add("field", typed("string", "Its dotted name in the request."));
    of.add("description", typed("string", "What is wrong with it."));
    violation.add("properties", of);
    violations.add("items", violation);
    var properties = new JsonObject();
    properties.add("@type", type);
    properties.add("reason", reason);
    properties.add("domain", domain);
    properties.add("metadata", metadata);
    properties.add("retryDelay", delay);
    properties.add("fieldViolations", violations);
    JsonObject detail = typed("object", "By its type.");
    detail.add("properties", properties);
    var required = new JsonArray();
    required.add("@type");
    detail.add("required", required);
    return detail;
  }

  private static JsonObject typed(String type, String description) {
    var typed = new JsonObject();
    typed.addProperty("type", type);
    typed.addProperty("description", description);
    return typed;
  }
}
