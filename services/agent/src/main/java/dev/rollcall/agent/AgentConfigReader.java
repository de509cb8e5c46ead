package dev.rollcall.agent;

import dev.rollcall.agent.AgentConfig.Bpf;
import dev.rollcall.agent.AgentConfig.Fallback;
import dev.rollcall.agent.AgentConfig.Hierarchy;
import dev.rollcall.agent.AgentConfig.JobProvider;
import dev.rollcall.agent.login.adopt.SessionRules;
import dev.rollcall.agent.login.adopt.UserNamespaceSessions;
import dev.rollcall.agent.outside.UserServices;
import dev.rollcall.agent.serve.UserMoves;
import dev.rollcall.jobs.EndRules;
import dev.rollcall.jobs.EndSignal;
import dev.rollcall.jobs.OomKill;
import dev.rollcall.jobs.SessionEnd;
import dev.rollcall.jobs.UnkillableProgram;
import dev.rollcall.linux.calls.TrackedPorts;
import dev.rollcall.linux.net.Prefix;
import dev.rollcall.linux.systemd.ScopeName;
import dev.rollcall.linux.systemd.ScopeSettings;
import dev.rollcall.linux.systemd.SliceName;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.allocation.EnvironmentAllowList;
import dev.rollcall.settings.BadConfigException;
import dev.rollcall.settings.ConfigFile;
import dev.rollcall.settings.HostPort;
import dev.rollcall.settings.Kind;
import dev.rollcall.settings.TracesPlace;
import dev.rollcall.wire.tls.TlsFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Reads {@code agent.yaml}. */
final class AgentConfigReader {
  private static final int LONGEST_GRACE_SECONDS = 86_400;

  /** The agent's start is bounded by a minute. */
  static final int LONGEST_SYSTEMD_MS = 20_000;

  private static final int LONGEST_END_GRACE_SECONDS = 600;
  private static final Duration UNKILLABLE_AFTER = Duration.ofSeconds(60);

  private static final Kind<String> NODE =
      Kind.of("a node's name", text -> new NodeName(text).text());
  private static final Kind<TrackedPorts> PORTS =
      Kind.of("1 to 65535, or a range, with `N/s` or not", TrackedPorts::parse);
  private static final Kind<String> PREFIX =
      Kind.of("address/bits", text -> Prefix.parse(text).toString());
  private static final Kind<DeniedHelp> DENIED_HELP = Kind.of("one line of text", DeniedHelp::new);
  private static final Kind<ScopeName> SCOPE =
      Kind.of("`rollcall.scope`, or `rollcall-NAME.scope`", ScopeName::new);
  private static final Kind<SliceName> SLICE = Kind.of("a slice's name", SliceName::new);
  private static final Kind<String> VARIABLE =
      Kind.of("a name, or its beginning and `*`", AgentConfigReader::variable);

  private AgentConfigReader() {}

  /**
   * @throws BadConfigException naming file, line, key and value
   */
  static AgentConfig read(ConfigFile file) throws BadConfigException {
    AgentConfig defaults = AgentConfig.DEFAULTS;
    LimitsConfig limits = LimitsConfig.read(file);
    var config =
        new AgentConfig(
            file.value("cluster", Kind.word(), defaults.cluster()),
            file.value("node", NODE),
            file.values("gateways", Kind.hostPort(), defaults.gateways()),
            tls(file.section("tls")),
            file.value("run_directory", Kind.path(), defaults.runDirectory()),
            file.value("state_directory", Kind.path(), defaults.stateDirectory()),
            file.value("cgroup_root", Kind.path()),
            file.value("hierarchy", Kind.oneOf(Hierarchy.class), defaults.hierarchy()),
            scope(file, limits, defaults.scope()),
            file.value("scope", SCOPE, defaults.scopeName()),
            limits,
            file.values("announced_ports", PORTS, defaults.announcedPorts()),
            file.values("cluster_prefixes", PREFIX, defaults.clusterPrefixes()),
            file.value("metrics", Kind.metricsPlace(), defaults.metrics()),
            new AgentConfig.Traces(
                file.value("traces", Kind.tracesPlace()),
                file.value("traces_users", Kind.yesOrNo(), defaults.traces().users())),
            file.value("bpf", Kind.oneOf(Bpf.class), defaults.bpf()),
            file.value("bpf_directory", Kind.path()),
            file.value(
                "login_grace_seconds",
                Kind.seconds(1, LONGEST_GRACE_SECONDS),
                defaults.loginGrace()),
            file.values("trusted_namespaces", Kind.path(), defaults.trustedNamespaces()),
            file.value("usage_file", Kind.path(), defaults.usageFile()),
            file.value("audit_file", Kind.path(), defaults.auditFile()),
            file.value("audit_only_file", Kind.path(), defaults.auditOnlyFile()),
            file.value("denied_help", DENIED_HELP),
            ends(file, defaults.ends()),
            file.value(
                "end_grace_seconds",
                Kind.seconds(0, LONGEST_END_GRACE_SECONDS),
                defaults.endGrace()),
            sessions(file),
            file.value("user_manager", Kind.oneOf(UserServices.class), defaults.userManager()),
            file.value("user_moves", Kind.oneOf(UserMoves.class), defaults.userMoves()),
            SiteContainers.read(file.value("container_conf", Kind.path())),
            SiteContainers.read(file.named("container_choices", Kind.path())),
            file.value(
                "user_namespace_sessions",
                Kind.oneOf(UserNamespaceSessions.class),
                defaults.userNamespaceSessions()),
            file.value("provider", Kind.oneOf(JobProvider.class), defaults.provider()),
            slurm(file));
    file.end();
    check(config);
    return config;
  }

