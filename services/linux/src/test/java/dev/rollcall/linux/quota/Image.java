package dev.rollcall.linux.quota;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** A file system in a file, mounted by a loop device that goes with the mount. */
record Image(Path file, Path mount) implements AutoCloseable {
  /** Makes and mounts one; the folder is opened to everybody. */
  static Image of(Path folder, int megabytes, String mkfs, String options) throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    var image = new Image(folder.resolve("image"), folder.resolve("mount"));
    Files.createDirectories(image.mount);
    Shell.root(folder)
        .run(
            "truncate -s %dM image; %s image; mount -o loop,%s image mount"
                .formatted(megabytes, mkfs, options));
    return image;
  }

  static Image btrfs(Path folder) throws IOException {
    return of(folder, 512, "mkfs.btrfs -q -f", "commit=1");
  }

  Shell shell() {
    return Shell.root(mount);
  }

  /** A directory that a limited one may be made in. */
  Path above() throws IOException {
    return Files.createDirectories(mount.resolve("42"));
  }

  @Override
  public void close() throws IOException {
    Shell.root(Path.of("/"))
        .run("umount %1$s || { sleep 2; umount -l %1$s; }; rm %2$s".formatted(mount, file));
  }
}
