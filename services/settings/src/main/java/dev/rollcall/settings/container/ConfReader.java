package dev.rollcall.settings.container;

import dev.rollcall.settings.FilePosition;
import dev.rollcall.settings.Hostlist;
import dev.rollcall.settings.NearestWord;
import dev.rollcall.settings.SlurmLines;
import dev.rollcall.settings.SlurmLines.Pair;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads {@code job_container.conf}, also known as {@code namespace.conf}. What follows NodeName or
 * BasePath on a line is for those nodes; anything else is for all.
 */
final class ConfReader {
  private static final String NODE_NAME = "NodeName";

  /** Slurm takes these where they are for all nodes, and never looks at them. */
  private static final Set<Key<?>> NEVER_GLOBAL = Set.of(Key.CLONE_SCRIPT, Key.CLONE_EPILOG);

  private final Findings findings;
  private final SectionParser global;
  private final List<Layer> parts = new ArrayList<>();

  ConfReader(Findings findings) {
    this.findings = findings;
    global = new SectionParser(findings, true);
  }

  Layers read(Path file) {
    var read = SlurmLines.read(file);
    read.problems().forEach(problem -> findings.problem(problem.place(), problem.text()));
    read.lines().forEach(line -> new OneLine(line.whole()).read(line.pairs()));
    var place = new FilePosition(file.toString(), 0);
    var below =
        new Layer(
            Optional.empty(), place, global.fields(), global.clean() && read.problems().isEmpty());
    return new Layers(Layers.Syntax.CONF, below, parts);
  }

  private final class OneLine {
    private final SectionParser block = new SectionParser(findings, true);
    private final boolean whole;
    private Optional<FilePosition> begun = Optional.empty();
    private Optional<Hostlist> nodes = Optional.empty();
    private boolean named;
    private boolean basePath;
    private final List<Pair> forAll = new ArrayList<>();

    OneLine(boolean whole) {
      this.whole = whole;
    }

    void read(List<Pair> pairs) {
      pairs.forEach(this::take);
      begun.ifPresent(this::end);
    }

    private void take(Pair pair) {
      if (pair.key().equalsIgnoreCase(NODE_NAME)) {
        begin(pair);
        return;
      }
      Optional<Key<?>> key = Key.named(pair.key(), Key::conf);
      if (key.isEmpty()) {
        unknown(pair);
      } else {
        take(key.get(), pair);
      }
    }

    private void begin(Pair pair) {
      if (begun.isPresent()) {
        block.wrong(
            pair.place(),
            "NodeName: '" + pair.value() + "' has to come before the keys for these nodes");
        return;
      }
      begun = Optional.of(pair.place());
      named = true;
      forAll.forEach(before ->
          findings.note(
              before.place(),
              before.key() + ": is for all nodes, as it comes before NodeName on its line"));
      try {
        nodes = Optional.of(Hostlist.parse(pair.value()));
      } catch (IllegalArgumentException e) {
        block.wrong(pair.place(), "NodeName: " + e.getMessage());
      }
    }

    private void take(Key<?> key, Pair pair) {
      if (key.equals(Key.ENTIRE_STEP)) {
        findings.note(
            pair.place(),
            key.conf() + ": has no effect: a step is inside of its namespace as a whole");
      }
      if (key.equals(Key.BASE_PATH)) {
        basePath = true;
        begun = begun.or(() -> Optional.of(pair.place()));
      }
      if (begun.isPresent()) {
        block.take(key, key.conf(), pair.value(), pair.place());
      } else if (key.equals(Key.INIT_SCRIPT)) {
        global.wrong(
            pair.place(),
            "InitScript: '" + pair.value() + "' has to come after NodeName or BasePath on a line");
      } else {
        takeForAll(key, pair);
      }
    }

    private void takeForAll(Key<?> key, Pair pair) {
      forAll.add(pair);
      if (NEVER_GLOBAL.contains(key)) {
        new SectionParser(findings, true).take(key, key.conf(), pair.value(), pair.place());
        findings.note(
            pair.place(), key.conf() + ": does not run: it has to come after NodeName or BasePath");
      } else {
        global.take(key, key.conf(), pair.value(), pair.place());
      }
    }

    private void unknown(Pair pair) {
      List<String> known = new ArrayList<>(Key.names(Key::conf));
      known.add(NODE_NAME);
      (begun.isPresent() ? block : global)
          .wrong(
              pair.place(),
              "unknown key '%s' (%s); the nearest is %s"
                  .formatted(pair.key(), pair.value(), NearestWord.to(pair.key(), known)));
    }

    private void end(FilePosition place) {
      if (!basePath && whole && block.clean()) {
        block.wrong(
            place, "NodeName: '" + nodes.map(Hostlist::toString).orElse("") + "' has no BasePath");
      }
      if (nodes.isPresent() || !named) {
        parts.add(new Layer(nodes, place, block.fields(), block.clean() && whole));
      }
    }
  }
}
