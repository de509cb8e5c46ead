package dev.rollcall.linux.process;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rollcall.linux.Errno;
import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.KernelFile;
import dev.rollcall.linux.KernelText;
import dev.rollcall.linux.KernelTime;
import dev.rollcall.linux.cgroup.ProcessCgroups;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.port.PinnedProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A mounted procfs. A process that ends while it is read is absent, not an error.
 *
 * @param root {@code /proc}, or a directory that looks like it
 */
public record Proc(Path root) {
  /** Of a pid in a file: 7 digits, as PID_MAX_LIMIT is 2^22, and a blank. */
  private static final int LONGEST_PID = 8;

  private static final long NANOS_OF_A_TICK = 10_000_000;

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

  public Optional<Integer> parent(int pid) {
    return stat(pid).map(ProcessStat::parent);
  }

  /** Whether it is this user's, by its real uid. */
  public boolean isOf(int uid, int pid) {
    return status(pid).filter(its -> its.realUid() == uid).isPresent();
  }

  /** The kernel's short name; empty text if the process has ended. */
  public String command(int pid) {
    try {
      return new String(Files.readAllBytes(root.resolve(pid + "/comm")), UTF_8).strip();
    } catch (IOException ended) {
      return "";
    }
  }

  /** The function of the kernel in which it sleeps; empty if it runs or this kernel hides it. */
  public Optional<String> sleepsIn(int pid) {
    try {
      String symbol = Files.readString(root.resolve(pid + "/wchan"), ISO_8859_1).strip();
      return Optional.of(symbol).filter(name -> !name.isEmpty() && !name.equals("0"));
    } catch (IOException ended) {
      return Optional.empty();
    }
  }

  public Optional<ProcessCgroups> cgroups(int pid) {
    try {
      return Optional.of(ProcessCgroups.read(root, pid));
    } catch (IOException ended) {
      return Optional.empty();
    }
  }

  /** The cgroups of this very process: it had its pid before and after they were read. */
  public Optional<ProcessCgroups> cgroups(ProcessRef process) {
    if (!ref(process.pid()).equals(Optional.of(process))) {
      return Optional.empty();
    }
    Optional<ProcessCgroups> read = cgroups(process.pid());
    return ref(process.pid()).equals(Optional.of(process)) ? read : Optional.empty();
  }

  /** The cgroups of a pinned process. If it still lives afterwards, it had its pid all the time. */
  public Optional<ProcessCgroups> cgroups(PinnedProcess process) {
    Optional<ProcessCgroups> read = cgroups(process.ref().pid());
    return process.alive() ? read : Optional.empty();
  }

  /** The same, after a check that the pin has the right process. */
  public Optional<ProcessCgroups> checkedCgroups(PinnedProcess process) {
    ProcessRef ref = process.ref();
    return ref(ref.pid()).equals(Optional.of(ref)) ? cgroups(process) : Optional.empty();
  }

  /** When a process of this boot started, to the second, by the wall clock as it is set now. */
  public static Instant startedAt(ProcessRef process) {
    long age = KernelTime.BOOT.now() - process.startTime() * NANOS_OF_A_TICK;
    return Instant.now().minusNanos(age).truncatedTo(ChronoUnit.SECONDS);
  }

  /**
   * How long ago the process's session began, setsid(2), or the process itself. OpenSSH makes a
   * session for each connection that it accepts, before anything else.
   */
  public Duration sessionAge(ProcessRef process) {
    long session =
        stat(process.pid())
            .flatMap(own -> ref(own.session()))
            .map(ProcessRef::startTime)
            .orElse(process.startTime());
    // One whose first process has ended may have that pid's next process instead.
    long start = Math.min(session, process.startTime());
    return Duration.ofNanos(Math.max(0, KernelTime.BOOT.now() - start * NANOS_OF_A_TICK));
  }

  /** Not the owner of {@code /proc/PID}: that is root for a process which is not dumpable. */
  public Optional<ProcessStatus> status(int pid) {
    return text(pid, "status").flatMap(ProcessStatus::parse);
  }

  /** The effective uid of the process now. */
  public Optional<Integer> effectiveUid(int pid) {
    return status(pid).map(ProcessStatus::effectiveUid);
  }

