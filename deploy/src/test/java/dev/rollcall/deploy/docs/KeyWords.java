package dev.rollcall.deploy.docs;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The words beside a reader: {@code key = what it does}, {@code key.default} where the code has no
 * value to tell, and {@code key.slurm}, the default of what it takes the place of.
 */
record KeyWords(Path file, Map<String, String> words) {
  private static final Path HOME = Path.of(System.getProperty("rollcall.home", ".."));
  private static final Pattern KEY = Pattern.compile("(?m)^([A-Za-z0-9_.]+) =");
  private static final Pattern BESIDE = Pattern.compile("\\.(default|slurm)$");

  static KeyWords read(String name) throws IOException {
    Path file = HOME.resolve(name);
    String text = Files.readString(file);
    var read = new Properties();
    read.load(new StringReader(text));
    Map<String, String> words = new LinkedHashMap<>();
    for (MatchResult line : KEY.matcher(text).results().toList()) {
      if (words.put(line.group(1), read.getProperty(line.group(1))) != null) {
        throw new AssertionError(file + ": '" + line.group(1) + "' is given twice");
      }
    }
    return new KeyWords(file, words);
  }

  /** The keys, in the file's order. */
  List<String> keys() {
    return words.keySet().stream().filter(key -> !BESIDE.matcher(key).find()).toList();
  }

  String of(String key) {
    String word = words.getOrDefault(key, "");
    if (word.isBlank()) {
      throw new AssertionError(file + " has no words for '" + key + "'");
    }
    return word.replace("|", "\\|");
  }

  /** Whether the words tell the default. */
  boolean haveDefault(String key) {
    return words.containsKey(key + ".default");
  }

  /** Fails where there are words for what the code does not know, or the other way round. */
  void areFor(Set<String> known) {
    Set<String> here =
        words.keySet().stream()
            .map(key -> BESIDE.matcher(key).replaceFirst(""))
            .collect(Collectors.toCollection(TreeSet::new));
    if (!here.equals(new TreeSet<>(known))) {
      throw new AssertionError(
          file + " is about " + here + ", the code knows " + new TreeSet<>(known));
    }
  }
}
