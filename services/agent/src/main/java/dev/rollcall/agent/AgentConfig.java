package dev.rollcall.agent;

import dev.rollcall.agent.login.adopt.SessionRules;
import dev.rollcall.agent.login.adopt.UserNamespaceSessions;
import dev.rollcall.agent.outside.UserServices;
import dev.rollcall.agent.series.SeriesNames;
import dev.rollcall.agent.series.device.GpuFileForm;
import dev.rollcall.agent.serve.UserMoves;
import dev.rollcall.jobs.own.EndRules;
import dev.rollcall.jobs.tree.TreeConfig;
import dev.rollcall.linux.calls.TrackedPorts;
import dev.rollcall.linux.systemd.ScopeName;
import dev.rollcall.linux.systemd.ScopeSettings;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.Prefix;
import dev.rollcall.model.usage.MeasureDepth;
import dev.rollcall.settings.CgroupConf;
import dev.rollcall.settings.HostPort;
import dev.rollcall.settings.MetricsPlace;
import dev.rollcall.settings.container.ContainerConf;
import dev.rollcall.wire.tls.TlsFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Holds the configuration of an agent; each component is a key of {@code agent.yaml}, written in
 * snake case.
 *
 * @param node absent: the short host name
 * @param gateways tried in turn; at least one
 * @param tls required unless every gateway is on loopback
 * @param cgroupRoot where the node's cgroups begin; absent: at the mount
 * @param scope of the jobs, from systemd: the keys {@code systemd}, {@code systemd_on_failure},
 *     {@code slice} and {@code systemd_timeout_ms}
 * @param scopeName of the jobs: the key {@code scope}
 * @param limits the keys {@code cgroup_conf}, {@code system_cores} and {@code system_memory}
 * @param announcedPorts ports whose callers are pushed
 * @param clusterPrefixes addresses to which calls are reported; empty: the on-link prefixes
 * @param metrics where they and the health are served; a port that is not on loopback takes TLS
 * @param jobMetrics what {@code /metrics/jobs} has
 * @param jobMetricsNames and under which names
 * @param gpuJobFiles directories of the keys {@code gpu_job_files_dcgm} and {@code
 *     gpu_job_files_amd}
 * @param watchedServices names of ports to which calls of jobs are counted
 * @param bpfDirectory where programs are pinned; absent: below /sys/fs/bpf or the run directory
 * @param endGrace from SIGTERM to the kill, of ends that do not say their own
 * @param trustedNamespaces files of network namespaces besides the node's own
 * @param usageFile where what jobs used is written, a line of JSON each
 * @param auditFile where decisions and changes are written, a line of JSON each
 * @param auditOnlyFile whose sessions are only watched; need not be there
 * @param deniedHelp with which each refusal of the PAM module ends; absent: nothing is added
 * @param ends the keys {@code session_end}, {@code end_signal}, {@code oom_kill}, {@code
 *     unkillable_program} and {@code unkillable_seconds}
 * @param sessions keys that begin with {@code session_}
 * @param userManager what becomes of what a user's systemd instance, cron or at begin
 * @param userMoves which processes users may move into their jobs
 * @param grpcUsers who may use grpc.sock besides root: names or uids
 * @param containerConf what each job has of its own; absent: nothing
 * @param containerChoices what a job has instead that chooses it by its name
 * @param userNamespaceSessions what becomes of sessions of jobs that have a user namespace
 * @param provider whose the jobs are
 */
record AgentConfig(
    String cluster,
    Optional<NodeName> node,
    List<HostPort> gateways,
    Optional<TlsFiles> tls,
    Path runDirectory,
    Path stateDirectory,
    Optional<Path> cgroupRoot,
    Hierarchy hierarchy,
    ScopeSettings scope,
    ScopeName scopeName,
    LimitsConfig limits,
    List<TrackedPorts> announcedPorts,
    List<Prefix> clusterPrefixes,
    MetricsPlace metrics,
    MeasureDepth jobMetrics,
    SeriesNames jobMetricsNames,
    Map<Path, GpuFileForm> gpuJobFiles,
    Map<Integer, String> watchedServices,
    Bpf bpf,
    Optional<Path> bpfDirectory,
    Duration loginGrace,
    List<Path> trustedNamespaces,
    Path usageFile,
    Path auditFile,
    Path auditOnlyFile,
    Optional<DeniedHelp> deniedHelp,
    EndRules ends,
    Duration endGrace,
    SessionRules sessions,
    UserServices userManager,
    UserMoves userMoves,
    List<String> grpcUsers,
    Optional<ContainerConf> containerConf,
    Map<String, ContainerConf> containerChoices,
    UserNamespaceSessions userNamespaceSessions,
    JobProvider provider,
    Slurm slurm) {

  /**
   * The place of the jobs' cgroups. Settings of agent.yaml override those of cgroup.conf.
   *
   * @param root the directory that gets the scope's; absent: the mount
   */
  TreeConfig tree(Optional<Path> root, Path proc) {
    var choice =
        switch (hierarchy) {
          case AUTO -> limits.choice();
          case V2 -> TreeConfig.Choice.V2;
          case V1 -> TreeConfig.Choice.V1;
        };
    return new TreeConfig(
        root,
        choice,
        proc,
        limits.cgroupConf().map(CgroupConf::mountPoint).orElse(Path.of("/")),
        limits.cgroupConf().map(CgroupConf::enableControllers).orElse(true),
        limits
            .cgroupConf()
            .filter(conf -> conf.constrain().swapSpace())
            .map(CgroupConf::swappiness)
            .orElse(OptionalInt.empty()),
        scopeName);
  }

  /** Whose the jobs of the node are. */
  enum JobProvider {
    /** Slurm's where slurm.conf and its spool directory are, else Rollcall's own. */
    AUTO,
    NATIVE,
    SLURM
  }

  /** The action if Slurm's own daemon does not adopt a process. */
  enum Fallback {
    OFF,
    CGROUP_WRITE
  }

  /**
   * Where Slurm is.
   *
   * @param conf absent: looked for in the usual places
   * @param spoolDirectory absent: SlurmdSpoolDir of slurm.conf
   * @param nodeName absent: the node's name
   * @param runtimeDirectory whether each job has a directory for XDG_RUNTIME_DIR
   */
  record Slurm(
      Optional<Path> conf,
      Optional<Path> spoolDirectory,
      Optional<String> nodeName,
      Fallback fallback,
      boolean runtimeDirectory) {}

  /** The cgroup hierarchy that defines the jobs. */
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
}
