package dev.rollcall.jobs.tree;

import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.JobProcess;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Describes the state of processes for people: {@code 1234 (dd, D in request_wait_answer)}. */
public record Standstill(Proc procfs) {
  private static final int MOST_NAMED = 20;

  /** Where a process sleeps that a freezer of either version holds. */
  private static final Set<String> FROZEN_IN = Set.of("__refrigerator", "do_freezer_trap");

  /** Names the first twenty, and how many more there are. */
  public String text(List<JobProcess> processes) {
    return named(processes.stream().map(each -> each.process().pid()).toList());
  }

  /** The same for processes that no freezer holds. */
  public String unfrozen(Collection<Integer> pids) {
    return named(pids.stream().filter(this::moves).toList());
  }

  private boolean moves(int pid) {
    return procfs.sleepsIn(pid).filter(FROZEN_IN::contains).isEmpty();
  }

  private String named(List<Integer> pids) {
    String first =
        pids.stream().limit(MOST_NAMED).map(this::text).collect(Collectors.joining(", "));
    return pids.size() <= MOST_NAMED
        ? first
        : first + " and " + (pids.size() - MOST_NAMED) + " more";
  }

  private String named(int pid) {
    return procfs.command(pid).replaceAll("\\p{Cntrl}", "?");
  }

  private String text(int pid) {
    String command = named(pid);
    String state = procfs.stat(pid).map(its -> "" + its.state()).orElse("gone");
    String place = procfs.sleepsIn(pid).map(symbol -> " in " + symbol).orElse("");
    String tracers =
        procfs.holders(pid).stream()
            .map(each -> ", traced by " + each + " (" + named(each) + ")")
            .collect(Collectors.joining());
    return pid + " (" + command + ", " + state + place + tracers + ")";
  }
}
