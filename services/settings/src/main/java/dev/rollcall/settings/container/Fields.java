package dev.rollcall.settings.container;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What one part of a file says, or several of them together. */
record Fields(Map<Key<?>, Said<?>> said) {
  static final Fields NONE = new Fields(Map.of());

  Fields {
    said = Map.copyOf(said);
  }

  <T> Optional<Said<T>> get(Key<T> key) {
    return Optional.ofNullable(said.get(key))
        .map(found -> new Said<>(key.type().cast(found.value()), found.place()));
  }

  /** These, and of the others what these do not say. */
  Fields over(Fields others) {
    var all = new HashMap<>(others.said);
    all.putAll(said);
    return new Fields(all);
  }

  /** {@code dir_confs} goes before {@code dirs}, wherever both were said. */
  Directories directories() {
    return get(Key.DIR_CONFS)
        .or(() -> get(Key.DIRS))
        .map(Said::value)
        .orElseGet(Directories::byDefault);
  }

  /** With defaults for all that is not said. */
  JobContainer container() {
    return new JobContainer(
        value(Key.BASE_PATH).flatMap(GivenBasePath::path),
        value(Key.AUTO_BASE_PATH).orElse(false),
        directories().list().stream().map(Said::value).toList(),
        value(Key.INIT_SCRIPT).map(path -> new Script(path, Script.DEFAULT_PATIENCE)),
        script(Key.CLONE_SCRIPT, Key.CLONE_SCRIPT_WAIT),
        script(Key.CLONE_EPILOG, Key.CLONE_EPILOG_WAIT),
        value(Key.SHARED).orElse(false),
        value(Key.ENTIRE_STEP).orElse(false),
        value(Key.CLONE_FLAGS).orElseGet(() -> new Key.Flags(Set.of())).namespaces(),
        value(Key.USER_NS_SCRIPT).map(path -> new Script(path, Script.DEFAULT_PATIENCE)),
        value(Key.DISABLE_BPF_TOKEN).orElse(false),
        paths(Key.READ_ONLY),
        paths(Key.HIDDEN),
        value(Key.RUNTIME_DIRECTORY).orElse(false),
        value(Key.NETWORK_NAMESPACE));
  }

  private List<NarrowedPath> paths(Key<NarrowedPaths> key) {
    return value(key).map(NarrowedPaths::list).orElse(List.of()).stream().map(Said::value).toList();
  }

  private <T> Optional<T> value(Key<T> key) {
    return get(key).map(Said::value);
  }

  private Optional<Script> script(Key<Path> script, Key<Duration> wait) {
    Duration patience = value(wait).orElse(Script.DEFAULT_PATIENCE);
    return value(script).map(path -> new Script(path, patience));
  }

  /** The same with one more, and without any that was said before. */
  <T> Fields with(Key<T> key, Said<T> value) {
    var all = new HashMap<Key<?>, Said<?>>(said);
    all.put(key, value);
    return new Fields(all);
  }
}
