package dev.rollcall.lab.image;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * An image, unpacked for runc by skopeo and umoci, which did not make it.
 *
 * @param folder an OCI bundle: config.json and rootfs
 */
record Bundle(Path folder) {
  static Bundle unpacked(Path archive, Path folder) {
    String layout = folder + "-layout:1";
    Images.run("skopeo", "copy", "--quiet", "oci-archive:" + archive, "oci:" + layout);
    Images.run("umoci", "unpack", "--image", layout, folder.toString());
    return new Bundle(folder);
  }

  Path root() {
    return folder.resolve("rootfs");
  }

  /** The specification for runc that umoci makes of the image's configuration. */
  JsonObject config() {
    try {
      return new JsonObject(Files.readString(folder.resolve("config.json")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Its files and links. */
  List<Path> files() {
    try (Stream<Path> files = Files.walk(root())) {
      return files.filter(file -> !Files.isDirectory(file)).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
