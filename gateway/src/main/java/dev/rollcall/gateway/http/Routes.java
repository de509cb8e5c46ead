package dev.rollcall.gateway.http;

import com.google.api.AnnotationsProto;
import com.google.api.HttpRule;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.vertx.core.http.HttpMethod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** All ways, by the google.api.http options of the methods; those without are not there. */
final class Routes {
  /** What a path and a verb lead to. */
  sealed interface Found {
    /**
     * @param fields what the path says, by the names of the request's fields
     */
    record Way(Route route, Map<String, String> fields) implements Found {}

    /** The path is there, for these verbs. */
    record OtherVerbs(Set<String> verbs) implements Found {}

    record Nothing() implements Found {}
  }

  private final List<Route> routes;

  Routes(List<ServerServiceDefinition> services) {
    var found = new ArrayList<Route>();
    for (ServerServiceDefinition service : services) {
      for (ServerMethodDefinition<?, ?> method : service.getMethods()) {
        HttpRule rule =
            Route.describedMethod(method).getOptions().getExtension(AnnotationsProto.http);
        route(rule, method).ifPresent(found::add);
        rule.getAdditionalBindingsList()
            .forEach(other -> route(other, method).ifPresent(found::add));
      }
    }
    // A verb is tried first: else it would be taken for a part of the last field.
    found.sort(
        Comparator.comparing((Route route) -> route.path().verb().isEmpty())
            .thenComparing(route -> route.path().text())
            .thenComparing(route -> route.verb().name()));
    routes = List.copyOf(found);
  }

  private static Optional<Route> route(HttpRule rule, ServerMethodDefinition<?, ?> method) {
    boolean body = rule.getBody().equals("*");
    return switch (rule.getPatternCase()) {
      case GET ->
          Optional.of(new Route(HttpMethod.GET, RoutePattern.parse(rule.getGet()), body, method));
      case POST ->
          Optional.of(new Route(HttpMethod.POST, RoutePattern.parse(rule.getPost()), body, method));
      case PATTERN_NOT_SET -> Optional.empty();
      case PUT, DELETE, PATCH, CUSTOM ->
          throw new IllegalArgumentException(
              method.getMethodDescriptor().getFullMethodName() + ": " + rule.getPatternCase());
    };
  }

  List<Route> all() {
    return routes;
  }

  Found find(HttpMethod verb, String path) {
    var others = new TreeSet<String>();
    for (Route route : routes) {
      Optional<Map<String, String>> fields = route.path().match(path);
      if (fields.isPresent() && route.verb().equals(verb)) {
        return new Found.Way(route, fields.get());
      }
      fields.ifPresent(_ -> others.add(route.verb().name()));
    }
    return others.isEmpty() ? new Found.Nothing() : new Found.OtherVerbs(others);
  }
}
