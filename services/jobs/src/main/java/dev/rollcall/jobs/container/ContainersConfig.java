package dev.rollcall.jobs.container;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/**
 * The directories and limits of the containers of this node's jobs.
 *
 * @param rules of jobs that choose no container; empty: they get none
 * @param choices by the names with which jobs choose them; one without rules is none on this node
 * @param node this node's name
 * @param bootId of this boot
 * @param runDirectory gone with the boot
 * @param stateDirectory outlives it
 * @param userNames the name of a uid; empty text if it has none
 * @param before is told of each step before it is done; for tests of what happens in between
 */
public record ContainersConfig(
    Optional<ContainerRules> rules,
    Map<String, Optional<ContainerRules>> choices,
    String node,
    String bootId,
    Path runDirectory,
    Path stateDirectory,
    IntFunction<String> userNames,
    Consumer<String> before) {
  /** The name with which a job chooses to have no container. */
  public static final String NONE = "none";

  public ContainersConfig {
    choices = Map.copyOf(choices);
  }

  /** All rules by which jobs of this node get containers. */
  List<ContainerRules> all() {
    return Stream.concat(rules.stream(), choices.values().stream().flatMap(Optional::stream))
        .toList();
  }

  /**
   * The rules for a job; empty: it gets no container.
   *
   * @param name which the job chose
   * @throws IOException naming those that may be chosen
   */
  Optional<ContainerRules> chosen(Optional<String> name) throws IOException {
    if (name.isEmpty()) {
      return rules;
    }
    if (name.get().equals(NONE)) {
      return Optional.empty();
    }
    if (!choices.containsKey(name.get())) {
      var known = new TreeSet<>(choices.keySet());
      known.add(NONE);
      throw new IOException(
          "container '%s' is none of this node's, which are: %s"
              .formatted(name.get(), String.join(", ", known)));
    }
    return choices.get(name.get());
  }
}
