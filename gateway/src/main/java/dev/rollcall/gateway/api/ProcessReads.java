package dev.rollcall.gateway.api;

import dev.rollcall.gateway.work.Workers;
import dev.rollcall.model.NodeName;
import dev.rollcall.port.Roll;
import dev.rollcall.port.Roll.NodeProcesses;
import dev.rollcall.port.Roll.ProcessEntry;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Finds processes in the roll for all requests that wait, in one read. To find one, the roll reads
 * all jobs of its node. So one read is under way at a time, and after it comes a pause of three
 * times as long: all requests together take a quarter of one processor. A read that takes long
 * waits for another member, and the pause has a bound. Thread-safe.
 */
final class ProcessReads {
  private static final int PAUSE = 3;
  private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(250);

  /** What the roll has of a node, and its found processes by pid. */
  record Found(NodeProcesses node, Map<Integer, List<ProcessEntry>> byPid) {
    private static Found of(NodeProcesses node) {
      return new Found(
          node,
          node.found().stream()
              .collect(Collectors.groupingBy(entry -> entry.process().process().pid())));
    }

    List<ProcessEntry> of(int pid) {
      return byPid.getOrDefault(pid, List.of());
    }
  }

  private final Roll roll;
  private final Workers workers;
  private Map<NodeName, Set<Integer>> wanted = new HashMap<>();
  private CompletableFuture<Map<NodeName, Found>> next = new CompletableFuture<>();
  private boolean busy;

  ProcessReads(Roll roll, Workers workers) {
    this.roll = roll;
    this.workers = workers;
  }

  /** By a read that begins later. The answer may have nodes and processes that others wanted. */
  synchronized CompletableFuture<Map<NodeName, Found>> find(Map<NodeName, Set<Integer>> pids) {
    pids.forEach((node, of) -> wanted.computeIfAbsent(node, _ -> new HashSet<>()).addAll(of));
    CompletableFuture<Map<NodeName, Found>> answer = next;
    if (!busy) {
      busy = true;
      read();
    }
    return answer;
  }

  private void read() {
    Map<NodeName, Set<Integer>> pids = wanted;
    CompletableFuture<Map<NodeName, Found>> answer = next;
    wanted = new HashMap<>();
    next = new CompletableFuture<>();
    long begun = System.nanoTime();
    var _ =
        workers
            .run(() ->
                roll.processesByPid(pids).entrySet().stream()
                    .collect(Collectors.toMap(Map.Entry::getKey, e -> Found.of(e.getValue()))))
            .whenComplete((found, failure) -> {
              long pause = Math.min(LONGEST_PAUSE, PAUSE * (System.nanoTime() - begun));
              CompletableFuture.delayedExecutor(pause, TimeUnit.NANOSECONDS, Runnable::run)
                  .execute(this::goOn);
              if (failure == null) {
                answer.complete(found);
              } else {
                answer.completeExceptionally(failure);
              }
            });
  }

  private synchronized void goOn() {
    if (wanted.isEmpty()) {
      busy = false;
    } else {
      read();
    }
  }
}
