package dev.rollcall.agent.outside;

import dev.rollcall.agent.TestNode;
import dev.rollcall.port.PinnedProcess;
import dev.rollcall.testkit.jobs.FakeProcess;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/** The table of processes. */
final class FakeProcesses implements Processes {
  private record Entry(FakeProcess process, int parent, int uid, String cgroup) {}

  private final Map<Integer, Entry> entries = new ConcurrentHashMap<>();

  /** How often all of them were searched. */
  final AtomicInteger looks = new AtomicInteger();

  void put(FakeProcess process, int uid, String cgroup) {
    put(process, 1, uid, cgroup);
  }

  void put(FakeProcess process, int parent, int uid, String cgroup) {
    entries.put(process.ref().pid(), new Entry(process, parent, uid, cgroup));
  }

  @Override
  public Optional<Standing> look(int pid) {
    return alive(pid)
        .map(entry ->
            new Standing(entry.process(), entry.uid(), entry.process().command(), entry.cgroup()));
  }

  @Override
  public Optional<Seen> see(int pid) {
    return alive(pid)
        .map(entry ->
            new Seen(
                entry.process().ref(),
                entry.parent(),
                entry.uid(),
                entry.uid(),
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
        .filter(entry -> uids.test(entry.getValue().uid()))
        .mapToInt(Map.Entry::getKey)
        .sorted()
        .forEach(pids);
  }

  @Override
  public boolean kill(PinnedProcess process) {
    ((FakeProcess) process).kill();
    return true;
  }
}
