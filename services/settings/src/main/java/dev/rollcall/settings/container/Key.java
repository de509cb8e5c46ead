package dev.rollcall.settings.container;

import dev.rollcall.settings.FilePosition;
import dev.rollcall.settings.SlurmLines;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Something that a file can say of a container.
 *
 * @param conf its name in {@code job_container.conf}; may be empty
 * @param yaml its name in {@code namespace.yaml}; may be empty
 * @param takes what can stand there, in Markdown
 * @param reader throws IllegalArgumentException saying what is wrong with a text
 */
record Key<T>(
    String conf,
    String yaml,
    String takes,
    Class<T> type,
    BiFunction<String, FilePosition, T> reader) {
  private static final int LONGEST_WAIT_SECONDS = 86_400;
  private static final String YES_OR_NO = "yes or no";
  private static final String PATH = "an absolute path";
  private static final String PATHS = "absolute paths with commas between; in YAML also a list";
  private static final String SECONDS = "seconds, 0 to " + LONGEST_WAIT_SECONDS;

  /** Flags, as a value of its own. */
  record Flags(Set<Namespace> namespaces) {
    Flags {
      var all = EnumSet.of(Namespace.MOUNT);
      all.addAll(namespaces);
      namespaces = Collections.unmodifiableSet(all);
    }
  }

  static final Key<GivenBasePath> BASE_PATH =
      of(
          "BasePath",
          "base_path",
          "an absolute path, or `none`",
          GivenBasePath.class,
          GivenBasePath::parse);
  static final Key<Boolean> AUTO_BASE_PATH =
      of("AutoBasePath", "auto_base_path", YES_OR_NO, Boolean.class, SlurmLines::bool);
  static final Key<Directories> DIRS =
      new Key<>("Dirs", "dirs", PATHS, Directories.class, Directories::parse);
  static final Key<Path> INIT_SCRIPT =
      of("InitScript", "init_script", PATH, Path.class, AbsolutePath::plain);
  static final Key<Path> CLONE_SCRIPT =
      of("CloneNSScript", "clone_ns_script", PATH, Path.class, AbsolutePath::plain);
  static final Key<Duration> CLONE_SCRIPT_WAIT =
      of("CloneNSScript_Wait", "clone_ns_script_wait", SECONDS, Duration.class, Key::seconds);
  static final Key<Path> CLONE_EPILOG =
      of("CloneNSEpilog", "clone_ns_epilog", PATH, Path.class, AbsolutePath::plain);
  static final Key<Duration> CLONE_EPILOG_WAIT =
      of("CloneNSEpilog_Wait", "clone_ns_epilog_wait", SECONDS, Duration.class, Key::seconds);
  static final Key<Boolean> SHARED =
      of("Shared", "shared", YES_OR_NO, Boolean.class, SlurmLines::bool);
  static final Key<Boolean> ENTIRE_STEP =
      of("EntireStepInNS", "", YES_OR_NO, Boolean.class, SlurmLines::bool);
  static final Key<Directories> DIR_CONFS =
      new Key<>("", "dir_confs", "a list of entries, below", Directories.class, Directories::parse);
  static final Key<Flags> CLONE_FLAGS =
      of("", "clone_ns_flags", "`CLONE_NEW...`, one or a list", Flags.class, Key::flags);
  static final Key<Path> USER_NS_SCRIPT =
      of("", "user_ns_script", PATH, Path.class, AbsolutePath::plain);
  static final Key<Boolean> DISABLE_BPF_TOKEN =
      of("", "disable_bpf_token", YES_OR_NO, Boolean.class, SlurmLines::bool);

  static final Key<NarrowedPaths> READ_ONLY =
      new Key<>("", "read_only", PATHS, NarrowedPaths.class, NarrowedPaths::parse);
  static final Key<NarrowedPaths> HIDDEN =
      new Key<>("", "hidden", PATHS, NarrowedPaths.class, Key::hidden);
  static final Key<Boolean> RUNTIME_DIRECTORY =
      of("", "runtime_directory", YES_OR_NO, Boolean.class, SlurmLines::bool);

  static final Key<JobPathPattern> NETWORK_NAMESPACE =
      of("", "network_namespace", PATH, JobPathPattern.class, JobPathPattern::new);

  static final List<Key<?>> ALL =
      List.of(
          AUTO_BASE_PATH,
          BASE_PATH,
          DIRS,
          DIR_CONFS,
          INIT_SCRIPT,
          CLONE_SCRIPT,
          CLONE_SCRIPT_WAIT,
          CLONE_EPILOG,
          CLONE_EPILOG_WAIT,
          CLONE_FLAGS,
          USER_NS_SCRIPT,
          SHARED,
          ENTIRE_STEP,
          DISABLE_BPF_TOKEN,
          READ_ONLY,
          HIDDEN,
          RUNTIME_DIRECTORY,
          NETWORK_NAMESPACE);

  private static <T> Key<T> of(
      String conf, String yaml, String takes, Class<T> type, Function<String, T> reader) {
    return new Key<>(conf, yaml, takes, type, (text, _) -> reader.apply(text));
  }

  /** The key that has this name, in any case, in one of the two syntaxes. */
  static Optional<Key<?>> named(String text, Function<Key<?>, String> name) {
    return ALL.stream()
        .filter(key -> !text.isEmpty() && name.apply(key).equalsIgnoreCase(text))
        .findAny();
  }

  /** Their names in one of the two syntaxes. */
  static List<String> names(Function<Key<?>, String> name) {
    return ALL.stream().map(name).filter(text -> !text.isEmpty()).toList();
  }

  private static NarrowedPaths hidden(String text, FilePosition place) {
    NarrowedPaths all = NarrowedPaths.parse(text, place);
    all.list().forEach(one -> Trusted.mayBeCovered(one.value().path().text(), "hidden"));
    return all;
  }

  private static Duration seconds(String text) {
    boolean number = text.matches("[0-9]{1,9}");
    if (!number || Integer.parseInt(text) > LONGEST_WAIT_SECONDS) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a number of seconds from 0 to " + LONGEST_WAIT_SECONDS);
    }
    return Duration.ofSeconds(Integer.parseInt(text));
  }

  private static Flags flags(String text) {
    var flags = EnumSet.of(Namespace.MOUNT);
    for (String flag : text.split(",", -1)) {
      flags.add(Namespace.parse(flag.strip()));
    }
    return new Flags(flags);
  }
}
