package dev.rollcall.linux.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.rollcall.linux.Errno;
import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.files.DirectoryEntries.Entry;
import dev.rollcall.linux.files.TreeRemoval.Left;
import dev.rollcall.linux.files.TreeRemoval.Report;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;

/**
 * An open directory with mode 0700 that belongs to its caller, so that no user can reach its files
 * by a path. All is done by its descriptor: what becomes of its path is of no matter.
 */
public final class OwnDirectory implements AutoCloseable {
  private static final Report NOTHING = new Report(0, List.of(), 0, true);

  private final Path path;
  private final DirectoryHandle handle;

  private OwnDirectory(Path path, DirectoryHandle handle) {
    this.path = path;
    this.handle = handle;
  }

  /**
   * Opens it, and makes it first if there is nothing. Throws as {@link #open} does.
   *
   * @param path with a directory above
   */
  public static OwnDirectory make(Path path) throws IOException {
    try (var above = DirectoryHandle.open(requireNonNull(path.getParent()))) {
      long made = above.make(bytes(requireNonNull(path.getFileName()).toString()));
      if (made != -Errno.EEXIST.number() && made != 0) {
        throw failed(path, "cannot be made", made);
      }
    }
    return open(path);
  }

  /**
   * Opens it.
   *
   * @throws NoSuchFileException if there is nothing
   * @throws IOException naming the path, if it is a symbolic link, belongs to another user, or is
   *     not 0700
   */
  public static OwnDirectory open(Path path) throws IOException {
    DirectoryHandle handle = opened(path);
    try {
      String strange = handle.strangeness();
      if (!strange.isEmpty()) {
        throw new IOException(path + ": is not private: " + strange);
      }
      return new OwnDirectory(path, handle);
    } catch (IOException e) {
      handle.close();
      throw e;
    }
  }

  private static DirectoryHandle opened(Path path) throws IOException {
    try {
      return DirectoryHandle.open(path);
    } catch (ErrnoException e) {
      if (e.is(Errno.ENOENT)) {
        throw new NoSuchFileException(path.toString());
      }
      // ENOTDIR is what Linux says of a link that is not to be followed and has to be a directory.
      String what = Files.isSymbolicLink(path) ? "is a symbolic link" : Errno.words(e.errno());
      throw new IOException(path + ": is not a private directory: " + what, e);
    }
  }

  /**
   * Moves a file or directory here by one rename(2).
   *
   * @param name that it gets, without a slash
   * @throws FileAlreadyExistsException if the name is taken
   * @throws NoSuchFileException if there is nothing, or this directory was removed meanwhile
   * @throws IOException naming what was to be moved, with errno's words: EBUSY if something is
   *     mounted on it
   */
  public void take(Path from, String name) throws IOException {
    long result = handle.take(bytes(from.toString()), name(name));
    if (result == -Errno.EEXIST.number()) {
      throw new FileAlreadyExistsException(path.resolve(name).toString());
    }
    if (result == -Errno.ENOENT.number()) {
      throw new NoSuchFileException(from.toString());
    }
    if (result < 0) {
      throw failed(from, "cannot be moved to " + path, result);
    }
  }

  /**
   * The names in it that are text.
   *
   * @throws NoSuchFileException if it was removed meanwhile: getdents(2) says ENOENT of it
   * @throws IOException naming the path, with errno's words
   */
  public List<String> names() throws IOException {
    List<String> names = new ArrayList<>();
    handle.rewind();
    DirectoryEntries some = handle.list();
    while (!some.entries().isEmpty()) {
      for (Entry entry : some.entries()) {
        String name = new String(entry.name(), UTF_8);
        if (Arrays.equals(bytes(name), entry.name())) {
          names.add(name);
        }
      }
      some = handle.list();
    }
    if (some.error() == -Errno.ENOENT.number()) {
      throw new NoSuchFileException(path.toString());
    }
    if (some.error() < 0) {
      throw failed(path, "cannot be read", some.error());
    }
    return names;
  }

  /**
   * Removes an entry of it, with all that is in it.
   *
   * @param goesOn as for {@link TreeRemoval#empty}
   * @param counter is told each file and directory when it was removed
   * @return clean if nothing of the entry is left
   */
  public Report remove(String name, BooleanSupplier goesOn, LongAdder counter) {
    long opened = handle.openBelow(name(name));
    if (opened == -Errno.EXDEV.number()) {
      return ended(-Errno.EBUSY.number(), NOTHING, counter);
    }
    if (opened < 0) {
      long result = isNoDirectory(opened) ? handle.removeFile(name(name)) : opened;
      return ended(result, NOTHING, counter);
    }
    try (DirectoryHandle tree = DirectoryHandle.of(opened)) {
      Report report = TreeRemoval.empty(handle, tree, name, goesOn, counter);
      return report.clean() ? ended(handle.removeDirectory(name(name)), report, counter) : report;
    } catch (ErrnoException e) {
      return ended(-e.errno(), NOTHING, counter);
    }
  }

  private static boolean isNoDirectory(long opened) {
    return opened == -Errno.ENOTDIR.number() || opened == -Errno.ELOOP.number();
  }

  private static Report ended(long result, Report before, LongAdder counter) {
    if (result == 0) {
      counter.increment();
      return new Report(before.removed() + 1, List.of(), 0, true);
    }
    return result == -Errno.ENOENT.number()
        ? before
        : new Report(
            before.removed(), List.of(new Left(".", TreeRemoval.reason((int) -result))), 1, true);
  }

  private static IOException failed(Path path, String what, long result) {
    return new IOException(path + ": " + what + ": " + Errno.words((int) -result));
  }

  private static byte[] name(String text) {
    if (text.isEmpty() || text.equals(".") || text.equals("..") || text.indexOf('/') >= 0) {
      throw new IllegalArgumentException("\"" + text + "\" is not a name of a file");
    }
    return bytes(text);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  @Override
  public void close() {
    handle.close();
  }
}
