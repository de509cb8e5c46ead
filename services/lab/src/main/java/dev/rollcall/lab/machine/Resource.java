package dev.rollcall.lab.machine;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The shell parts that are shipped beside these classes. */
enum Resource {
  IMAGE("image.sh"),
  IMAGE_ARM64("image-arm64.sh"),
  GUEST("guest.sh"),
  NODE("node.sh"),
  SLURM("slurm.sh");

  private final String file;

  Resource(String file) {
    this.file = file;
  }

  String text() {
    try (InputStream stream = Resource.class.getResourceAsStream(file)) {
      if (stream == null) {
        throw new VmException("resource " + file + " is missing");
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path copyTo(Path folder) throws IOException {
    return Files.writeString(folder.resolve(file), text());
  }
}
