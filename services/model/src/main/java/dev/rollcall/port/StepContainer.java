package dev.rollcall.port;

import java.nio.file.Path;
import java.util.Map;

/**
 * The parts of its job's container that a step enters.
 *
 * @param namespaces files of the namespaces, by their names in /proc/PID/ns
 * @param environment variables of the processes that are in it
 */
public record StepContainer(Map<String, Path> namespaces, Map<String, String> environment) {
  /** Of a job that has no container. */
  public static final StepContainer NONE = new StepContainer(Map.of(), Map.of());

  public StepContainer {
    namespaces = Map.copyOf(namespaces);
    environment = Map.copyOf(environment);
  }
}
