package dev.rollcall.linux.cgroup;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Optional;

/** Lists the cgroups right below one, each as it is read; none if the directory is gone. */
final class CgroupChildren implements AutoCloseable {
  /** kernfs counts sub-directories in st_nlink: this many means none. */
  private static final int LINKS_OF_NONE = 2;

  private final CgroupDirectory parent;
  private final Optional<DirectoryStream<Path>> entries;
  private final Optional<Iterator<Path>> left;

  private CgroupChildren(CgroupDirectory parent, Optional<DirectoryStream<Path>> entries) {
    this.parent = parent;
    this.entries = entries;
    this.left = entries.map(DirectoryStream::iterator);
  }

  /**
   * @param wanted false: none are listed
   */
  static CgroupChildren of(CgroupDirectory parent, boolean wanted) throws IOException {
    return new CgroupChildren(parent, wanted ? open(parent.path()) : Optional.empty());
  }

  @SuppressWarnings("StreamResourceLeak") // closed with this
  private static Optional<DirectoryStream<Path>> open(Path path) throws IOException {
    try {
      // Spares a stat for each file.
      return ((Number) Files.getAttribute(path, "unix:nlink")).intValue() == LINKS_OF_NONE
          ? Optional.empty()
          : Optional.of(Files.newDirectoryStream(path, CgroupChildren::isDirectory));
    } catch (NoSuchFileException gone) {
      return Optional.empty();
    }
  }

  private static boolean isDirectory(Path entry) {
    return Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS);
  }

  CgroupDirectory parent() {
    return parent;
  }

  Optional<CgroupDirectory> next() throws IOException {
    try {
      return left.filter(Iterator::hasNext).map(Iterator::next).map(CgroupDirectory::new);
    } catch (DirectoryIteratorException e) {
      throw new IOException("list " + parent, e);
    }
  }

  @Override
  public void close() throws IOException {
    if (entries.isPresent()) {
      entries.get().close();
    }
  }
}
