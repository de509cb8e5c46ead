package dev.rollcall.linux.cgroup;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.rollcall.linux.Errno;
import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.KernelFile;
import dev.rollcall.linux.PathBytes;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The directory of one cgroup, of either version. What is not there is empty, not an error. Users
 * name the cgroups that are delegated to them: the names are bytes, and need not be text. A
 * directory whose path is longer than the kernel takes (4,095 bytes) is not seen, and none of the
 * kernel's files whose path is.
 */
public record CgroupDirectory(Path path) {
  /** The longest line of {@code cgroup.procs}: pids end below 4,194,304 (PID_MAX_LIMIT). */
  private static final long PID_LINE = 8;

  /**
   * The kernel's id of the cgroup: the inode number of its directory, 64 bits of kernfs (Linux
   * 5.5), which eBPF and sock_diag report as well. An id is not used again.
   */
  public long id() throws IOException {
    return ((Number) Files.getAttribute(path, "unix:ino", LinkOption.NOFOLLOW_LINKS)).longValue();
  }

  public boolean exists() {
    return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
  }

  public CgroupDirectory child(String name) {
    return new CgroupDirectory(path.resolve(name));
  }

  /**
   * Makes it and what is missing above it.
   *
   * @throws IOException naming the bound of cgroups that is reached, if one is
   */
  public void create() throws IOException {
    try {
      Files.createDirectories(path);
    } catch (FileSystemException e) {
      throw CgroupBounds.of(this, e);
    }
  }

  /**
   * Makes it if the directory above it is there.
   *
   * @return whether it exists
   * @throws IOException as {@link #create}
   */
  public boolean createBelow() throws IOException {
    try {
      Files.createDirectory(path);
      return true;
    } catch (FileAlreadyExistsException there) {
      return true;
    } catch (NoSuchFileException noParent) {
      return false;
    } catch (FileSystemException e) {
      throw CgroupBounds.of(this, e);
    }
  }

  /** The nearest cgroup, this one or one above, whose path is text. */
  public CgroupDirectory nearestText() {
    Path text = path;
    while (!PathBytes.isText(text) && text.getParent() != null) {
      text = text.getParent();
    }
    return new CgroupDirectory(text);
  }

  public Path procsFile() {
    return path.resolve("cgroup.procs");
  }

  /** Moves a process, with all its threads, here. */
  public void add(int pid) throws IOException {
    write("cgroup.procs", Integer.toString(pid));
  }

  /** Writes to one of the kernel's files; a failure names the file, the value and the reason. */
  public void write(String file, String value) throws IOException {
    Path target = path.resolve(file);
    try {
      KernelFile.write(target, value);
    } catch (IOException e) {
      throw new IOException("write " + value + " to " + target + ": " + reason(e), e);
    }
  }

  private static String reason(IOException failure) {
    return failure instanceof ErrnoException kernel
        ? Errno.words(kernel.errno())
        : String.valueOf(failure.getMessage());
  }

  /**
   * What one of the kernel's files says, without the newline at its end.
   *
   * @throws IOException naming the file
   */
  public String read(String file) throws IOException {
    return Files.readString(path.resolve(file), US_ASCII).stripTrailing();
  }

  public boolean has(String file) {
    return Files.exists(path.resolve(file));
  }

  /** The processes right here, not below; empty if the directory is gone. */
  public List<Integer> pids() throws IOException {
    return pids(Integer.MAX_VALUE);
  }

  /** The same, but no more than so many: the first ones in the kernel's order. */
  public List<Integer> pids(int most) throws IOException {
    return read(most);
  }

  private PidList read(int most) throws IOException {
    try {
      return PidList.parse(KernelFile.read(procsFile(), most * PID_LINE), most);
    } catch (ErrnoException e) {
      // Removed between open and read: ENODEV. The processes of a threaded cgroup are listed in the
      // nearest one above that is not threaded (EOPNOTSUPP, cgroup-v2.rst).
      if (!e.is(Errno.ENOENT) && !e.is(Errno.EOPNOTSUPP) && Files.exists(procsFile())) {
        throw e;
      }
      return PidList.concat(List.of());
    }
  }

  /** The cgroups above it, the nearest first, up to this directory. */
  public List<CgroupDirectory> above(Path top) {
    List<CgroupDirectory> all = new ArrayList<>();
    for (Path each = path.getParent();
        each != null && each.startsWith(top);
        each = each.getParent()) {
      all.add(new CgroupDirectory(each));
    }
    return all;
  }

  /** The cgroups right below; empty if the directory is gone. */
  public List<CgroupDirectory> children() throws IOException {
    if (!CgroupWalk.hasChildren(path)) {
      return List.of();
    }
    List<CgroupDirectory> children = new ArrayList<>();
    walk(1, children::add);
    children.remove(this);
    return children;
  }

  /** What is done with each cgroup of a tree. */
  @FunctionalInterface
  public interface Visitor {
    void visit(CgroupDirectory directory) throws IOException;
  }

  /** What is asked about each cgroup of a tree. */
  @FunctionalInterface
  public interface Condition {
    boolean test(CgroupDirectory directory) throws IOException;
  }

  /** Visits this cgroup and all below it, parents before children. */
  public void walk(Visitor visitor) throws IOException {
    walk(Integer.MAX_VALUE, visitor);
  }

  /** The same, but no more than so many levels below this one. */
  public void walk(int levels, Visitor visitor) throws IOException {
    CgroupWalk.ended(
        this,
        levels,
        directory -> {
          visitor.visit(directory);
          return false;
        },
        _ -> false);
  }

  /** Whether this is so of this cgroup or one below it. Those after the first one are not asked. */
  public boolean any(Condition condition) throws IOException {
    return CgroupWalk.ended(this, Integer.MAX_VALUE, condition, _ -> false);
  }

  /** The same, with children asked before their parents. */
  public boolean anyFromBelow(Condition condition) throws IOException {
    return CgroupWalk.ended(this, Integer.MAX_VALUE, _ -> false, condition);
  }

  /**
   * This cgroup and all below it, parents before children. Not for those below which users make
   * cgroups: it keeps every path.
   */
  public List<CgroupDirectory> tree() throws IOException {
    List<CgroupDirectory> all = new ArrayList<>();
    walk(all::add);
    return all;
  }

  /** The processes here and below. */
  public List<Integer> pidsBelow() throws IOException {
    return pidsBelow(Integer.MAX_VALUE);
  }

  /** The same, but no more than so many. */
  public List<Integer> pidsBelow(int most) throws IOException {
    List<PidList> lists = new ArrayList<>();
    var left = new AtomicInteger(most);
    any(directory -> {
      PidList pids = directory.read(left.get());
      if (!pids.isEmpty()) {
        lists.add(pids);
      }
      return left.addAndGet(-pids.size()) == 0;
    });
    return PidList.concat(lists);
  }

  /**
   * Whether there is a process here or below. In v2 the kernel says so of the whole tree, also of
   * cgroups that are not seen.
   */
  public boolean isOccupied() throws IOException {
    OptionalLong populated = new CgroupFiles(List.of(this)).keyed("cgroup.events", "populated");
    if (populated.isPresent()) {
      return populated.getAsLong() > 0;
    }
    return any(directory -> !directory.pids(1).isEmpty());
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
