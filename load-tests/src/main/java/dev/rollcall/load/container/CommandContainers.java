package dev.rollcall.load.container;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The same by util-linux, as a site's prolog and epilog would do it: unshare(1), which starts one
 * shell inside, and mount(8) for each mount.
 */
final class CommandContainers implements Containers {
  private static final String PROLOG =
      """
      set -e
      mkdir -m 700 "$1"
      mkdir -m 700 "$1/_tmp"
      chown "$2" "$1/_tmp"
      mount --bind "$1/_tmp" /tmp
      mount -t tmpfs -o size=1m tmpfs /dev/shm
      mount -t tmpfs -o ro,nosuid,nodev,noexec,size=4k,nr_inodes=2,mode=0 tmpfs "$1"
      umount -l "$3"
      """;

  private static final String EPILOG =
      """
      set -e
      umount "$2"
      rm "$2"
      rm -rf "$1"
      """;

  private final String owner;
  private final Path base;
  private final Path pins;

  /**
   * @param directory of its own, empty
   */
  CommandContainers(Path directory, int owner) throws IOException {
    this.owner = owner + ":" + owner;
    base = Files.createDirectory(directory.resolve("base"));
    pins = Files.createDirectory(directory.resolve("pins"));
    Commands.run("mount", "--bind", pins.toString(), pins.toString());
    Commands.run("mount", "--make-private", pins.toString());
  }

  private Path home(int job) {
    return base.resolve(Integer.toString(job));
  }

  private Path pin(int job) {
    return pins.resolve(Integer.toString(job));
  }

  @Override
  public void make(int job) throws IOException {
    Files.createFile(pin(job));
    Commands.run(
        "unshare",
        "--mount=" + pin(job),
        "--propagation",
        "private",
        "sh",
        "-c",
        PROLOG,
        "prolog",
        home(job).toString(),
        owner,
        pins.toString());
  }

  @Override
  public boolean has(int job) throws IOException {
    return Files.getFileStore(pin(job)).type().equals("nsfs");
  }

  @Override
  public void remove(int job) throws IOException {
    Commands.run("sh", "-c", EPILOG, "epilog", home(job).toString(), pin(job).toString());
  }

  @Override
  public void close() throws IOException {
    Commands.run("umount", "--lazy", pins.toString());
  }
}
