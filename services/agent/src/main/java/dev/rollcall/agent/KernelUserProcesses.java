package dev.rollcall.agent;

import dev.rollcall.agent.serve.UserProcesses;
import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.linux.process.ProcessStatus;
import dev.rollcall.model.ProcessRef;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Users' processes as /proc shows them. */
final class KernelUserProcesses implements UserProcesses {
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
  public boolean runs(ProcessRef process) {
    return proc.runs(process);
  }
}
