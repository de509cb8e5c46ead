package dev.rollcall.lab.demo;

import dev.rollcall.lab.machine.VmPayload;
import dev.rollcall.lab.tree.SourceTree;
import java.nio.file.Path;

/** This module inside a machine, where the demo is played. */
public final class VmLab {
  /** Where its class path is: {@code classes} and the jars of {@code lib}. */
  static final String PLACE = "/srv/rollcall-vm/lab";

  private VmLab() {}

  /** Adds the module as the build made it. */
  public static VmPayload addTo(VmPayload payload) {
    Path made = SourceTree.ROOT.resolve("services/lab/target");
    return payload
        .with(PLACE + "/classes", made.resolve("classes"))
        .with(PLACE + "/lib", made.resolve("lib"));
  }
}
