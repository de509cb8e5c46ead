package dev.rollcall.linux.systemd;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * The calls of systemd's manager that Rollcall uses, org.freedesktop.systemd1(5). Every call ends
 * within the timeout the connection was opened with; a connection that is lost or silent is an
 * IOException.
 */
public interface UnitBus extends AutoCloseable {
  /** Connects anew. */
  @FunctionalInterface
  interface Opener {
    /**
     * @throws IOException naming the bus, if it is not there, refuses or does not answer in time
     */
    UnitBus open(Duration timeout) throws IOException;
  }

  /**
   * A transient, delegated scope around one process.
   *
   * @param name ends in {@code .scope}
   */
  record NewScope(String name, SliceName slice, int pid) {}

  /** What systemd says to the wish for a scope. */
  sealed interface Reply {
    /**
     * It is queued; directory and membership come later.
     *
     * @param job the object path of systemd's job
     */
    record Accepted(String job) implements Reply {}

    /** There is a unit of that name already. */
    record Exists(String message) implements Reply {}

    /**
     * @param error the D-Bus name of it, as {@code org.freedesktop.DBus.Error.AccessDenied}
     */
    record Refused(String error, String message) implements Reply {}
  }

  /**
   * A unit that systemd knows.
   *
   * @param active ActiveState, as {@code active} or {@code failed}
   * @param controlGroup its path below systemd's root; empty while it has none
   */
  record UnitState(String active, String controlGroup) {}

  /** StartTransientUnit, mode "fail". */
  Reply start(NewScope scope) throws IOException;

  /** The unit, if systemd has it loaded. */
  Optional<UnitState> find(String unit) throws IOException;

  /** ResetFailedUnit: forgets that it failed, and with it a transient unit. */
  void resetFailed(String unit) throws IOException;

  @Override
  void close();
}
