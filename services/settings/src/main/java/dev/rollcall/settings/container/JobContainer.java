package dev.rollcall.settings.container;

import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The container of every job of a node.
 *
 * @param basePath below which the jobs' directories are; empty: jobs of this node get nothing. It
 *     has {@code %h} and {@code %n} until it is that of one node
 * @param autoBasePath base paths that are not there are made
 * @param initScript runs before anything is made
 * @param cloneScript runs when the namespaces are made
 * @param cloneEpilog runs before they end
 * @param shared what the node mounts later is seen by jobs, too
 * @param namespaces those that a job has of its own; mount is always among them
 * @param userNsScript writes the maps of a new user namespace
 * @param disableBpfToken no BPF token is made for a user namespace
 * @param readOnly what of the node jobs cannot change, but for private directories below it
 * @param hidden what of the node jobs cannot see
 * @param runtimeDirectory every job has a directory for {@code XDG_RUNTIME_DIR}
 * @param networkNamespace file of one that is there, and that a job is in
 */
public record JobContainer(
    Optional<Path> basePath,
    boolean autoBasePath,
    List<PrivateDirectory> directories,
    Optional<Script> initScript,
    Optional<Script> cloneScript,
    Optional<Script> cloneEpilog,
    boolean shared,
    Set<Namespace> namespaces,
    Optional<Script> userNsScript,
    boolean disableBpfToken,
    List<NarrowedPath> readOnly,
    List<NarrowedPath> hidden,
    boolean runtimeDirectory,
    Optional<JobPathPattern> networkNamespace) {

  public JobContainer {
    directories = List.copyOf(directories);
    readOnly = List.copyOf(readOnly);
    hidden = List.copyOf(hidden);
    var all = EnumSet.of(Namespace.MOUNT);
    all.addAll(namespaces);
    namespaces = Collections.unmodifiableSet(all);
  }

  /** With the names of a node in all paths. */
  JobContainer on(String node, String host) {
    return new JobContainer(
        basePath.map(path -> on(path, node, host)),
        autoBasePath,
        directories.stream().map(directory -> directory.on(node, host)).toList(),
        initScript,
        cloneScript,
        cloneEpilog,
        shared,
        namespaces,
        userNsScript,
        disableBpfToken,
        readOnly.stream().map(path -> path.on(node, host)).toList(),
        hidden.stream().map(path -> path.on(node, host)).toList(),
        runtimeDirectory,
        networkNamespace.map(path -> path.on(node, host)));
  }

  static Path on(Path path, String node, String host) {
    return AbsolutePath.ofNode(
        JobPathPattern.replaced(path.toString(), Map.of('n', node, 'h', host)));
  }
}
