package dev.rollcall.linux.process;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.rollcall.linux.Errno;
import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.KernelFile;
import dev.rollcall.model.ProcessRef;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A mounted procfs. A process that ends while it is read is absent, not an error. */
public final class Proc {
  /** Counted from the field after the name. */
  private static final int TTY = 4;

  private final Path root;

  /**
   * @param root {@code /proc}, or a directory that looks like it
   */
  public Proc(Path root) {
    this.root = root;
  }

  public Path root() {
    return root;
  }

  public Optional<ProcessStat> stat(int pid) {
    return text(pid, "stat").flatMap(ProcessStat::parse);
  }

  /** The process that has this pid now, a zombie too. */
  public Optional<ProcessRef> ref(int pid) {
    return stat(pid).map(stat -> new ProcessRef(stat.pid(), stat.startTime()));
  }

  /** Whether the pid still means this process, and the process has not ended. */
  public boolean runs(ProcessRef process) {
    return stat(process.pid())
        .filter(stat -> stat.startTime() == process.startTime() && !stat.zombie())
        .isPresent();
  }

  /** Not the owner of {@code /proc/PID}: that is root for a process which is not dumpable. */
  public Optional<ProcessStatus> status(int pid) {
    return text(pid, "status").flatMap(ProcessStatus::parse);
  }

  /** The effective uid of the process now. */
  public Optional<Integer> effectiveUid(int pid) {
    return status(pid).map(ProcessStatus::effectiveUid);
  }

  /** Processes whose effective uid this is. Reads each process: about 20 us for one. */
  public List<ProcessRef> ofUid(int uid) {
    return ofUids(owner -> owner == uid);
  }

  /** Processes with such an effective uid. Reads each process. */
  public List<ProcessRef> ofUids(IntPredicate uids) {
    List<ProcessRef> found = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(root, "[0-9]*")) {
      for (Path entry : entries) {
        int pid = Integer.parseInt(entry.getFileName().toString());
        if (effectiveUid(pid).filter(uids::test).isPresent()) {
          ref(pid).ifPresent(found::add);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }

  /**
   * Pids of those that one of its threads began and that have not become orphans; none where the
   * kernel does not say (CONFIG_PROC_CHILDREN).
   */
  public List<Integer> children(int pid) {
    return threads(pid).stream()
        .flatMap(thread -> text(pid, "task/" + thread + "/children").stream())
        .flatMap(line -> Arrays.stream(line.strip().split(" ", -1)))
        .filter(word -> !word.isEmpty())
        .map(Integer::valueOf)
        .toList();
  }

  /** The processes that trace one of this process's threads, ptrace(2). */
  public Set<Integer> tracers(int pid) {
    return tracers(threads(pid).stream());
  }

  /**
   * Those of them that have one stopped. It may be any thread: the first one may have ended while
   * another is held.
   */
  public Set<Integer> holders(int pid) {
    return tracers(
        threads(pid).stream()
            .filter(thread -> stat(thread).filter(its -> its.state() == 't').isPresent()));
  }

  private Set<Integer> tracers(Stream<Integer> threads) {
    return threads
        .flatMap(thread -> numberIn(thread, "TracerPid:").stream())
        .filter(tracer -> tracer != 0)
        .flatMap(tracer -> numberIn(tracer, "Tgid:").stream()) // what traces is a thread
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * Whether one of its threads sleeps, state {@code S} or {@code D}. A process that was killed and
   * sleeps waits in the kernel, also in {@code S}: on its way out no signal wakes it any more. It
   * may be any thread: the first one may have ended.
   */
  public boolean sleeps(int pid) {
    return threads(pid).stream()
        .anyMatch(thread -> stat(thread).filter(its -> "SD".indexOf(its.state()) >= 0).isPresent());
  }

  private List<Integer> threads(int pid) {
    List<Integer> found = new ArrayList<>();
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(root.resolve(pid + "/task"))) {
      threads.forEach(each -> found.add(Integer.valueOf(each.getFileName().toString())));
    } catch (IOException | DirectoryIteratorException ended) {
      return found;
    }
    return found;
  }

  private Optional<Integer> numberIn(int thread, String line) {
    return text(thread, "status").stream()
        .flatMap(String::lines)
        .filter(each -> each.startsWith(line))
        .map(each -> Integer.valueOf(each.substring(line.length()).strip()))
        .findFirst();
  }

  /**
   * The device of the process's controlling terminal, as {@code st_rdev} has it; field 7 of {@code
   * stat}, proc(5). Empty if it has none or has ended.
   */
  public OptionalLong terminal(int pid) {
    Optional<String> stat = text(pid, "stat");
    int name = stat.map(line -> line.lastIndexOf(") ")).orElse(-1);
    if (name < 0) {
      return OptionalLong.empty();
    }
    String[] fields = stat.get().substring(name + 2).split(" ", -1);
    // Written as a signed int: large minor numbers look negative.
    long device = fields.length > TTY ? Integer.toUnsignedLong(Integer.parseInt(fields[TTY])) : 0;
    return device == 0 ? OptionalLong.empty() : OptionalLong.of(device);
  }

  private Optional<String> text(int pid, String file) {
    String name = root + "/" + pid + "/" + file;
    try {
      return Optional.of(new String(KernelFile.read(name), ISO_8859_1)); // names are any bytes
    } catch (ErrnoException e) {
      // A read that began before the process was reaped ends with ESRCH.
      if (e.is(Errno.ENOENT) || e.is(Errno.ESRCH)) {
        return Optional.empty();
      }
      throw new UncheckedIOException(e);
    }
  }
}
