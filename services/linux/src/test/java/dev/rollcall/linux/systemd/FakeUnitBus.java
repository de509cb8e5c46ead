package dev.rollcall.linux.systemd;

import dev.rollcall.linux.Xattr;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.process.Proc;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * systemd as far as scopes go, in a cgroup tree of this machine: it answers first, and makes the
 * scope and moves the process a little later.
 */
final class FakeUnitBus implements UnitBus {
  private static final Proc PROC = new Proc(Path.of("/proc"));

  private final Path top;
  private final Map<String, CgroupDirectory> scopes = new HashMap<>();
  private final Set<String> failed = new HashSet<>();
  private Optional<Thread> work = Optional.empty();
  private boolean idle;
  private int opened;
  private int closed;

  FakeUnitBus(Path top) {
    this.top = top;
  }

  UnitBus open(Duration timeout) {
    opened++;
    return this;
  }

  /** From now on it takes requests and does nothing. */
  void doNothing() {
    idle = true;
  }

  /** A unit of this name has failed before. */
  void fail(String unit) {
    failed.add(unit);
  }

  int opened() {
    return opened;
  }

  int closed() {
    return closed;
  }

  @Override
  public Reply start(NewScope scope) {
    if (failed.contains(scope.name()) || find(scope.name()).isPresent()) {
      return new Reply.Exists(
          "Unit " + scope.name() + " was already loaded or has a fragment file.");
    }
    if (PROC.ref(scope.pid()).isEmpty()) {
      return new Reply.Refused(
          "org.freedesktop.DBus.Error.InvalidArgs",
          "Process with ID " + scope.pid() + " does not exist.");
    }
    if (!idle) {
      var directory = new CgroupDirectory(top.resolve(scope.slice().path()).resolve(scope.name()));
      scopes.put(scope.name(), directory);
      work = Optional.of(Thread.ofVirtual().start(() -> make(directory, scope.pid())));
    }
    return new Reply.Accepted("/org/freedesktop/systemd1/job/17");
  }

  private static void make(CgroupDirectory directory, int pid) {
    try {
      directory.create();
      Xattr.set(directory.path(), "trusted.delegate", "1");
      directory.add(pid);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public Optional<UnitState> find(String unit) {
    if (failed.contains(unit)) {
      return Optional.of(new UnitState("failed", ""));
    }
    return Optional.ofNullable(scopes.get(unit))
        .map(scope -> new UnitState("active", "/" + top.relativize(scope.path())));
  }

  @Override
  public void resetFailed(String unit) throws IOException {
    if (!failed.remove(unit) && find(unit).isEmpty()) {
      throw new IOException("reset-failed of " + unit + ": Unit " + unit + " not loaded.");
    }
  }

  @Override
  public void close() {
    closed++;
  }

  /** Waits for what was begun. */
  void finish() {
    try {
      if (work.isPresent()) {
        work.get().join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while a scope is made", e);
    }
  }
}
