package dev.rollcall.lab.machine;

import java.nio.file.Path;

/**
 * A built image, never written to.
 *
 * @param kernel the package that the kernel came in
 * @param processor the kind of machine that it is for
 */
public record VmImage(Path folder, String kernel, Processor processor) {
  Path disk() {
    return folder.resolve("root.img");
  }

  Path vmlinuz() {
    return folder.resolve("vmlinuz");
  }
}
