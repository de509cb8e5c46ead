package dev.rollcall.agent.login.file;

import dev.rollcall.linux.Errno;
import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.cgroup.BoundedWait;
import dev.rollcall.linux.files.OpenFileLock;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Waits for logins that are under way. The PAM module holds its user's lock, {@code
 * users/UID.lock}, shared, from before it reads the files until it has moved its process and
 * recorded that (services/pam/src/user_lock.c).
 *
 * <p>Order of locks: a job's, then this one. While it waits a thread holds no lock of the login
 * files, so that a login that hangs delays its own user's jobs alone.
 */
final class UserLocks {
  private static final String SUFFIX = ".lock";

  private final Path users;
  private final Duration most;
  private final Set<Integer> made = new HashSet<>();

  /**
   * @param users the directory of the users' files
   * @param most how long to wait for logins
   */
  UserLocks(Path users, Duration most) {
    this.users = users;
    this.most = most;
  }

  /** Whether a file is a lock. None is removed: a login may hold it, and another take a new one. */
  static boolean isOne(String name) {
    return name.endsWith(SUFFIX);
  }

  private Path file(int uid) {
    return users.resolve(Integer.toUnsignedString(uid) + SUFFIX);
  }

  /** Makes a user's, if it is not there. To be called before the user's file is written. */
  void make(int uid) throws IOException {
    if (made.contains(uid)) {
      return;
    }
    try {
      Files.createFile(file(uid), LoginDirectory.ROOTS_FILE);
    } catch (FileAlreadyExistsException before) {
      // An earlier agent's.
    }
    made.add(uid);
  }

  /** Looks again at which of them are there. */
  void lookAgain() {
    made.clear();
  }

  /** The result of a wait. */
  sealed interface Wait {
    /** Each login that began before the wait is over. */
    record Over() implements Wait {}

    /**
     * The lock could not be had.
     *
     * @param reason for people: the file and for how long
     */
    record InVain(String reason) implements Wait {}
  }

  /** Waits until no login of the user's is under way that began before this call. */
  Wait awaitLogins(int uid) {
    BoundedWait patience = BoundedWait.of(most);
    try {
      Optional<OpenFileLock> lock = OpenFileLock.tryExclusive(file(uid));
      while (lock.isEmpty() && patience.pause()) {
        lock = OpenFileLock.tryExclusive(file(uid));
      }
      lock.ifPresent(OpenFileLock::close);
      return lock.isPresent()
          ? new Wait.Over()
          : new Wait.InVain(
              "a login still holds " + file(uid) + " after " + most.toMillis() + " ms");
    } catch (ErrnoException e) {
      // Without a file nobody holds it.
      return e.is(Errno.ENOENT) ? new Wait.Over() : new Wait.InVain(String.valueOf(e.getMessage()));
    }
  }
}
