package dev.rollcall.settings.container;

import dev.rollcall.settings.FilePosition;
import dev.rollcall.settings.Hostlist;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Checks that need all parts of a file, for one node. */
record Checks(Layers layers, Findings findings) {
  /** Names in all lists of a file together. */
  private static final int MOST_NAMES = 4 * Hostlist.MOST;

  void all() {
    if (fits()) {
      for (List<Layer> counting : new NodeSets(layers).combinations()) {
        // A value that was left out could be the one that makes the others fit.
        if (layers.below().clean() && counting.stream().allMatch(Layer::clean)) {
          together(layers.together(counting));
        }
      }
    }
  }

  private boolean fits() {
    long names = 0;
    for (Layer part : layers.parts()) {
      names += part.nodes().map(Hostlist::size).orElse(0);
      if (names > MOST_NAMES) {
        findings.problem(part.place(), "the file has more than " + MOST_NAMES + " names of nodes");
        return false;
      }
    }
    return true;
  }

  private void together(SectionValues fields) {
    var base = fields.get(Key.BASE_PATH).filter(said -> said.value().isPresent());
    base.ifPresent(said -> {
      String name = layers.syntax() == Layers.Syntax.CONF ? "BasePath" : "base_path";
      said.value().ifPresent(path -> apart(name, path, true, said.place(), fields));
      for (LocatedValue<PrivateDirectory> directory : fields.directories()) {
        own(directory.value())
            .forEach(path -> apart("base_path", path, true, directory.place(), fields));
      }
    });
    narrowed("read_only", fields.get(Key.READ_ONLY), fields);
    narrowed("hidden", fields.get(Key.HIDDEN), fields);
    fields.get(Key.NETWORK_NAMESPACE).ifPresent(said -> network(said, fields));
    unused(fields);
  }

  private void network(LocatedValue<JobPathPattern> said, SectionValues fields) {
    Set<Namespace> made = fields.get(Key.CLONE_FLAGS).map(LocatedValue::value).orElse(Set.of());
    if (made.contains(Namespace.NET)) {
      findings.problem(
          said.place(),
          "network_namespace: '%s' and CLONE_NEWNET: a job is in one".formatted(said.value()));
    }
    if (made.contains(Namespace.USER)) {
      findings.problem(
          said.place(),
          "network_namespace: '%s' and CLONE_NEWUSER: it belongs to another user namespace"
              .formatted(said.value()));
    }
  }

  /** A private directory has flags of its own, and what is hidden hides all below. */
  private void narrowed(
      String key,
      Optional<LocatedValue<List<LocatedValue<NarrowedPath>>>> said,
      SectionValues fields) {
    for (LocatedValue<NarrowedPath> one : said.map(LocatedValue::value).orElse(List.of())) {
      Path path = Path.of(one.value().path().text());
      apart(key, path, key.equals("hidden"), one.place(), fields);
    }
  }

  private static Stream<Path> own(PrivateDirectory directory) {
    return directory.backing() instanceof PrivateDirectory.Disk disk
        ? disk.basePath().stream()
        : Stream.empty();
  }

  /**
   * Checks a path against each private directory, by whole names: /tmp2 is not inside of /tmp.
   *
   * @param around whether it may not be around one either
   */
  private void apart(
      String key, Path path, boolean around, FilePosition place, SectionValues fields) {
    for (LocatedValue<PrivateDirectory> said : fields.directories()) {
      Path directory = Path.of(said.value().path().text());
      String relation =
          path.equals(directory)
              ? "is"
              : path.startsWith(directory)
                  ? "is inside of"
                  : around && directory.startsWith(path) ? "is around" : "";
      if (!relation.isEmpty()) {
        findings.problem(
            place,
            "%s: '%s' %s the private directory '%s' (%s)"
                .formatted(key, path, relation, directory, said.place()));
      }
    }
  }

  private void unused(SectionValues fields) {
    var confs = fields.get(Key.DIR_CONFS);
    var dirs = fields.get(Key.DIRS);
    if (confs.isPresent() && dirs.isPresent()) {
      findings.note(
          dirs.get().place(), "dirs: dir_confs (" + confs.get().place() + ") takes its place");
    }
    boolean users =
        fields.get(Key.CLONE_FLAGS).stream()
            .anyMatch(flags -> flags.value().contains(Namespace.USER));
    fields
        .get(Key.USER_NS_SCRIPT)
        .filter(_ -> !users)
        .ifPresent(said ->
            findings.note(said.place(), "user_ns_script: does not run without CLONE_NEWUSER"));
    fields
        .get(Key.DISABLE_BPF_TOKEN)
        .ifPresent(said ->
            findings.note(
                said.place(), "disable_bpf_token: has no effect: no BPF token is ever made"));
  }
}
