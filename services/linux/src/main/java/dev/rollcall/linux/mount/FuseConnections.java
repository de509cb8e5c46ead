package dev.rollcall.linux.mount;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.Errno;
import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.KernelFile;
import dev.rollcall.linux.Syscall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;

/**
 * Lists and aborts FUSE connections of all users of this machine:
 * Documentation/filesystems/fuse.rst, "Control filesystem". That file system is mounted for this
 * object alone and nowhere to be seen, so that it does not matter whether the machine has it at
 * /sys/fs/fuse/connections. Needs CAP_SYS_ADMIN. Nothing here waits for a server.
 */
public final class FuseConnections implements AutoCloseable {
  private static final String TYPE = "fusectl";
  private static final long CREATE = 6; // FSCONFIG_CMD_CREATE of linux/mount.h
  private static final long CLOEXEC = 1; // FSOPEN_CLOEXEC, and FSMOUNT_CLOEXEC

  private final Descriptor top;

  private FuseConnections(Descriptor top) {
    this.top = top;
  }

  /** Empty if this kernel has no FUSE. */
  public static Optional<FuseConnections> open() throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      long type = arena.allocateFrom(TYPE).address();
      long opened = Syscall.FSOPEN.call(type, CLOEXEC, 0);
      if (opened == -Errno.ENODEV.number()) {
        return Optional.empty();
      }
      try (Descriptor context = new Descriptor(Syscall.FSOPEN.check(TYPE, opened))) {
        long made = Syscall.FSCONFIG.call(context.number(), CREATE, 0);
        Syscall.FSCONFIG.check(TYPE, made);
        long mounted = Syscall.FSMOUNT.call(context.number(), CLOEXEC, 0);
        return Optional.of(
            new FuseConnections(new Descriptor(Syscall.FSMOUNT.check(TYPE, mounted))));
      }
    }
  }

  /**
   * The numbers of connections whose servers have requests to answer.
   *
   * @param mounter whether connections count that this uid mounted
   */
  public Set<Integer> waiting(IntPredicate mounter) throws IOException {
    Set<Integer> found = new TreeSet<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(top.own(), "[0-9]*")) {
      for (Path connection : all) {
        if (counts(connection, mounter)) {
          found.add(Integer.valueOf(connection.getFileName().toString()));
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return found;
  }

  private static boolean counts(Path connection, IntPredicate mounter) throws IOException {
    try {
      boolean isTheirs = mounter.test((Integer) Files.getAttribute(connection, "unix:uid"));
      return isTheirs && !text(connection.resolve("waiting")).equals("0");
    } catch (NoSuchFileException gone) {
      return false;
    } catch (ErrnoException e) {
      if (e.is(Errno.ENOENT)) {
        return false;
      }
      throw e;
    }
  }

  private static String text(Path file) throws ErrnoException {
    return new String(KernelFile.read(file.toString()), US_ASCII).strip();
  }

  /**
   * Ends a connection: each request that waits for its server fails, and each later one.
   *
   * @return false if there is no such connection any more
   */
  public boolean abort(int number) throws IOException {
    Path file = top.own().resolve(Integer.toString(number)).resolve("abort");
    try {
      KernelFile.write(file, "1");
      return true;
    } catch (ErrnoException e) {
      if (e.is(Errno.ENOENT)) {
        return false;
      }
      throw e;
    }
  }

  @Override
  public void close() {
    top.close();
  }
}
