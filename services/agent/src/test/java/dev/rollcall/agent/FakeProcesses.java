package dev.rollcall.agent;

import dev.rollcall.model.ProcessRef;
import dev.rollcall.port.PinnedProcess;
import dev.rollcall.port.Processes;
import dev.rollcall.testkit.jobs.FakeProcess;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/** The table of processes: those that a test says are there. */
public final class FakeProcesses implements Processes {
  private record Entry(
      FakeProcess process, int parent, int realUid, int effectiveUid, String cgroup) {}

  private final Map<Integer, Entry> entries = new ConcurrentHashMap<>();
  private final Map<ProcessRef, List<ProcessRef>> children = new ConcurrentHashMap<>();

  /** How often all of them were searched. */
  public final AtomicInteger looks = new AtomicInteger();

  public void put(FakeProcess process, int uid, String cgroup) {
    put(process, 1, uid, cgroup);
  }

  public void put(FakeProcess process, int parent, int uid, String cgroup) {
    entries.put(process.ref().pid(), new Entry(process, parent, uid, uid, cgroup));
  }

  public FakeProcesses add(FakeProcess process, int realUid, int effectiveUid) {
    entries.put(process.ref().pid(), new Entry(process, 1, realUid, effectiveUid, "/"));
    return this;
  }

  /** What this process begins from now on, of any user. */
  public FakeProcesses begun(ProcessRef by, FakeProcess process, int uid) {
    children.computeIfAbsent(by, _ -> new CopyOnWriteArrayList<>()).add(process.ref());
    return add(process, uid, uid);
  }

  @Override
  public Optional<Owned> pin(int pid) {
    return alive(pid)
        .map(entry -> new Owned(entry.process(), entry.realUid(), entry.effectiveUid()));
  }

  @Override
  public Optional<Seen> see(int pid) {
    return alive(pid)
        .map(entry ->
            new Seen(
                entry.process().ref(),
                entry.parent(),
                entry.realUid(),
                entry.effectiveUid(),
                entry.process().command(),
                entry.cgroup(),
                TestNode.NOON));
  }

  private Optional<Entry> alive(int pid) {
    return Optional.ofNullable(entries.get(pid)).filter(entry -> entry.process().alive());
  }

  @Override
  public void forEach(IntPredicate uids, IntConsumer pids) {
    looks.incrementAndGet();
    entries.entrySet().stream()
        .filter(entry -> uids.test(entry.getValue().effectiveUid()))
        .mapToInt(Map.Entry::getKey)
        .sorted()
        .forEach(pids);
  }

  @Override
  public List<ProcessRef> below(ProcessRef process, int uid) {
    return runs(process)
        ? children.getOrDefault(process, List.of()).stream()
            .flatMap(child -> Stream.concat(Stream.of(child), below(child, uid).stream()))
            .filter(child ->
                Optional.ofNullable(entries.get(child.pid()))
                    .filter(entry -> entry.realUid() == uid)
                    .isPresent())
            .toList()
        : List.of();
  }

  @Override
  public boolean runs(ProcessRef process) {
    return alive(process.pid()).filter(entry -> entry.process().ref().equals(process)).isPresent();
  }

  @Override
  public boolean kill(PinnedProcess process) {
    ((FakeProcess) process).kill();
    return true;
  }
}
