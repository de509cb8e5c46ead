package dev.rollcall.jobs.slurm;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.mount.NamespaceThread;
import dev.rollcall.model.NamespaceType;
import dev.rollcall.port.JobNamespaces;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The namespaces of a job that its step daemon passed on, in the order of joining. */
final class StepNamespaces implements JobNamespaces {
  /** A descriptor and the namespace that the kernel says it is. */
  private record Passed(NamespaceType type, Descriptor file) {}

  private final List<Passed> passed = new ArrayList<>();
  private final Map<String, String> environment;

  StepNamespaces(Map<String, String> environment) {
    this.environment = Map.copyOf(environment);
  }

  /**
   * Takes it over.
   *
   * @throws IOException if it is no namespace of a known type; then it is closed
   */
  void add(Descriptor file) throws IOException {
    Optional<NamespaceType> type = NamespaceThread.typeOf(file);
    if (type.isEmpty()) {
      file.close();
      throw new IOException("step daemon passes a descriptor that is no namespace of a known type");
    }
    passed.add(new Passed(type.get(), file));
  }

  boolean isEmpty() {
    return passed.isEmpty();
  }

  boolean has(NamespaceType type) {
    return passed.stream().anyMatch(each -> each.type() == type);
  }

  @Override
  public Map<String, String> environment() {
    return environment;
  }

  @Override
  public List<Namespace> inOrder() {
    return passed.stream().map(each -> new Namespace(each.type(), each.file().number())).toList();
  }

  @Override
  public void close() {
    passed.forEach(each -> each.file().close());
  }
}
