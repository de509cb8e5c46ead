package dev.rollcall.agent;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.agent.login.decide.AuditOnly;
import dev.rollcall.settings.BadConfigException;
import dev.rollcall.settings.ConfigFile;
import dev.rollcall.settings.Kind;
import dev.rollcall.settings.KnownKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The site's word about whose sessions are only watched: {@code node: yes}, or lists {@code users}
 * and {@code groups} of names and numbers. Where there is no file, nobody's are.
 */
final class AuditOnlyFile implements AuditOnly {
  private static final System.Logger LOG = System.getLogger(AuditOnlyFile.class.getName());

  private static final Kind<String> USER = Kind.of("a name, or `+` and a uid", AuditOnlyFile::name);
  private static final Kind<String> GROUP =
      Kind.of("a name, or `+` and a gid", AuditOnlyFile::name);

  private record Said(boolean node, Set<String> users, Set<String> groups) {
    static final Said NOTHING = new Said(false, Set.of(), Set.of());

    boolean isOn() {
      return node || !users.isEmpty() || !groups.isEmpty();
    }

    String words() {
      if (!isOn()) {
        return "decisions are carried out";
      }
      if (node) {
        return "every session is audit-only";
      }
      var whose = new ArrayList<String>();
      if (!users.isEmpty()) {
        whose.add("users " + String.join(", ", new TreeSet<>(users)));
      }
      if (!groups.isEmpty()) {
        whose.add("groups " + String.join(", ", new TreeSet<>(groups)));
      }
      return "sessions of " + String.join(" and of ", whose) + " are only watched";
    }
  }

  private final Path file;
  private final UserGroups groups;
  private Optional<String> text;
  private volatile Said said;
  private String refused = "";

  private AuditOnlyFile(Path file, UserGroups groups) throws IOException, BadConfigException {
    this.file = file;
    this.groups = groups;
    this.text = content(file);
    this.said = parse(file, text);
    if (said.isOn()) {
      LOG.log(WARNING, "{0}: {1}", file, said.words());
    }
  }

  /**
   * @throws BadConfigException naming the file, the line and what is wrong with it
   */
  static AuditOnlyFile open(Path file, UserGroups groups) throws BadConfigException {
    try {
      return new AuditOnlyFile(file, groups);
    } catch (IOException e) {
      throw new BadConfigException("cannot read " + file + ": " + e);
    }
  }

  private static Optional<String> content(Path file) throws IOException {
    if (Files.notExists(file)) {
      return Optional.empty(); // without an exception, which an idle agent would make all day
    }
    try {
      return Optional.of(Files.readString(file));
    } catch (NoSuchFileException none) {
      return Optional.empty();
    }
  }

  private static Said parse(Path file, Optional<String> text) throws BadConfigException {
    if (text.isEmpty()) {
      return Said.NOTHING;
    }
    return parse(ConfigFile.of(file.toString(), text.get()));
  }

  private static Said parse(ConfigFile keys) throws BadConfigException {
    var said =
        new Said(
            keys.value("node", Kind.yesOrNo(), false),
            Set.copyOf(new HashSet<>(keys.values("users", USER, List.of()))),
            Set.copyOf(new HashSet<>(keys.values("groups", GROUP, List.of()))));
    keys.end();
    return said;
  }

  /** What a file may say. */
  static List<KnownKey> keys() throws BadConfigException {
    ConfigFile empty = ConfigFile.of("audit_only.yaml", "");
    parse(empty);
    return empty.asked();
  }

  private static String name(String text) {
    if (text.isBlank() || text.startsWith("-") || text.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException("'" + text + "' is not a name");
    }
    return text;
  }

  @Override
  public boolean isOn() {
    return said.isOn();
  }

  @Override
  public boolean mayBlock() {
    return !said.groups.isEmpty();
  }

  @Override
  public boolean holdsFor(int uid, String user) {
    try {
      return rule(said, uid, () -> user).isPresent();
    } catch (IOException e) {
      LOG.log(
          WARNING,
          "{0}: a decision is enforced, because the rule cannot be checked: {1}",
          file,
          e.getMessage());
      return false;
    }
  }

  @Override
  public Optional<String> ruleFor(int uid) throws IOException {
    return rule(said, uid, () -> groups.nameOf(uid)).map(rule -> file + ": " + rule);
  }

  private interface Name {
    String get() throws IOException;
  }

  /** The name is asked for only if something depends on it. */
  private Optional<String> rule(Said now, int uid, Name name) throws IOException {
    String number = "+" + Integer.toUnsignedString(uid);
    if (now.node) {
      return Optional.of("node is yes");
    }
    if (now.users.contains(number)) {
      return Optional.of("users has " + number);
    }
    if (!now.isOn()) {
      return Optional.empty();
    }
    String user = name.get();
    if (now.users.contains(user)) {
      return Optional.of("users has " + user);
    }
    return now.groups.isEmpty()
        ? Optional.empty()
        : groups.of(user).stream()
            .filter(now.groups::contains)
            .sorted()
            .findFirst()
            .map(group -> "groups has " + group + ", of which " + user + " is");
  }

  @Override
  public synchronized void renew() {
    try {
      Optional<String> now = content(file);
      if (!now.equals(text)) {
        said = parse(file, now);
        text = now;
        LOG.log(said.isOn() ? WARNING : INFO, "{0}: {1}", file, said.words());
      }
      refused = "";
    } catch (IOException | BadConfigException e) {
      String problem = String.valueOf(e.getMessage());
      if (!problem.equals(refused)) {
        LOG.log(
            WARNING, "{0} cannot be read, so its last contents stay in use: {1}", file, problem);
      }
      refused = problem;
    }
  }
}
