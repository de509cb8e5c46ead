package dev.rollcall.lab.demo;

import dev.rollcall.lab.machine.VmException;
import dev.rollcall.lab.machine.VmPayload;
import dev.rollcall.lab.tree.SourceTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.StreamSupport;

/** This module inside a machine, where the demo is played. */
public final class VmLab {
  /** Where its class path is: its jar and those of {@code lib}. */
  static final String PLACE = "/srv/rollcall-vm/lab";

  /** The same on this machine, as the build made it. */
  public static final Path MADE = SourceTree.ROOT.resolve("services/lab/target").toAbsolutePath();

  private VmLab() {}

  /** Adds the module. */
  public static VmPayload addTo(VmPayload payload) {
    Path jar = jar();
    return payload
        .with(PLACE + "/" + jar.getFileName(), jar)
        .with(PLACE + "/lib", MADE.resolve("lib"));
  }

  private static Path jar() {
    try (var jars = Files.newDirectoryStream(MADE, "rollcall-lab-*.jar")) {
      return StreamSupport.stream(jars.spliterator(), false)
          .findFirst()
          .orElseThrow(() -> new VmException("no rollcall-lab-*.jar in " + MADE + ": build it"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
