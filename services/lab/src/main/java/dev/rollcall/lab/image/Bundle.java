package dev.rollcall.lab.image;

import dev.rollcall.testkit.process.Patience;
import dev.rollcall.testkit.process.Running;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * An image, unpacked for runc by skopeo and umoci, which did not make it.
 *
 * @param folder an OCI bundle: config.json and rootfs
 */
public record Bundle(Path folder) {
  private static final Duration UNPACKED_WITHIN = Patience.ofSeconds(120);

  /**
   * @param folder one that does not exist
   */
  public static Bundle unpacked(Path archive, Path folder) {
    String layout = folder + "-layout:1";
    run("skopeo", "copy", "--quiet", "oci-archive:" + archive, "oci:" + layout);
    run("umoci", "unpack", "--image", layout, folder.toString());
    return new Bundle(folder);
  }

  private static void run(String... command) {
    var _ = Running.run(UNPACKED_WITHIN, List.of(command)).outOrThrow(String.join(" ", command));
  }

  public Path root() {
    return folder.resolve("rootfs");
  }

  /** The specification for runc that umoci makes of the image's configuration. */
  public JsonObject config() {
    try {
      return new JsonObject(Files.readString(folder.resolve("config.json")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Its files and links. */
  public List<Path> files() {
    try (Stream<Path> files = Files.walk(root())) {
      return files.filter(file -> !Files.isDirectory(file)).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
