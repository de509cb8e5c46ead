package dev.rollcall.deploy.chart;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A part of a YAML document, reached by the names and numbers on the way to it. */
record Manifest(Object content) {
  /**
   * What stands there.
   *
   * @param path keys of maps and indices of lists
   * @throws AssertionError naming the step that is not there
   */
  Manifest at(Object... path) {
    Manifest reached = this;
    for (Object step : path) {
      Manifest from = reached;
      reached =
          from.step(step)
              .orElseThrow(() -> new AssertionError("no '" + step + "' in " + from.content));
    }
    return reached;
  }

  boolean has(Object key) {
    return step(key).isPresent();
  }

  private Optional<Manifest> step(Object step) {
    return switch (content) {
      case Map<?, ?> map -> Optional.ofNullable(map.get(step)).map(Manifest::new);
      case List<?> list when step instanceof Integer at && at < list.size() ->
          Optional.of(new Manifest(list.get(at)));
      default -> Optional.empty();
    };
  }

  /** The parts of a list. */
  Set<String> keys() {
    return content instanceof Map<?, ?> map
        ? map.keySet().stream().map(String::valueOf).collect(Collectors.toSet())
        : Set.of();
  }

  Stream<Manifest> each() {
    return switch (content) {
      case List<?> list -> list.stream().map(Manifest::new);
      default -> throw new AssertionError("not a list: " + content);
    };
  }

  /** The part of a list whose {@code name} is this. */
  Manifest named(String name) {
    return each()
        .filter(part -> part.at("name").content().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no '" + name + "' in " + content));
  }

  String text() {
    return content.toString();
  }
}
