package dev.rollcall.settings.container;

import dev.rollcall.settings.FilePosition;
import dev.rollcall.settings.SlurmLines;
import java.nio.file.Path;
import java.time.Duration;
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
record Key<T>(String conf, String yaml, String takes, BiFunction<String, FilePosition, T> reader) {
  private static final int LONGEST_WAIT_SECONDS = 86_400;
  private static final String YES_OR_NO = "yes or no";
  private static final String PATH = "an absolute path";
  private static final String PATHS = "absolute paths with commas between; in YAML also a list";
  private static final String SECONDS = "seconds, 0 to " + LONGEST_WAIT_SECONDS;

  static final Key<Optional<Path>> BASE_PATH =
      of("BasePath", "base_path", "an absolute path, or `none`", Key::basePath);
  static final Key<Boolean> AUTO_BASE_PATH = yesOrNo("AutoBasePath", "auto_base_path");
  static final Key<List<LocatedValue<PrivateDirectory>>> DIRS =
      new Key<>("Dirs", "dirs", PATHS, PrivateDirectory::list);
  static final Key<Path> INIT_SCRIPT = of("InitScript", "init_script", PATH, AbsolutePath::plain);
  static final Key<Path> CLONE_SCRIPT =
      of("CloneNSScript", "clone_ns_script", PATH, AbsolutePath::plain);
  static final Key<Duration> CLONE_SCRIPT_WAIT =
      of("CloneNSScript_Wait", "clone_ns_script_wait", SECONDS, Key::seconds);
  static final Key<Path> CLONE_EPILOG =
      of("CloneNSEpilog", "clone_ns_epilog", PATH, AbsolutePath::plain);
  static final Key<Duration> CLONE_EPILOG_WAIT =
      of("CloneNSEpilog_Wait", "clone_ns_epilog_wait", SECONDS, Key::seconds);
  static final Key<Boolean> SHARED = yesOrNo("Shared", "shared");
  static final Key<Boolean> ENTIRE_STEP = yesOrNo("EntireStepInNS", "");
  static final Key<List<LocatedValue<PrivateDirectory>>> DIR_CONFS =
      new Key<>("", "dir_confs", "a list of entries, below", PrivateDirectory::list);
  static final Key<Set<Namespace>> CLONE_FLAGS =
      of("", "clone_ns_flags", "`CLONE_NEW...`, one or a list", Key::flags);
  static final Key<Path> USER_NS_SCRIPT = of("", "user_ns_script", PATH, AbsolutePath::plain);
  static final Key<Boolean> DISABLE_BPF_TOKEN = yesOrNo("", "disable_bpf_token");

  static final Key<List<LocatedValue<NarrowedPath>>> READ_ONLY =
      new Key<>("", "read_only", PATHS, NarrowedPath::list);
  static final Key<List<LocatedValue<NarrowedPath>>> HIDDEN =
      new Key<>("", "hidden", PATHS, Key::hidden);
  static final Key<Boolean> RUNTIME_DIRECTORY = yesOrNo("", "runtime_directory");

  static final Key<JobPathPattern> NETWORK_NAMESPACE =
      of("", "network_namespace", PATH, JobPathPattern::new);

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

  private static <T> Key<T> of(String conf, String yaml, String takes, Function<String, T> reader) {
    return new Key<>(conf, yaml, takes, (text, _) -> reader.apply(text));
  }

  private static Key<Boolean> yesOrNo(String conf, String yaml) {
    return of(conf, yaml, YES_OR_NO, SlurmLines::bool);
  }

  boolean isYesOrNo() {
    return takes.equals(YES_OR_NO);
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

  /** Empty for {@code none}; else with the variables of a node. */
  private static Optional<Path> basePath(String text) {
    return text.equalsIgnoreCase("none")
        ? Optional.empty()
        : Optional.of(AbsolutePath.ofNode(text));
  }

  private static List<LocatedValue<NarrowedPath>> hidden(String text, FilePosition place) {
    List<LocatedValue<NarrowedPath>> all = NarrowedPath.list(text, place);
    all.forEach(one -> Trusted.mayBeCovered(one.value().path().text(), "hidden"));
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

  private static Set<Namespace> flags(String text) {
    Set<Namespace> flags = EnumSet.noneOf(Namespace.class);
    for (String flag : text.split(",", -1)) {
      flags.add(Namespace.parse(flag.strip()));
    }
    return flags;
  }
}
