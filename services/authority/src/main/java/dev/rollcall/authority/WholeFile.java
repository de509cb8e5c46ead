package dev.rollcall.authority;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** Writes files atomically, with their mode: after a crash a file is complete or absent. */
public final class WholeFile {
  /** For what others may read. */
  public static final String PUBLIC = "rw-r--r--";

  /** For keys. */
  public static final String SECRET = "rw-------";

  /** A file to write. Nobody compares two. */
  @SuppressWarnings("ArrayRecordComponent")
  public record Part(Path file, byte[] content, String mode) {}

  /** Gives a name to a file that is written. */
  private interface Naming {
    void name(Path temporary, Path file) throws IOException;
  }

  private WholeFile() {}

  /**
   * @throws FileAlreadyExistsException if there is one; it is as it was
   */
  public static void create(Path file, byte[] content, String mode) throws IOException {
    createAll(List.of(new Part(file, content, mode)));
  }

  /**
   * All of them, in this order, or none.
   *
   * @throws FileAlreadyExistsException if there is one; it is as it was
   * @throws IOException that names the file
   */
  public static void createAll(List<Part> parts) throws IOException {
    var created = new ArrayList<Path>();
    try {
      put(
          parts,
          (temporary, file) -> {
            // Unlike a rename a link fails when the name is taken, also when that happens just now.
            Files.createLink(file, temporary);
            created.add(file);
          });
    } catch (IOException e) {
      for (Path file : created) {
        Files.deleteIfExists(file);
      }
      throw e;
    }
  }

  /** The same, with a refusal in words if there is one. */
  static void createNew(List<Part> parts) throws IOException, AuthorityException {
    try {
      createAll(parts);
    } catch (FileAlreadyExistsException e) {
      throw new AuthorityException(
          "there is a " + e.getFile() + " already; it is left as it is", e);
    }
  }

  /** In place of whatever there is. */
  public static void replace(Path file, byte[] content, String mode) throws IOException {
    replaceAll(List.of(new Part(file, content, mode)));
  }

  /** Likewise; all are written, with the disk's leave, before the first takes its place. */
  public static void replaceAll(List<Part> parts) throws IOException {
    put(parts, (temporary, file) -> Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE));
  }

  private static void put(List<Part> parts, Naming naming) throws IOException {
    var temporaries = new ArrayList<Path>();
    try {
      for (Part part : parts) {
        temporaries.add(written(part));
      }
      for (int at = 0; at < parts.size(); at++) {
        naming.name(temporaries.get(at), parts.get(at).file());
      }
    } finally {
      for (Path temporary : temporaries) {
        Files.deleteIfExists(temporary);
      }
    }
    for (Part part : parts) {
      syncDirectory(part.file());
    }
  }

  private static Path written(Part part) throws IOException {
    Path temporary =
        part.file()
            .resolveSibling(
                "."
                    + part.file().getFileName()
                    + "."
                    + Long.toHexString(ThreadLocalRandom.current().nextLong()));
    Set<PosixFilePermission> permissions = PosixFilePermissions.fromString(part.mode());
    boolean whole = false;
    try (FileChannel channel =
        FileChannel.open(
            temporary,
            Set.of(CREATE_NEW, WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(SECRET)))) {
      var left = ByteBuffer.wrap(part.content());
      while (left.hasRemaining()) {
        channel.write(left);
      }
      // Not by the umask's leave.
      Files.setPosixFilePermissions(temporary, permissions);
      channel.force(true);
      whole = true;
    } catch (FileSystemException e) {
      throw e; // It names the file.
    } catch (IOException e) {
      throw new IOException(part.file() + ": " + e.getMessage(), e);
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
