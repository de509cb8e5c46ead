package dev.rollcall.agent;

import dev.rollcall.agent.serve.UserProcesses;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.testkit.jobs.FakeProcess;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** Processes that a test says are there. */
public final class FakeUserProcesses implements UserProcesses {
  private record Known(FakeProcess process, int realUid, int effectiveUid) {}

  private final Map<Integer, Known> byPid = new ConcurrentHashMap<>();
  private final Map<ProcessRef, List<ProcessRef>> children = new ConcurrentHashMap<>();

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

  /** What this process begins from now on, of any user. */
  public FakeUserProcesses begun(ProcessRef by, FakeProcess process, int uid) {
    children.computeIfAbsent(by, _ -> new CopyOnWriteArrayList<>()).add(process.ref());
    return add(process, uid, uid);
  }

  @Override
  public List<ProcessRef> below(ProcessRef process, int uid) {
    return runs(process)
        ? children.getOrDefault(process, List.of()).stream()
            .flatMap(child -> Stream.concat(Stream.of(child), below(child, uid).stream()))
            .filter(child ->
                Optional.ofNullable(byPid.get(child.pid()))
                    .filter(known -> known.realUid() == uid)
                    .isPresent())
            .toList()
        : List.of();
  }

  @Override
  public boolean runs(ProcessRef process) {
    return Optional.ofNullable(byPid.get(process.pid()))
        .filter(known -> known.process().ref().equals(process) && known.process().alive())
        .isPresent();
  }
}
