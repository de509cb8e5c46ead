package dev.rollcall.agent;

import dev.rollcall.linux.systemd.ScopeSettings;
import dev.rollcall.settings.HostPort;
import dev.rollcall.wire.grpc.TlsFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How an agent runs; each component is a key of {@code agent.yaml}, written in snake case.
 *
 * @param node absent: the short host name
 * @param gateways tried in turn; at least one
 * @param tls required unless every gateway is on loopback
 * @param cgroupRoot where the node's cgroups begin; absent: at the mount
 * @param scope of the jobs, from systemd: the keys {@code systemd}, {@code systemd_on_failure},
 *     {@code slice} and {@code systemd_timeout_ms}
 * @param announcedPorts whose calls are told ahead
 * @param clusterPrefixes to whose addresses calls are told; empty: the on-link prefixes
 * @param metrics where HTTP is served
 * @param bpfDirectory where programs are pinned; absent: below /sys/fs/bpf or the run directory
 * @param trustedNamespaces files of network namespaces besides the node's own
 */
record AgentConfig(
    String cluster,
    Optional<String> node,
    List<HostPort> gateways,
    Optional<TlsFiles> tls,
    Path runDirectory,
    Path stateDirectory,
    Optional<Path> cgroupRoot,
    Hierarchy hierarchy,
    ScopeSettings scope,
    List<Integer> announcedPorts,
    List<String> clusterPrefixes,
    HostPort metrics,
    Bpf bpf,
    Optional<Path> bpfDirectory,
    Duration loginGrace,
    List<Path> trustedNamespaces) {

  /** Which cgroup hierarchy tells what a job is. */
  enum Hierarchy {
    AUTO,
    V2,
    V1
  }

  /** Whether calls are seen by BPF. */
  enum Bpf {
    AUTO,
    OFF
  }

  /** What an empty file means. */
  static final AgentConfig DEFAULTS =
      new AgentConfig(
          "cluster",
          Optional.empty(),
          List.of(new HostPort("127.0.0.1", 7450)),
          Optional.empty(),
          Path.of("/run/rollcall"),
          Path.of("/var/lib/rollcall"),
          Optional.empty(),
          Hierarchy.AUTO,
          ScopeSettings.DEFAULTS,
          List.of(22),
          List.of(),
          new HostPort("127.0.0.1", 7451),
          Bpf.AUTO,
          Optional.empty(),
          Duration.ofMinutes(2),
          List.of());
}
