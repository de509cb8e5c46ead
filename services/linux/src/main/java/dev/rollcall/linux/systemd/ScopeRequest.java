package dev.rollcall.linux.systemd;

import dev.rollcall.linux.cgroup.BoundedWait;
import dev.rollcall.linux.systemd.UnitBus.NewScope;
import dev.rollcall.linux.systemd.UnitBus.Reply;
import dev.rollcall.linux.systemd.UnitBus.UnitState;
import dev.rollcall.model.ProcessRef;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * Asks systemd for a scope around a keeper, and waits until the keeper is in it: systemd answers
 * when it has queued the work, and makes the directory before it moves the process.
 */
record ScopeRequest(UnitBus systemd, ScopePlace place, SliceName slice, Duration timeout) {
  /**
   * The scope's place, with the keeper right in it. If it was there already, the keeper is where it
   * was.
   */
  ScopePlace run(ProcessRef keeper) throws IOException {
    var wanted = new NewScope(place.scope(), slice, keeper.pid());
    Reply reply = systemd.start(wanted);
    if (reply instanceof Reply.Exists) {
      Optional<UnitState> unit = systemd.find(place.scope());
      if (unit.isPresent() && unit.get().active().equals("active")) {
        return place.at(unit.get().controlGroup());
      }
      if (unit.isPresent() && unit.get().active().equals("failed")) {
        systemd.resetFailed(place.scope());
        reply = systemd.start(wanted);
      }
    }
    return switch (reply) {
      case Reply.Accepted accepted -> await(keeper, accepted);
      case Reply.Exists exists -> throw refused(exists.message());
      case Reply.Refused refused -> throw refused(refused.error() + ": " + refused.message());
    };
  }

  private ScopePlace await(ProcessRef keeper, Reply.Accepted accepted) throws IOException {
    BoundedWait patience = BoundedWait.of(timeout);
    do {
      Optional<ScopePlace> held = place.holding(keeper.pid());
      if (held.isPresent() && held.get().directory().pids().contains(keeper.pid())) {
        return held.get();
      }
      if (!place.proc().runs(keeper)) {
        throw refused("its keeper, process " + keeper.pid() + ", ended");
      }
    } while (patience.pause());
    throw refused(
        "it took the request as %s, but process %d was not in %s within %d ms"
            .formatted(accepted.job(), keeper.pid(), place.directory(), timeout.toMillis()));
  }

  private ScopeException refused(String why) {
    return new ScopeException(
        "systemd does not give %s: %s%s. See `systemctl status %1$s`; if it failed before, `systemctl reset-failed %1$s`"
            .formatted(place.scope(), why, state()));
  }

  private String state() {
    try {
      return systemd
          .find(place.scope())
          .map(unit -> " (it is " + unit.active() + ")")
          .orElse(" (it is not loaded)");
    } catch (IOException silent) {
      return "";
    }
  }
}
