package dev.rollcall.linux.calls;

import dev.rollcall.linux.net.Prefix;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * The configured source of this node's calls.
 *
 * @param bpf false: without BPF, by sock_diag alone
 * @param bpfDirectory where maps, program and link stay when the agent ends; a bpffs is mounted
 *     there if it does not lie in one
 * @param cgroup a directory of the cgroup2 hierarchy: calls made below it are recorded
 * @param trustedNamespaces files of network namespaces that root has registered, beside the agent's
 *     own
 * @param announcedPorts remote ports of calls that are told at once
 * @param clusterPrefixes remote addresses of such calls; empty: those on-link for this node
 * @param proc where procfs is mounted
 * @param callers used without BPF
 */
public record CallSourceConfig(
    boolean bpf,
    Path bpfDirectory,
    Path cgroup,
    List<Path> trustedNamespaces,
    Set<Integer> announcedPorts,
    Set<Prefix> clusterPrefixes,
    Path proc,
    CallerProcesses callers) {
  public CallSourceConfig {
    trustedNamespaces = List.copyOf(trustedNamespaces);
    announcedPorts = Set.copyOf(announcedPorts);
    clusterPrefixes = Set.copyOf(clusterPrefixes);
    for (int port : announcedPorts) {
      if (port < 1 || port > 0xffff) {
        throw new IllegalArgumentException("tracked port " + port + " is not within 1 to 65535");
      }
    }
    for (Prefix prefix : clusterPrefixes) {
      if (Announced.NEVER.stream().anyMatch(never -> never.contains(prefix.address()))) {
        throw new IllegalArgumentException(
            "cluster prefix " + prefix + " is loopback or link-local: it never leaves the node");
      }
    }
  }
}
