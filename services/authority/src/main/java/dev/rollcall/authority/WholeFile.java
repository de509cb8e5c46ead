package dev.rollcall.authority;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** A file that is there whole or not at all, also after a crash, and never with another's mode. */
public final class WholeFile {
  /** For what others may read. */
  public static final String PUBLIC = "rw-r--r--";

  /** For keys. */
  public static final String SECRET = "rw-------";

  private WholeFile() {}

  /**
   * @throws FileAlreadyExistsException if there is one; it is as it was
   */
  public static void create(Path file, byte[] content, String mode) throws IOException {
    Path temporary = written(file, content, mode);
    try {
      // Unlike a rename a link fails when the name is taken, also when that happens just now.
      Files.createLink(file, temporary);
    } finally {
      Files.deleteIfExists(temporary);
    }
    syncDirectory(file);
  }

  /** The same, with a refusal in words if there is one. */
  static void createNew(Path file, byte[] content, String mode)
      throws IOException, AuthorityException {
    try {
      create(file, content, mode);
    } catch (FileAlreadyExistsException e) {
      throw new AuthorityException("there is a " + file + " already; it is left as it is", e);
    }
  }

  /** In place of whatever there is. */
  public static void replace(Path file, byte[] content, String mode) throws IOException {
    Path temporary = written(file, content, mode);
    try {
      Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(temporary);
    }
    syncDirectory(file);
  }

  private static Path written(Path file, byte[] content, String mode) throws IOException {
    Path temporary =
        file.resolveSibling(
            "."
                + file.getFileName()
                + "."
                + Long.toHexString(ThreadLocalRandom.current().nextLong()));
    Set<PosixFilePermission> permissions = PosixFilePermissions.fromString(mode);
    boolean whole = false;
    try (FileChannel channel =
        FileChannel.open(
            temporary,
            Set.of(CREATE_NEW, WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(SECRET)))) {
      var left = ByteBuffer.wrap(content);
      while (left.hasRemaining()) {
        channel.write(left);
      }
      // Not by the umask's leave.
      Files.setPosixFilePermissions(temporary, permissions);
      channel.force(true);
      whole = true;
    } finally {
      if (!whole) {
        Files.deleteIfExists(temporary);
      }
    }
    return temporary;
  }

  private static void syncDirectory(Path file) throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    if (directory != null) {
      try (FileChannel channel = FileChannel.open(directory, READ)) {
        channel.force(true);
      }
    }
  }
}