  private static EndRules ends(ConfigFile file, EndRules defaults) throws BadConfigException {
    return new EndRules(
        file.value("session_end", Kind.oneOf(SessionEnd.class), defaults.sessions()),
        file.value("end_signal", Kind.oneOf(EndSignal.class), defaults.signal()),
        file.value("oom_kill", Kind.oneOf(OomKill.class), defaults.oomKill()),
        unkillable(file));
  }

  private static Optional<UnkillableProgram> unkillable(ConfigFile file) throws BadConfigException {
    Optional<Path> program = file.value("unkillable_program", Kind.path());
    Duration after =
        file.value(
            "unkillable_seconds", Kind.seconds(1, LONGEST_END_GRACE_SECONDS), UNKILLABLE_AFTER);
    return program.map(path -> new UnkillableProgram(path, after));
  }

  private static ScopeSettings scope(ConfigFile file, LimitsConfig limits, ScopeSettings ours)
      throws BadConfigException {
    ScopeSettings defaults = limits.scope().orElse(ours);
    file.defaultsFrom(limits.file());
    var scope =
        new ScopeSettings(
            file.value("systemd", Kind.oneOf(ScopeSettings.Use.class), defaults.use()),
            file.value(
                "systemd_on_failure",
                Kind.oneOf(ScopeSettings.OnFailure.class),
                defaults.onFailure()),
            defaults.slice().isPresent()
                ? Optional.of(file.value("slice", SLICE, defaults.slice().get()))
                : file.value("slice", SLICE),
            file.value(
                "systemd_timeout_ms",
                Kind.milliseconds(1, LONGEST_SYSTEMD_MS),
                defaults.timeout()));
    file.defaultsFrom(Optional.empty());
    return scope;
  }

  private static SessionRules sessions(ConfigFile file) throws BadConfigException {
    SessionRules defaults = SessionRules.DEFAULTS;
    return new SessionRules(
        new EnvironmentAllowList(
            file.values("session_environment", VARIABLE, defaults.environment().patterns())),
        file.value("session_limits", Kind.yesOrNo(), defaults.limits()));
  }

  private static String variable(String text) {
    return new EnvironmentAllowList(List.of(text)).patterns().getFirst();
  }

  private static Optional<TlsFiles> tls(Optional<ConfigFile> section) throws BadConfigException {
    if (section.isEmpty()) {
      return Optional.empty();
    }
    ConfigFile file = section.get();
    var files =
        new TlsFiles(
            file.required("ca", Kind.path()),
            file.required("certificate", Kind.path()),
            file.required("key", Kind.path()),
            file.value("crl", Kind.path()));
    file.end();
    return Optional.of(files);
  }

  private static AgentConfig.Slurm slurm(ConfigFile file) throws BadConfigException {
    return new AgentConfig.Slurm(
        file.value("slurm_conf", Kind.path()),
        file.value("slurm_spool_directory", Kind.path()),
        file.value("slurm_node_name", Kind.word()),
        file.value(
            "slurm_fallback", Kind.oneOf(Fallback.class), AgentConfig.Slurm.DEFAULTS.fallback()),
        file.value(
            "slurm_runtime_directory",
            Kind.yesOrNo(),
            AgentConfig.Slurm.DEFAULTS.runtimeDirectory()));
  }

  private static void check(AgentConfig config) throws BadConfigException {
    if (config.gateways().isEmpty()) {
      throw new BadConfigException("gateways: expected at least one");
    }
    Optional<HostPort> remote =
        config.gateways().stream().filter(gateway -> !gateway.loopback()).findFirst();
    if (remote.isPresent() && config.tls().isEmpty()) {
      throw new BadConfigException(
          "gateways: " + remote.get() + " is not on loopback, so tls is required");
    }
    Optional<HostPort> scraped = config.metrics().remote();
    if (scraped.isPresent() && config.tls().isEmpty()) {
      throw new BadConfigException(
          "metrics: " + scraped.get() + " is not on loopback, so tls is required");
    }
    Optional<TracesPlace> collector = config.traces().to().filter(TracesPlace::tls);
    if (collector.isPresent() && config.tls().isEmpty()) {
      throw new BadConfigException(
          "traces: " + collector.get() + " is reached by TLS, so tls is required");
    }
    checkScope(config);
    checkPorts(config.announcedPorts());
  }

  private static void checkPorts(List<TrackedPorts> ports) throws BadConfigException {
    try {
      TrackedPorts.check(ports);
    } catch (IllegalArgumentException e) {
      throw new BadConfigException("announced_ports: " + e.getMessage());
    }
  }

  private static void checkScope(AgentConfig config) throws BadConfigException {
    if (config.scope().use() != ScopeSettings.Use.ON) {
      return;
    }
    if (config.cgroupRoot().isPresent()) {
      throw new BadConfigException(
          "systemd: on excludes cgroup_root, here " + config.cgroupRoot().get());
    }
    if (config.hierarchy() == Hierarchy.V1) {
      throw new BadConfigException("systemd: on needs hierarchy v2, because v1 has no delegation");
    }
  }
}
