package dev.rollcall.agent.login.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A directory of files that only root can read and write. A file is written under another name and
 * renamed, so that a reader sees one version or the other. Not forced to a disk: they are for the
 * boot that wrote them.
 */
public final class LoginDirectory implements AutoCloseable {
  public static final String USERS = "users";
  public static final String JOBS = "jobs";

  /** To which the PAM module appends. */
  public static final String LOG = "log";

  /** The former log, until it has been read. */
  public static final String OLD_LOG = "log.old";

  /** How far the log has been read. */
  public static final String POSITION = "log.position";

  /** The suffix of a file that is being written; a killed agent may leave some. */
  private static final String TEMPORARY = ".new";

  private static final FileAttribute<Set<PosixFilePermission>> ROOTS =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  static final FileAttribute<Set<PosixFilePermission>> ROOTS_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  /** 50 times what a slow login takes. */
  private static final Duration FOR_LOGINS = Duration.ofSeconds(1);

  private final Path directory;
  private final UserLocks locks;
  private @Nullable Held held;

  /**
   * The lock that shows that this agent runs.
   *
   * @param file what was locked: by its name another file may be found later
   */
  private record Held(FileChannel channel, Object file) {}

  public LoginDirectory(Path directory) {
    this(directory, FOR_LOGINS);
  }

  /**
   * @param forLogins how long to wait for logins that hold their user's lock
   */
  LoginDirectory(Path directory, Duration forLogins) {
    this.directory = directory;
    this.locks = new UserLocks(directory.resolve(USERS), forLogins);
  }

  UserLocks locks() {
    return locks;
  }

  /** Makes what is missing. Another's permissions on it are put right. */
  public void make() throws IOException {
    for (Path each : List.of(directory, directory.resolve(USERS), directory.resolve(JOBS))) {
      Files.createDirectories(each, ROOTS);
      Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwx------"));
    }
    locks.lookAgain();
  }

  /**
   * Makes the log if it is missing.
   *
   * @throws IOException also if something else is in its place
   */
  public void makeLog() throws IOException {
    Path log = path(LOG);
    try {
      Files.createFile(log, ROOTS_FILE);
    } catch (FileAlreadyExistsException e) {
      if (!Files.isRegularFile(log, LinkOption.NOFOLLOW_LINKS)) {
        throw new IOException(log + " is not a regular file", e);
      }
      Files.setPosixFilePermissions(log, PosixFilePermissions.fromString("rw-------"));
    }
  }

  /**
   * Puts an empty log in the place of the log, which is the old one then. None is missing ever.
   * After a failure it may be called again.
   */
  public void rotateLog() throws IOException {
    remove(OLD_LOG);
    Files.createLink(path(OLD_LOG), path(LOG));
    write(LOG, new byte[0]);
  }

  public Path path(String name) {
    return directory.resolve(name);
  }

  public void write(String name, byte[] bytes) throws IOException {
    Path file = directory.resolve(name);
    Path temporary = directory.resolve(name + TEMPORARY);
    Files.deleteIfExists(temporary);
    Files.createFile(temporary, ROOTS_FILE);
    Files.write(temporary, bytes);
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
  }

  public void remove(String name) throws IOException {
    Files.deleteIfExists(directory.resolve(name));
  }

  /** The files of users that are there. */
  List<Path> users() throws IOException {
    if (!Files.isDirectory(path(USERS), LinkOption.NOFOLLOW_LINKS)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(path(USERS))) {
      return files.filter(file -> file.getFileName().toString().matches("[0-9]+")).toList();
    }
  }

  /** Removes the files of one folder whose names are not wanted; locks stay. */
  void keepOnly(String folder, Predicate<String> wanted) throws IOException {
    List<Path> unwanted = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory.resolve(folder))) {
      files
          .filter(file -> !wanted.or(UserLocks::isOne).test(file.getFileName().toString()))
          .forEach(unwanted::add);
    }
    for (Path file : unwanted) {
      Files.deleteIfExists(file);
    }
  }

  /**
   * Holds the lock by which the module sees that an agent lives. A record lock of this process
   * (fcntl(2)): unlike one of an open file it goes to no child, so that its end is this process's.
   *
   * @throws IOException if another agent holds it
   */
  void hold() throws IOException {
    Path file = directory.resolve("agent.lock");
    if (held != null && Files.exists(file) && held.file().equals(identity(file))) {
      return;
    }
    close();
    FileChannel channel =
        FileChannel.open(
            file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), ROOTS_FILE);
    try {
      FileLock lock = channel.tryLock();
      if (lock != null) {
        held = new Held(channel, identity(file));
        return;
      }
    } catch (OverlappingFileLockException e) {
      channel.close();
      throw new IOException("this process holds " + file + " already", e);
    }
    channel.close();
    throw new IOException("another agent holds " + file);
  }

  private static Object identity(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
  }

  /** Lets go of the lock; the files stay, for logins without an agent. */
  @Override
  public void close() throws IOException {
    if (held != null) {
      held.channel().close();
      held = null;
    }
  }
}
