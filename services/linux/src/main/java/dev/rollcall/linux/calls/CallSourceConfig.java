package dev.rollcall.linux.calls;

import dev.rollcall.model.ClusterPrefixes;
import dev.rollcall.model.Prefix;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * The configured source of this node's calls.
 *
 * @param bpfDirectory where maps, program and link stay when the agent ends; a bpffs is mounted
 *     there if it does not lie in one
 * @param cgroup a directory of the cgroup2 hierarchy: calls made below it are recorded
 * @param trustedNamespaces files of network namespaces that root has registered, beside the agent's
 *     own
 * @param trackedPorts remote ports of calls that are told at once, with their rates
 * @param clusterPrefixes remote addresses of such calls; empty: those on-link for this node, and
 *     those that gateways name
 * @param watchedPorts remote ports whose calls are counted for each cgroup
 * @param proc where procfs is mounted
 * @param callers used without BPF
 */
public record CallSourceConfig(
    Path bpfDirectory,
    Path cgroup,
    List<Path> trustedNamespaces,
    List<TrackedPorts> trackedPorts,
    Set<Prefix> clusterPrefixes,
    Set<Integer> watchedPorts,
    Path proc,
    CallerProcesses callers) {
  public CallSourceConfig {
    trustedNamespaces = List.copyOf(trustedNamespaces);
    trackedPorts = List.copyOf(trackedPorts);
    clusterPrefixes = Set.copyOf(clusterPrefixes);
    watchedPorts = Set.copyOf(watchedPorts);
    TrackedPorts.check(trackedPorts);
    if (clusterPrefixes.size() > ClusterPrefixes.MOST) {
      throw new IllegalArgumentException(
          clusterPrefixes.size() + " cluster prefixes are more than " + ClusterPrefixes.MOST);
    }
    for (Prefix prefix : clusterPrefixes) {
      if (PushedPrefixes.NEVER.stream().anyMatch(never -> never.contains(prefix.address()))) {
        throw new IllegalArgumentException(
            "cluster prefix " + prefix + " is loopback or link-local: it never leaves the node");
      }
    }
  }
}
