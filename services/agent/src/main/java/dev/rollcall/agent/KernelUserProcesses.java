package dev.rollcall.agent;

import dev.rollcall.agent.serve.UserProcesses;
import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.linux.process.ProcessStatus;
import dev.rollcall.model.ProcessRef;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Users' processes as /proc shows them. */
final class KernelUserProcesses implements UserProcesses {
  private static final int MOST_BELOW = 1_000;
  private static final int MOST_THREADS_BELOW = 10_000;

  private final Proc proc = new Proc(Path.of("/proc"));

  @Override
  public Optional<Owned> pin(int pid) throws IOException {
    Optional<Pidfd> pinned = Pidfd.open(proc, pid);
    Optional<ProcessStatus> status = pinned.isEmpty() ? Optional.empty() : proc.status(pid);
    // What was read is of the pinned process if that lives now.
    if (status.isPresent() && pinned.get().alive()) {
      return Optional.of(
          new Owned(pinned.get(), status.get().realUid(), status.get().effectiveUid()));
    }
    pinned.ifPresent(Pidfd::close);
    return Optional.empty();
  }

  @Override
  public List<ProcessRef> below(ProcessRef process, int uid) {
    return proc.runs(process)
        ? proc.below(process.pid(), MOST_BELOW, MOST_THREADS_BELOW).stream()
            .filter(pid -> proc.status(pid).filter(status -> status.realUid() == uid).isPresent())
            .flatMap(pid -> proc.ref(pid).stream())
            .toList()
        : List.of();
  }

  @Override
  public boolean runs(ProcessRef process) {
    return proc.runs(process);
  }
}
