package dev.rollcall.linux.systemd;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.linux.cgroup.BoundedWait;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.CgroupMount;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.linux.systemd.ScopePlace.Found;
import dev.rollcall.linux.systemd.ScopeSettings.OnFailure;
import dev.rollcall.model.ProcessRef;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The systemd scope that contains the jobs, in cgroup v2. systemd makes it and delegates it, so
 * that it leaves alone what is below; a resident process keeps it, as a scope ends with its last
 * one. It outlives the agent with all its jobs; the next agent finds it and goes on. Where systemd
 * is not to be asked it is a plain directory at the same place.
 */
public final class JobScope implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(JobScope.class.getName());
  private static final Duration TO_LEAVE = Duration.ofSeconds(1);

  /** For systemd to notice that a scope has no process. */
  private static final Duration TO_END = Duration.ofSeconds(2);

  private final ScopeSettings settings;
  private final SliceName slice;
  private final UnitBus.Opener bus;
  private final Proc proc;
  private ScopePlace place;
  private Optional<KeeperWatch> watch = Optional.empty();
  private boolean closed;

  private JobScope(
      ScopeSettings settings, SliceName slice, UnitBus.Opener bus, ScopePlace place, Proc proc) {
    this.settings = settings;
    this.slice = slice;
    this.bus = bus;
    this.place = place;
    this.proc = proc;
  }

  /** Whether systemd runs this node: sd_booted(3). */
  public static boolean booted() {
    return Files.isDirectory(Path.of("/run/systemd/system"), LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Finds the scope or makes it, and leaves no process right in it.
   *
   * @param name of the unit, ends in {@code .scope}
   * @throws ScopeException if it is not to be had, unless the settings say to go on without; then
   *     nothing of it stays behind
   */
  public static JobScope open(
      ScopeSettings settings, String name, CgroupMount mount, Proc proc, UnitBus.Opener bus)
      throws IOException {
    boolean use =
        switch (settings.use()) {
          case AUTO -> booted();
          case ON -> true;
          case OFF -> false;
        };
    // The same place with and without systemd, so that a change does not lose sight of jobs.
    SliceName slice = settings.slice().orElse(use || booted() ? SliceName.SYSTEM : SliceName.ROOT);
    JobScope scope =
        new JobScope(settings, slice, bus, ScopePlace.of(mount, slice, name, proc), proc);
    if (use) {
      scope.openKept();
    } else {
      scope.place.directory().create();
    }
    return scope;
  }

  private void openKept() throws IOException {
    try {
      keep();
    } catch (IOException e) {
      // A scope of another program does not become usable by going on without systemd.
      if (settings.onFailure() == OnFailure.FAIL || place.look() instanceof Found.Foreign) {
        throw e;
      }
      LOG.log(WARNING, "{0} is made without systemd: {1}", place.directory(), e.getMessage());
      place.directory().create();
    }
  }

  /** The directory that holds the jobs' directories. */
  public synchronized CgroupDirectory directory() {
    return place.directory();
  }

  /** The process that keeps it; empty where systemd has no part in it. */
  public synchronized Optional<ProcessRef> keeper() {
    return watch.map(KeeperWatch::keeper);
  }

  /** Puts a keeper into the scope that has lost its own, and makes the scope anew if it is gone. */
  private synchronized void keep() throws IOException {
    Found found = place.look();
    if (found instanceof Found.Absent) {
      found = make();
    }
    switch (found) {
      case Found.Ours _ -> watch(settled());
      case Found.Undelegated _ ->
          LOG.log(
              WARNING,
              "{0} was made without systemd and contains jobs: it is used unchanged until they end",
              place.directory());
      case Found.Foreign foreign ->
          throw new ScopeException(place.directory() + " is not usable: " + foreign.why());
      case Found.Absent _ ->
          throw new ScopeException(place.directory() + " was there, and is gone: try again");
    }
  }

  /** Has the scope made; it may turn out to be there, at another place. */
  private Found make() throws IOException {
    ProcessRef keeper = Keeper.start(proc, place.scope());
    boolean made = false;
    try (UnitBus systemd = bus.open(settings.timeout())) {
      ScopePlace at = new ScopeRequest(systemd, place, slice, settings.timeout()).run(keeper);
      made = at.directory().pids().contains(keeper.pid());
      if (!made) {
        LOG.log(
            WARNING,
            "{0} exists already, in {1}: {2} is used after its end",
            place.scope(),
            at.slice(),
            slice);
      }
      place = at;
      LOG.log(INFO, "{0} is systemd''s delegated scope", place.directory());
      return place.look();
    } finally {
      if (!made) {
        Keeper.end(proc, keeper); // and with it the scope that may still come
      }
    }
  }

  /** One living keeper, in its leaf: an inner directory with a process takes no controller. */
  private ProcessRef settled() throws IOException {
    CgroupDirectory scope = place.directory();
    CgroupDirectory leaf = scope.child(ScopePlace.LEAF);
    for (ProcessRef stray : Keeper.in(proc, scope, place.scope())) {
      leaf.create();
      leaf.add(stray.pid());
    }
    // A process is counted out of the old directory a little later than it is in the new one.
    BoundedWait patience = BoundedWait.of(TO_LEAVE);
    while (!Keeper.in(proc, scope, place.scope()).isEmpty()) {
      if (!patience.pause()) {
        throw new ScopeException("the keeper does not leave " + scope + " for " + leaf);
      }
    }
    List<Integer> others = scope.pids();
    if (!others.isEmpty()) {
      LOG.log(WARNING, "processes {0} are directly in {1}, which must have none", others, scope);
    }
    List<ProcessRef> there = Keeper.in(proc, leaf, place.scope());
    return there.isEmpty() ? fresh(leaf) : there.getFirst();
  }

  private ProcessRef fresh(CgroupDirectory leaf) throws IOException {
    ProcessRef fresh = Keeper.start(proc, place.scope());
    try {
      leaf.create();
      leaf.add(fresh.pid());
      return fresh;
    } catch (IOException e) {
      Keeper.end(proc, fresh);
      throw new ScopeException("a keeper cannot enter " + leaf + ": " + e.getMessage(), e);
    }
  }

  private void watch(ProcessRef keeper) throws IOException {
    LOG.log(INFO, "{0} is kept by process {1}", place.directory(), Integer.toString(keeper.pid()));
    if (!closed) {
      watch = Optional.of(KeeperWatch.start(proc, keeper, this::lost));
    }
  }

  /**
   * @return whether there is a keeper again
   */
  private boolean lost(ProcessRef keeper) {
    LOG.log(
        WARNING,
        "process {0}, which keeps {1}, ended",
        Integer.toString(keeper.pid()),
        directory());
    try {
      awaitEnd(place());
      keep();
      return true;
    } catch (IOException e) {
      LOG.log(WARNING, "the scope of the jobs has no keeper: {0}", e.getMessage());
      return false;
    }
  }

  /**
   * Without the keeper and without jobs systemd ends the scope. A keeper that came now could be in
   * a directory that systemd has just given up, and that is no scope any more.
   */
  private static void awaitEnd(ScopePlace at) throws IOException {
    BoundedWait patience = BoundedWait.of(TO_END);
    while (at.look() instanceof Found.Ours
        && at.directory().pidsBelow().isEmpty()
        && patience.pause()) {
      LOG.log(DEBUG, "{0} is about to end", at.directory());
    }
  }

  private synchronized ScopePlace place() {
    return place;
  }

  /** Ends the watch; scope and keeper stay. */
  @Override
  public void close() {
    Optional<KeeperWatch> watching;
    synchronized (this) {
      closed = true;
      watching = watch;
      watch = Optional.empty();
    }
    watching.ifPresent(KeeperWatch::close);
  }
}
