package dev.rollcall.lab.tree;

import java.nio.file.Path;

/** Where things are in the source tree that this is compiled from. */
public final class SourceTree {
  /** The root; the build names it, and otherwise it is the parent of the folder of services. */
  public static final Path ROOT =
      Path.of(System.getProperty("rollcall.home", "../..")).toAbsolutePath().normalize();

  /** The sources of what is shipped beside the programs: units, packages, SELinux. */
  public static final Path DEPLOY = ROOT.resolve("deploy");

  /** What the build makes and administrators install. */
  public static final Path DISTRIBUTION = DEPLOY.resolve("target/rollcall");

  private SourceTree() {}
}
