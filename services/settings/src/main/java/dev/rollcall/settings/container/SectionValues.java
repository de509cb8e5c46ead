package dev.rollcall.settings.container;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The values of one part of a file, or of several parts together. */
record SectionValues(Map<Key<?>, LocatedValue<?>> said) {
  static final SectionValues NONE = new SectionValues(Map.of());

  SectionValues {
    said = Map.copyOf(said);
  }

  /** What {@link #with} took has the type of its key. */
  @SuppressWarnings("unchecked")
  <T> Optional<LocatedValue<T>> get(Key<T> key) {
    return Optional.ofNullable((LocatedValue<T>) said.get(key));
  }

  /** These, and of the others what these do not say. */
  SectionValues over(SectionValues others) {
    var all = new HashMap<>(others.said);
    all.putAll(said);
    return new SectionValues(all);
  }

  /** {@code dir_confs} goes before {@code dirs}, wherever both were said. */
  List<LocatedValue<PrivateDirectory>> directories() {
    return get(Key.DIR_CONFS)
        .or(() -> get(Key.DIRS))
        .map(LocatedValue::value)
        .orElseGet(PrivateDirectory::byDefault);
  }

  /** With defaults for all that is not said. */
  JobContainer container() {
    return new JobContainer(
        value(Key.BASE_PATH).flatMap(path -> path),
        value(Key.AUTO_BASE_PATH).orElse(false),
        directories().stream().map(LocatedValue::value).toList(),
        value(Key.INIT_SCRIPT).map(path -> new Script(path, Script.DEFAULT_PATIENCE)),
        script(Key.CLONE_SCRIPT, Key.CLONE_SCRIPT_WAIT),
        script(Key.CLONE_EPILOG, Key.CLONE_EPILOG_WAIT),
        value(Key.SHARED).orElse(false),
        value(Key.CLONE_FLAGS).orElse(Set.of()),
        value(Key.USER_NS_SCRIPT).map(path -> new Script(path, Script.DEFAULT_PATIENCE)),
        value(Key.DISABLE_BPF_TOKEN).orElse(false),
        paths(Key.READ_ONLY),
        paths(Key.HIDDEN),
        value(Key.RUNTIME_DIRECTORY).orElse(false),
        value(Key.NETWORK_NAMESPACE));
  }

  private List<NarrowedPath> paths(Key<List<LocatedValue<NarrowedPath>>> key) {
    return value(key).orElse(List.of()).stream().map(LocatedValue::value).toList();
  }

  private <T> Optional<T> value(Key<T> key) {
    return get(key).map(LocatedValue::value);
  }

  private Optional<Script> script(Key<Path> script, Key<Duration> wait) {
    Duration patience = value(wait).orElse(Script.DEFAULT_PATIENCE);
    return value(script).map(path -> new Script(path, patience));
  }

  /** The same with one more, and without any that was said before. */
  <T> SectionValues with(Key<T> key, LocatedValue<T> value) {
    var all = new HashMap<Key<?>, LocatedValue<?>>(said);
    all.put(key, value);
    return new SectionValues(all);
  }
}
