package dev.rollcall.lab.packages;

import dev.rollcall.lab.tree.SourceTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Packages of the distribution, without the classes that are kept ready: these take minutes, and
 * are not the same twice.
 *
 * @param folder where they are, and nothing else but logs
 */
public record Packages(Path folder) {
  private static final Path BUILD = SourceTree.DEPLOY.resolve("packages/build").toAbsolutePath();

  /** Asked once: somebody may commit while tests run. */
  private static final String EPOCH =
      Command.say(SourceTree.DEPLOY.resolve("packages/epoch").toAbsolutePath().toString()).strip();

  /** Made once: it takes a while. */
  private static final Map<Path, Packages> LATER = new ConcurrentHashMap<>();

  private static final Map<Path, Path> WITH_JAVA = new ConcurrentHashMap<>();

  private static final Path DISTRIBUTION = SourceTree.DISTRIBUTION.toAbsolutePath();

  /** Seconds less than with the level of packages that are published. */
  private static final Map<String, String> QUICK = Map.of("DPKG_DEB_COMPRESSOR_LEVEL", "1");

  /** Makes them, from any folder and in any environment. */
  static Packages made(Path folder, Path from, Map<String, String> environment) {
    return made(folder, from, environment, DISTRIBUTION, 1);
  }

  private static Packages made(
      Path folder, Path from, Map<String, String> environment, Path distribution, int revision) {
    var command =
        List.of(
            BUILD.toString(),
            "--without-cache",
            "--revision",
            Integer.toString(revision),
            distribution.toString(),
            folder.toString());
    var all = new HashMap<>(QUICK);
    all.putAll(environment);
    all.put("SOURCE_DATE_EPOCH", EPOCH);
    Command.run(from, all, command.toArray(String[]::new)).orThrow(command);
    return new Packages(folder);
  }

  /** The next ones of the same version, to which these are upgraded. */
  public Packages later() {
    Path beside = folder.resolveSibling(folder.getFileName() + "-later");
    return LATER.computeIfAbsent(
        beside, later -> made(later, Path.of("."), Map.of(), withJava(), 2));
  }

  /** The distribution with the Java that is in these packages: jlink takes a while. */
  public Path withJava() {
    Path beside = folder.resolveSibling(folder.getFileName() + "-java");
    return WITH_JAVA.computeIfAbsent(beside, this::withJava);
  }

  private Path withJava(Path copy) {
    String script =
        """
        rm -rf "$1" "$1-unpacked"
        cp -rl "$2" "$1"
        dpkg-deb -x "$3"/rollcall-runtime_*.deb "$1-unpacked"
        mv "$1-unpacked/usr/lib/rollcall/jre" "$1/"
        rm -r "$1-unpacked"
        """;
    Command.say(
        "sh", "-ec", script, "sh", copy.toString(), DISTRIBUTION.toString(), folder.toString());
    return copy;
  }

  /** The files with this ending, by name. */
  List<Path> files(String ending) {
    try (var files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A folder with the .deb packages alone. */
  public Path debs() {
    return only(".deb");
  }

  /** A folder with the .rpm packages alone. */
  Path rpms() {
    return only(".rpm");
  }

  private Path only(String ending) {
    try {
      Path only = Files.createDirectories(folder.resolve(ending.substring(1) + "s"));
      for (Path file : files(ending)) {
        Path copy = only.resolve(file.getFileName());
        Files.deleteIfExists(copy);
        Files.createLink(copy, file);
      }
      return only;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Gives tests the packages that all of them share. */
  public static final class Once implements ParameterResolver {
    private static final ExtensionContext.Namespace HERE =
        ExtensionContext.Namespace.create(Once.class);

    /** Those that all tests of this run share. */
    public static Packages of(ExtensionContext context) {
      return context
          .getRoot()
          .getStore(HERE)
          .computeIfAbsent(Packages.class, _ -> make(), Packages.class);
    }

    private static Packages make() {
      return made(Path.of("target/packages-tested").toAbsolutePath(), Path.of("."), Map.of());
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == Packages.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return of(context);
    }
  }
}
