package dev.rollcall.lab.image;

import dev.rollcall.lab.tree.SourceTree;
import dev.rollcall.testkit.process.Patience;
import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.process.Running;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The images that {@code deploy/images/build} makes of the distribution.
 *
 * @param folder where the OCI archives are
 */
public record Images(Path folder) {
  /** Read once: somebody may commit while tests run. */
  private static final String EPOCH =
      run(SourceTree.DEPLOY.resolve("packages/epoch").toString()).strip();

  /** Seconds less than with the level of images that are published. */
  private static final String QUICK = "GZIP=-1";

  /**
   * Builds all images.
   *
   * @param environment assignments, as of env(1)
   */
  public static Images made(Path folder, String... environment) {
    return made(folder, SourceTree.DISTRIBUTION, List.of(), List.of(environment));
  }

  /**
   * Builds all images. They are a little larger than those that are published.
   *
   * @param options words of {@code deploy/images/build} before the folders
   */
  static Images made(
      Path folder, Path distribution, List<String> options, List<String> environment) {
    var command = new ArrayList<>(List.of("env", "SOURCE_DATE_EPOCH=" + EPOCH));
    command.add("JAVA_HOME=" + System.getProperty("java.home"));
    command.add(QUICK);
    command.addAll(environment);
    command.add(SourceTree.DEPLOY.resolve("images/build").toString());
    command.addAll(options);
    command.addAll(List.of(distribution.toString(), folder.toString()));
    run(command.toArray(String[]::new));
    return new Images(folder);
  }

  public List<Path> archives() {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".tar")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path archive(String program) {
    return archives().stream()
        .filter(file -> file.getFileName().toString().startsWith("rollcall-" + program + "-"))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no image of " + program + " in " + archives()));
  }

  TreeMap<String, String> digests() throws IOException, NoSuchAlgorithmException {
    var digests = new TreeMap<String, String>();
    for (Path file : archives()) {
      byte[] sum = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
      digests.put(file.getFileName().toString(), HexFormat.of().formatHex(sum));
    }
    return digests;
  }

  /** Runs a command that has to succeed, and returns its output. */
  static String run(String... command) {
    Result result = Running.run(Patience.ofSeconds(300), List.of(command));
    return result.outOrThrow(String.join(" ", command));
  }
}
