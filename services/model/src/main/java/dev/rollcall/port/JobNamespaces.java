package dev.rollcall.port;

import dev.rollcall.model.NamespaceType;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The namespaces of a job that its sessions join, as open descriptors that the caller closes. */
public interface JobNamespaces extends AutoCloseable {
  /** Of a job that has none. */
  JobNamespaces NONE = new JobNamespaces() {};

  /**
   * Namespaces of a user namespace that is the job's user's: root does not join them, so none is
   * open.
   *
   * @param files a directory with a file for each, named as in /proc/PID/ns, which the job's user
   *     can open
   */
  record OwnersAlone(Path files, Map<String, String> environment) implements JobNamespaces {
    public OwnersAlone {
      environment = Map.copyOf(environment);
    }
  }

  /**
   * Namespaces that no session joins, so none is open.
   *
   * @param why for the user, with the job as the subject
   */
  record Closed(String why) implements JobNamespaces {}

  /**
   * @param descriptor of {@code /proc/PID/ns/...}, open as long as the set it came in is
   */
  record Namespace(NamespaceType kind, int descriptor) {}

  /** Variables of the processes that join them. */
  default Map<String, String> environment() {
    return Map.of();
  }

  /** In the order in which they are to be joined. */
  default List<Namespace> inOrder() {
    return List.of();
  }

  @Override
  default void close() {}
}