  /**
   * Processes whose effective uid this is, the first ones by pid. Reads each process until it has
   * so many: about 20 us for one.
   */
  public List<ProcessRef> ofUid(int uid, int most) {
    List<ProcessRef> found = new ArrayList<>();
    walk(
        owner -> owner == uid,
        pid -> {
          ref(pid).ifPresent(found::add);
          return found.size() < most;
        });
    return found;
  }

  /**
   * Passes on the pid of each process with such an effective uid, one by one: of a million there is
   * no list. Reads each process.
   */
  public void forEach(IntPredicate uids, IntConsumer pids) {
    walk(
        uids,
        pid -> {
          pids.accept(pid);
          return true;
        });
  }

  private void walk(IntPredicate uids, IntPredicate goesOn) {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(root, "[0-9]*")) {
      for (Path entry : entries) {
        int pid = Integer.parseInt(entry.getFileName().toString());
        if (effectiveUid(pid).filter(uids::test).isPresent() && !goesOn.test(pid)) {
          return;
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Pids of the processes below this one, the nearest first: of those that one of its threads began
   * and that have not become orphans, and so on. None where the kernel does not say
   * (CONFIG_PROC_CHILDREN).
   *
   * @param most the others are not looked for
   * @param mostThreads of all of them together: for each a file is read, in about 20 us
   */
  public List<Integer> below(int pid, int most, int mostThreads) {
    List<Integer> found = new ArrayList<>(List.of(pid));
    int threads = 0;
    for (int next = 0; next < found.size() && found.size() <= most; next++) {
      int parent = found.get(next);
      for (int thread : threads(parent, mostThreads - threads)) {
        threads++;
        found.addAll(children(parent, thread, most + 1 - found.size()));
      }
    }
    return found.subList(1, found.size());
  }

  private List<Integer> children(int pid, int thread, int most) {
    return text(pid, "task/" + thread + "/children", (long) most * LONGEST_PID).stream()
        .flatMap(line -> Arrays.stream(line.strip().split(" ", -1)))
        .limit(most) // the last one that was read may be cut; it comes after these
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
        .flatMap(thread -> numberIn(thread, "TracerPid").stream())
        .filter(tracer -> tracer != 0)
        .flatMap(tracer -> numberIn(tracer, "Tgid").stream()) // what traces is a thread
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
    return threads(pid, Integer.MAX_VALUE);
  }

  private List<Integer> threads(int pid, int most) {
    List<Integer> found = new ArrayList<>();
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(root.resolve(pid + "/task"))) {
      for (Path each : threads) {
        if (found.size() == most) {
          break;
        }
        found.add(Integer.valueOf(each.getFileName().toString()));
      }
    } catch (IOException | DirectoryIteratorException ended) {
      return found;
    }
    return found;
  }

  /** Of a line {@code WORD:} and a pid. The process chooses its name, which stands in another. */
  private Optional<Integer> numberIn(int thread, String word) {
    return text(thread, "status").stream()
        .flatMap(text -> KernelText.lines(text).stream())
        .filter(line -> line.matches(word + ":\t[0-9]{1,7}"))
        .map(line -> Integer.valueOf(line.substring(word.length() + 2)))
        .findFirst();
  }

  /** The device of the process's controlling terminal. Empty if it has none or has ended. */
  public OptionalLong terminal(int pid) {
    return stat(pid).stream().mapToLong(ProcessStat::terminal).filter(it -> it != 0).findFirst();
  }

  private Optional<String> text(int pid, String file) {
    return text(pid, file, Long.MAX_VALUE);
  }

  /** Of a longer file at least so many bytes. */
  private Optional<String> text(int pid, String file, long atLeast) {
    String name = root + "/" + pid + "/" + file;
    try {
      byte[] read = KernelFile.read(name, atLeast);
      return Optional.of(new String(read, ISO_8859_1)); // names are any bytes
    } catch (ErrnoException e) {
      // A read that began before the process was reaped ends with ESRCH.
      if (e.is(Errno.ENOENT) || e.is(Errno.ESRCH)) {
        return Optional.empty();
      }
      throw new UncheckedIOException(e);
    }
  }
}
