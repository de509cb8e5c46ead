package dev.rollcall.settings.container;

import dev.rollcall.settings.FilePosition;
import dev.rollcall.settings.container.YamlNodes.Entry;
import dev.rollcall.settings.container.YamlNodes.Word;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** Reads {@code defaults}, or the {@code options} of some nodes. */
final class YamlOptions {
  private final YamlNodes nodes;
  private final DirConfReader dirConfs;

  YamlOptions(YamlNodes nodes, Findings findings) {
    this.nodes = nodes;
    dirConfs = new DirConfReader(nodes, findings);
  }

  void read(String name, Node node, SectionParser saying) {
    nodes.entries(name, node, saying).forEach(entry -> take(entry, saying));
  }

  void take(Entry entry, SectionParser saying) {
    Optional<Key<?>> known = Key.named(entry.name(), Key::yaml);
    if (known.isEmpty()) {
      YamlReader.unknown(entry, Key.names(Key::yaml), saying);
      return;
    }
    Key<?> key = known.get();
    if (key.equals(Key.DIR_CONFS)) {
      dirConfs(entry, saying);
    } else if (key.equals(Key.DIRS) && entry.value() instanceof SequenceNode) {
      List<LocatedValue<PrivateDirectory>> all = new ArrayList<>();
      words(
          Key.DIRS,
          entry,
          saying,
          all,
          word -> PrivateDirectory.add(all, PrivateDirectory.named(word.text()), word.place()));
    } else if (key.equals(Key.READ_ONLY)) {
      paths(Key.READ_ONLY, entry, saying);
    } else if (key.equals(Key.HIDDEN)) {
      paths(Key.HIDDEN, entry, saying);
    } else if (key.equals(Key.CLONE_FLAGS)) {
      Set<Namespace> flags = EnumSet.noneOf(Namespace.class);
      words(
          Key.CLONE_FLAGS,
          entry,
          saying,
          flags,
          word -> flags.addAll(Key.CLONE_FLAGS.reader().apply(word.text(), word.place())));
    } else {
      nodes
          .word(entry.name(), entry.value(), saying)
          .ifPresent(word -> saying.take(key, key.yaml(), text(key, word), word.place()));
    }
  }

  /** In Slurm's words for its other files: YAML has more for yes and no, and 0 is the default. */
  private static String text(Key<?> key, Word word) {
    if (key.equals(Key.CLONE_SCRIPT_WAIT) || key.equals(Key.CLONE_EPILOG_WAIT)) {
      return word.text().equals("0")
          ? Long.toString(Script.DEFAULT_PATIENCE.toSeconds())
          : word.text();
    }
    return key.isYesOrNo() ? truth(word.text()) : word.text();
  }

  static String truth(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "y", "t", "on" -> "yes";
      case "n", "f", "off" -> "no";
      default -> text;
    };
  }

  private void dirConfs(Entry entry, SectionParser saying) {
    List<LocatedValue<PrivateDirectory>> all = new ArrayList<>();
    for (Node node : nodes.items(entry.name(), entry.value(), saying)) {
      FilePosition place = nodes.place(node);
      try {
        dirConfs.read(node, saying).ifPresent(one -> PrivateDirectory.add(all, one, place));
      } catch (IllegalArgumentException e) {
        saying.wrong(place, "dir_confs: " + e.getMessage());
      }
    }
    saying.put(Key.DIR_CONFS, entry.name(), new LocatedValue<>(all, entry.place()));
  }

  private void paths(Key<List<LocatedValue<NarrowedPath>>> key, Entry entry, SectionParser saying) {
    List<LocatedValue<NarrowedPath>> all = new ArrayList<>();
    words(
        key,
        entry,
        saying,
        all,
        word ->
            key.reader()
                .apply(word.text(), word.place())
                .forEach(one -> NarrowedPath.add(all, one)));
  }

  /**
   * Takes each word of a list, or the one that is there; what is wrong with one is told.
   *
   * @param all what they are collected in: the key's value
   */
  private <T> void words(
      Key<T> key, Entry entry, SectionParser saying, T all, Consumer<Word> take) {
    for (Word word : nodes.words(entry.name(), entry.value(), saying)) {
      try {
        take.accept(word);
      } catch (IllegalArgumentException e) {
        saying.wrong(word.place(), key.yaml() + ": " + e.getMessage());
      }
    }
    saying.put(key, entry.name(), new LocatedValue<>(all, entry.place()));
  }
}
