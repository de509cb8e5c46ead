package dev.rollcall.cli.ask;

import dev.rollcall.cli.ask.OwnSession.Seen;
import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.cgroup.ProcessCgroups;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.linux.process.ProcessStat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads processes from /proc. Leaves out those that end meanwhile or are hidden, proc(5). */
public final class ProcProcesses {
  private final Proc proc;

  public ProcProcesses(Path proc) {
    this.proc = new Proc(proc);
  }

  /** The directory /proc. */
  public Path root() {
    return proc.root();
  }

  public List<Seen> all() throws IOException {
    List<Seen> all = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(proc.root(), "[0-9]*")) {
      for (Path entry : entries) {
        of(Integer.parseInt(entry.getFileName().toString())).ifPresent(all::add);
      }
    }
    return all;
  }

  public Optional<Seen> of(int pid) {
    try {
      Optional<ProcessStat> stat = proc.stat(pid);
      Optional<Integer> uid = proc.effectiveUid(pid);
      return stat.isPresent() && uid.isPresent()
          ? Optional.of(new Seen(stat.get(), uid.get(), ProcessCgroups.read(proc.root(), pid)))
          : Optional.empty();
    } catch (ErrnoException | UncheckedIOException hidden) {
      return Optional.empty();
    }
  }
}
