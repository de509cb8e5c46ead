package dev.rollcall.gateway.batch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** A program in the place of squeue, which counts its runs. */
public record Script(Path file) {
  /** Jobs 41 and 42 of uid 1000. */
  public static final String TWO_JOBS =
      """
      echo '{"jobs": [
        {"job_id": 41, "user_id": 1000, "group_id": 100, "start_time": 1668772800},
        {"job_id": 42, "user_id": 1000, "group_id": 100, "start_time": 1668772801}]}'
      """;

  public static Script in(Path directory, String text) throws IOException {
    return new Script(directory.resolve("squeue")).become(text);
  }

  /** It does something else from now on; never half of it. */
  public Script become(String text) throws IOException {
    Path next = file.resolveSibling("next");
    Files.writeString(next, "#!/bin/sh\necho run >> " + file + ".runs\n" + text);
    Files.setPosixFilePermissions(next, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
    return this;
  }

  public int runs() {
    return lines("runs").size();
  }

  /** What it wrote into a file beside it. */
  public List<String> lines(String suffix) {
    try {
      return Files.readAllLines(Path.of(file + "." + suffix));
    } catch (IOException none) {
      return List.of();
    }
  }
}
