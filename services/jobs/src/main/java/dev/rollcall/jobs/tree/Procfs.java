package dev.rollcall.jobs.tree;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rollcall.linux.cgroup.ProcessCgroups;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.linux.process.ProcessStat;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.port.PinnedProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/** Reads processes from procfs. A process that has ended is empty, not an error: proc(5). */
public record Procfs(Proc proc) {
  public Procfs(Path root) {
    this(new Proc(root));
  }

  /** The process that has this pid now. */
  public Optional<ProcessRef> process(int pid) {
    return proc.ref(pid);
  }

  public Optional<Integer> parent(int pid) {
    return proc.stat(pid).map(ProcessStat::parent);
  }

  /** Real uid and gid. */
  public record Owner(int uid, int gid) {}

  public Optional<Owner> owner(int pid) {
    return proc.status(pid).map(its -> new Owner(its.realUid(), its.realGid()));
  }

  /** Whether it is this user's, by its real uid. */
  public boolean isOf(int uid, int pid) {
    return owner(pid).filter(owner -> owner.uid() == uid).isPresent();
  }

  /**
   * When it started, to the second. Does not use ProcessHandle, which also reads the command line;
   * that read may hang.
   */
  public Optional<Instant> startedAt(int pid) {
    return proc.ref(pid).map(Proc::startedAt);
  }

  /** The kernel's short name; empty text if the process has ended. */
  public String command(int pid) {
    try {
      return new String(Files.readAllBytes(file(pid, "comm")), UTF_8).strip();
    } catch (IOException ended) {
      return "";
    }
  }

  /** Its state as proc(5) has it: {@code R}, {@code S}, {@code D} and others. */
  public Optional<Character> state(int pid) {
    return proc.stat(pid).map(ProcessStat::state);
  }

  /** The function of the kernel in which it sleeps; empty if it runs or this kernel hides it. */
  public Optional<String> sleepsIn(int pid) {
    try {
      String symbol = Files.readString(file(pid, "wchan"), ISO_8859_1).strip();
      return Optional.of(symbol).filter(name -> !name.isEmpty() && !name.equals("0"));
    } catch (IOException ended) {
      return Optional.empty();
    }
  }

  public Optional<ProcessCgroups> cgroups(int pid) {
    try {
      return Optional.of(ProcessCgroups.read(proc.root(), pid));
    } catch (IOException ended) {
      return Optional.empty();
    }
  }

  /** The cgroups of this very process: it had its pid before and after they were read. */
  public Optional<ProcessCgroups> cgroups(ProcessRef process) {
    if (!process(process.pid()).equals(Optional.of(process))) {
      return Optional.empty();
    }
    Optional<ProcessCgroups> read = cgroups(process.pid());
    return process(process.pid()).equals(Optional.of(process)) ? read : Optional.empty();
  }

  /** The cgroups of a pinned process. If it still lives afterwards, it had its pid all the time. */
  public Optional<ProcessCgroups> cgroups(PinnedProcess process) {
    Optional<ProcessCgroups> read = cgroups(process.ref().pid());
    return process.alive() ? read : Optional.empty();
  }

  /** The same, after a check that the pin has the right process. */
  public Optional<ProcessCgroups> checkedCgroups(PinnedProcess process) {
    ProcessRef ref = process.ref();
    return process(ref.pid()).equals(Optional.of(ref)) ? cgroups(process) : Optional.empty();
  }

  private Path file(int pid, String name) {
    return proc.root().resolve(Integer.toString(pid)).resolve(name);
  }
}
