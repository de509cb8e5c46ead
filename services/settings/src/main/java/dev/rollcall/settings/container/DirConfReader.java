package dev.rollcall.settings.container;

import dev.rollcall.settings.SlurmLines;
import dev.rollcall.settings.container.PrivateDirectory.Backing;
import dev.rollcall.settings.container.PrivateDirectory.Disk;
import dev.rollcall.settings.container.PrivateDirectory.Tmpfs;
import dev.rollcall.settings.container.YamlNodes.Entry;
import dev.rollcall.settings.container.YamlNodes.Word;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads one of {@code dir_confs}: a private directory with what is its own. */
record DirConfReader(YamlNodes nodes, Findings findings) {
  private static final List<String> KNOWN = List.of("path", "base_path", "options", "tmpfs");

  /** The directory, unless its path is missing or wrong. What is wrong is told. */
  Optional<PrivateDirectory> read(Node node, SectionParser saying) {
    Map<String, Entry> entries = new HashMap<>();
    for (Entry entry : nodes.entries("dir_confs", node, saying)) {
      if (KNOWN.contains(entry.lower())) {
        entries.put(entry.lower(), entry);
      } else {
        YamlReader.unknown(entry, KNOWN, saying);
      }
    }
    if (!(node instanceof MappingNode)) {
      return Optional.empty();
    }
    if (!entries.containsKey("path")) {
      saying.wrong(nodes.place(node), "dir_confs: 'path' is missing");
      return Optional.empty();
    }
    Optional<Path> base = value(entries, "base_path", AbsolutePath::ofNode, saying);
    boolean tmpfs =
        value(entries, "tmpfs", text -> SlurmLines.bool(YamlOptions.truth(text)), saying)
            .orElse(false);
    MountOptions words = words(entries, saying);
    return value(entries, "path", JobPathPattern::new, saying)
        .flatMap(template -> directory(template, base, tmpfs, words, entries, saying));
  }

  private <T> Optional<T> value(
      Map<String, Entry> entries, String key, Function<String, T> reader, SectionParser saying) {
    return Optional.ofNullable(entries.get(key))
        .flatMap(entry -> nodes.word(key, entry.value(), saying))
        .flatMap(word -> read(key, word, reader, saying));
  }

  private static <T> Optional<T> read(
      String key, Word word, Function<String, T> reader, SectionParser saying) {
    try {
      return Optional.of(reader.apply(word.text()));
    } catch (IllegalArgumentException e) {
      saying.wrong(word.place(), key + ": " + e.getMessage());
      return Optional.empty();
    }
  }

  private MountOptions words(Map<String, Entry> entries, SectionParser saying) {
    var words = new MountOptions();
    Entry entry = entries.get("options");
    if (entry != null) {
      for (Word word : nodes.words("options", entry.value(), saying)) {
        try {
          words.add(word.text());
        } catch (IllegalArgumentException e) {
          saying.wrong(word.place(), "options: " + e.getMessage());
        }
      }
    }
    return words;
  }

  private Optional<PrivateDirectory> directory(
      JobPathPattern path,
      Optional<Path> base,
      boolean tmpfs,
      MountOptions words,
      Map<String, Entry> entries,
      SectionParser saying) {
    boolean memory = tmpfs || PrivateDirectory.isSharedMemory(path);
    if (memory && base.isPresent()) {
      note(entries, "base_path", base.get() + "' has no effect: '" + path + "' is a tmpfs");
    }
    String unused = memory ? "" : words.onlyOfTmpfs();
    if (!unused.isEmpty()) {
      note(entries, "options", unused + "' has no effect: '" + path + "' is not a tmpfs");
    }
    try {
      Backing backing =
          memory
              ? new Tmpfs(words.data())
              : new Disk(base, words.mode(), words.count("size"), words.count("nr_inodes"));
      return Optional.of(new PrivateDirectory(path, backing, words.flags()));
    } catch (IllegalArgumentException e) {
      Optional.ofNullable(entries.get("options"))
          .ifPresent(entry -> saying.wrong(entry.place(), "options: " + e.getMessage()));
      return Optional.empty();
    }
  }

  private void note(Map<String, Entry> entries, String key, String text) {
    Optional.ofNullable(entries.get(key))
        .ifPresent(entry -> findings.note(entry.place(), key + ": '" + text));
  }
}
