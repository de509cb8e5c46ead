package dev.rollcall.linux.systemd;

import dev.rollcall.linux.cgroup.BoundedWait;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.CgroupKill;
import dev.rollcall.linux.cgroup.CgroupMount;
import dev.rollcall.linux.cgroup.CgroupMounts;
import dev.rollcall.linux.cgroup.CgroupRemoval;
import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.testkit.process.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** A cgroup tree of its own on this machine, and a {@link FakeUnitBus} that rules it. */
final class ScopeRig implements AutoCloseable {
  static final Proc PROC = new Proc(Path.of("/proc"));
  static final Duration LONG = Duration.ofSeconds(20);
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final CgroupMount real;
  private final CgroupDirectory top;
  private final FakeUnitBus bus;
  private final List<Process> started = new ArrayList<>();

  ScopeRig() {
    try {
      real = CgroupMounts.read(Path.of("/proc")).v2().orElseThrow();
      String name =
          "rollcall-scope-test-%d-%d"
              .formatted(ProcessHandle.current().pid(), NUMBER.incrementAndGet());
      top = new CgroupDirectory(real.point().resolve(name));
      top.create();
      bus = new FakeUnitBus(top.path());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  CgroupDirectory top() {
    return top;
  }

  FakeUnitBus bus() {
    return bus;
  }

  /** As if only the rig's tree were mounted, as in a container. */
  CgroupMount mount() {
    return new CgroupMount(true, Set.of(), top.path(), real.pathOf(top.path()));
  }

  int process() throws IOException {
    Process process = new ProcessBuilder("sleep", "600").start();
    started.add(process);
    return (int) process.pid();
  }

  static void await(String what, BooleanSupplier condition) {
    Await.until(what, LONG, condition);
  }

  static void kill(int pid) throws IOException {
    Optional<Pidfd> pinned = Pidfd.open(PROC, pid);
    if (pinned.isPresent()) {
      try (Pidfd process = pinned.get()) {
        process.signal(9);
      }
    }
  }

  @Override
  public void close() throws IOException {
    bus.finish();
    started.forEach(Process::destroyForcibly);
    BoundedWait patience = BoundedWait.of(LONG);
    do {
      CgroupKill.of(top).round(top, (pid, _) -> kill(pid), patience);
    } while (!(CgroupRemoval.remove(top, patience.atMost(Duration.ofMillis(50)))
            instanceof CgroupRemoval.Outcome.Removed)
        && patience.pause());
    if (top.exists()) {
      throw new AssertionError(top + " stays");
    }
  }
}
