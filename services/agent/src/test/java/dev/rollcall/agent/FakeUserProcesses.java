package dev.rollcall.agent;

import dev.rollcall.agent.serve.UserProcesses;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.testkit.jobs.FakeProcess;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Processes that a test says are there. */
public final class FakeUserProcesses implements UserProcesses {
  private record Known(FakeProcess process, int realUid, int effectiveUid) {}

  private final Map<Integer, Known> byPid = new ConcurrentHashMap<>();

  public FakeUserProcesses add(FakeProcess process, int realUid, int effectiveUid) {
    byPid.put(process.ref().pid(), new Known(process, realUid, effectiveUid));
    return this;
  }

  @Override
  public Optional<Owned> pin(int pid) {
    return Optional.ofNullable(byPid.get(pid))
        .filter(known -> known.process().alive())
        .map(known -> new Owned(known.process(), known.realUid(), known.effectiveUid()));
  }

  @Override
  public boolean runs(ProcessRef process) {
    return Optional.ofNullable(byPid.get(process.pid()))
        .filter(known -> known.process().ref().equals(process) && known.process().alive())
        .isPresent();
  }
}
