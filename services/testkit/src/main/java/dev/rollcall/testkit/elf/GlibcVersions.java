package dev.rollcall.testkit.elf;

import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.process.RigException;
import dev.rollcall.testkit.process.Running;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * Lists the symbol versions of glibc that programs and libraries need, by {@code readelf}, which
 * reads files of every architecture.
 *
 * @param versions by the file's name, such as GLIBC_2.17; none for a static program
 */
public record GlibcVersions(Map<String, List<String>> versions) {
  private static final byte[] ELF = {0x7f, 'E', 'L', 'F'};
  private static final Pattern VERSION = Pattern.compile("\\bGLIBC_[A-Z0-9_.]+");
  private static final Pattern NUMBERED = Pattern.compile("GLIBC_2\\.(\\d+)(\\.\\d+)?");
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  public GlibcVersions {
    versions = Map.copyOf(versions);
  }

  /** Those of all files of a folder and its folders, and of the libraries in their jars. */
  public static GlibcVersions below(Path folder) throws IOException {
    var found = new TreeMap<String, List<String>>();
    List<Path> files;
    try (Stream<Path> all = Files.walk(folder)) {
      files =
          all.filter(file -> Files.isRegularFile(file))
              .filter(file -> !Files.isSymbolicLink(file))
              .toList();
    }
    for (Path file : files) {
      if (file.toString().endsWith(".jar")) {
        readJar(file, found);
      } else if (isElf(file)) {
        found.put(name(file), read(file));
      }
    }
    return new GlibcVersions(found);
  }

  /** The files that need a version above 2.MINOR, or one without a number, with these versions. */
  public Map<String, List<String>> above(int minor) {
    var above = new TreeMap<String, List<String>>();
    versions.forEach((file, all) -> {
      List<String> those = all.stream().filter(version -> isAbove(version, minor)).toList();
      if (!those.isEmpty()) {
        above.put(file, those);
      }
    });
    return above;
  }

  private static boolean isAbove(String version, int minor) {
    var numbered = NUMBERED.matcher(version);
    return !numbered.matches() || Integer.parseInt(numbered.group(1)) > minor;
  }

  private static void readJar(Path jar, Map<String, List<String>> found) throws IOException {
    try (var opened = new JarFile(jar.toFile())) {
      List<? extends ZipEntry> libraries =
          opened.stream().filter(entry -> entry.getName().endsWith(".so")).toList();
      for (ZipEntry library : libraries) {
        Path copy = Files.createTempFile("library", ".so");
        try (InputStream bytes = opened.getInputStream(library)) {
          Files.write(copy, bytes.readAllBytes());
          found.put(name(jar) + "!" + library.getName(), read(copy));
        } finally {
          Files.delete(copy);
        }
      }
    }
  }

  private static boolean isElf(Path file) throws IOException {
    try (InputStream bytes = Files.newInputStream(file)) {
      return Arrays.equals(ELF, bytes.readNBytes(ELF.length));
    }
  }

  private static List<String> read(Path file) {
    // Wide: otherwise readelf cuts long names.
    var command = List.of("readelf", "--wide", "--version-info", file.toString());
    Result result = Running.start(command).await(PATIENCE);
    if (!result.err().isEmpty()) {
      throw new RigException(String.join(" ", command) + ": " + result.err().strip());
    }
    String text = result.outOrThrow(String.join(" ", command));
    return new ArrayList<>(
        VERSION.matcher(text).results().map(MatchResult::group).distinct().sorted().toList());
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName());
  }
}
