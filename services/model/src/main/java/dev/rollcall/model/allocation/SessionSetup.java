package dev.rollcall.model.allocation;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SequencedMap;
import java.util.TreeMap;

/**
 * The properties of a job that its sessions get, besides its cgroup.
 *
 * @param environment of the job, in order, before the site's allow-list
 * @param gid the job's group, which joins the session's groups
 * @param rlimits of the job's steps
 * @param display {@code DISPLAY} and {@code XAUTHORITY}, if the job forwards X11; else empty
 */
public record SessionSetup(
    SequencedMap<String, String> environment,
    OptionalInt gid,
    List<Rlimit> rlimits,
    Map<String, String> display) {
  /** The job has nothing to hand over. */
  public static final SessionSetup NONE =
      new SessionSetup(new LinkedHashMap<>(), OptionalInt.empty(), List.of(), Map.of());

  /** What a job with this allocation and group hands over when it forwards no X11. */
  public static SessionSetup of(Allocation allocation, int gid) {
    return new SessionSetup(
        new LinkedHashMap<>(new TreeMap<>(allocation.environment())),
        OptionalInt.of(gid),
        allocation.rlimits(),
        Map.of());
  }

  public SessionSetup {
    environment = new LinkedHashMap<>(environment);
    rlimits = List.copyOf(rlimits);
    display = Map.copyOf(display);
  }
}
