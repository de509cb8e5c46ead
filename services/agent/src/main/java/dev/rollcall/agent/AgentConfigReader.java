package dev.rollcall.agent;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.agent.AgentConfig.Bpf;
import dev.rollcall.agent.AgentConfig.Fallback;
import dev.rollcall.agent.AgentConfig.Hierarchy;
import dev.rollcall.agent.AgentConfig.JobProvider;
import dev.rollcall.agent.login.adopt.SessionRules;
import dev.rollcall.agent.login.adopt.UserNamespaceSessions;
import dev.rollcall.agent.outside.UserServices;
import dev.rollcall.agent.series.SeriesNames;
import dev.rollcall.agent.series.device.GpuFileForm;
import dev.rollcall.agent.serve.GrpcUsers;
import dev.rollcall.agent.serve.UserMoves;
import dev.rollcall.jobs.container.ContainersConfig;
import dev.rollcall.jobs.own.EndRules;
import dev.rollcall.jobs.own.EndSignal;
import dev.rollcall.jobs.own.OomKill;
import dev.rollcall.jobs.own.SessionEnd;
import dev.rollcall.jobs.own.UnkillableProgram;
import dev.rollcall.linux.calls.TrackedPorts;
import dev.rollcall.linux.systemd.ScopeName;
import dev.rollcall.linux.systemd.ScopeSettings;
import dev.rollcall.linux.systemd.SliceName;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.Prefix;
import dev.rollcall.model.allocation.EnvironmentAllowList;
import dev.rollcall.model.usage.MeasureDepth;
import dev.rollcall.settings.BadConfigException;
import dev.rollcall.settings.ConfigFile;
import dev.rollcall.settings.HostPort;
import dev.rollcall.settings.Kind;
import dev.rollcall.settings.MetricsPlace;
import dev.rollcall.settings.Problem;
import dev.rollcall.settings.container.ContainerConf;
import dev.rollcall.settings.container.ContainerReading;
import dev.rollcall.wire.tls.TlsFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads {@code agent.yaml}. */
final class AgentConfigReader {
  private static final System.Logger LOG = System.getLogger(AgentConfigReader.class.getName());

  private static final Pattern CONTAINER = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");
  private static final Pattern SERVICE = Pattern.compile("[A-Za-z0-9_-]{1,32}");
  private static final int LARGEST_PORT = 65_535;
  private static final int MOST_SERVICES = 32;
  private static final int LONGEST_GRACE_SECONDS = 86_400;

  private static final int LONGEST_END_GRACE_SECONDS = 600;
  private static final Duration UNKILLABLE_AFTER = Duration.ofSeconds(60);

  private static final Kind<NodeName> NODE = Kind.of("a node's name", NodeName::new);
  private static final Kind<TrackedPorts> PORTS =
      Kind.of("1 to 65535, or a range, with `N/s` or not", TrackedPorts::parse);
  private static final Kind<Prefix> PREFIX = Kind.of("address/bits", Prefix::parse);
  private static final Kind<DeniedHelp> DENIED_HELP = Kind.of("one line of text", DeniedHelp::new);
  private static final Kind<ScopeName> SCOPE =
      Kind.of("`rollcall.scope`, or `rollcall-NAME.scope`", ScopeName::new);
  private static final Kind<SliceName> SLICE = Kind.of("a slice's name", SliceName::new);
  private static final Kind<String> USER = Kind.of("a user's name or uid", GrpcUsers::checked);
  private static final Kind<String> VARIABLE =
      Kind.of("a name, or its beginning and `*`", AgentConfigReader::variable);

  private AgentConfigReader() {}

  /** Returns the settings of an agent without a file. */
  static AgentConfig defaults() throws BadConfigException {
    return read(ConfigFile.of("agent.yaml", ""));
  }

  /**
   * @throws BadConfigException naming file, line, key and value
   */
  static AgentConfig read(ConfigFile file) throws BadConfigException {
    LimitsConfig limits = LimitsConfig.read(file);
    var config =
        new AgentConfig(
            file.value("cluster", Kind.word(), "cluster"),
            file.value("node", NODE),
            file.values("gateways", Kind.hostPort(), List.of(new HostPort("127.0.0.1", 7450))),
            tls(file.section("tls")),
            file.value("run_directory", Kind.path(), Path.of("/run/rollcall")),
            file.value("state_directory", Kind.path(), Path.of("/var/lib/rollcall")),
            file.value("cgroup_root", Kind.path()),
            file.value("hierarchy", Kind.oneOf(Hierarchy.class), Hierarchy.AUTO),
            scope(file, limits),
            file.value("scope", SCOPE, ScopeName.ONLY),
            limits,
            file.values("announced_ports", PORTS, List.of(TrackedPorts.of(22))),
            file.values("cluster_prefixes", PREFIX, List.of()),
            file.value(
                "metrics",
                Kind.metricsPlace(),
                new MetricsPlace.Socket(Path.of("/run/rollcall/metrics.sock"))),
            file.value("job_metrics", Kind.oneOf(MeasureDepth.class), MeasureDepth.NO),
            file.value("job_metrics_names", Kind.oneOf(SeriesNames.class), SeriesNames.ROLLCALL),
            gpuJobFiles(file),
            watchedServices(file),
            file.value("bpf", Kind.oneOf(Bpf.class), Bpf.AUTO),
            file.value("bpf_directory", Kind.path()),
            file.value(
                "login_grace_seconds",
                Kind.seconds(1, LONGEST_GRACE_SECONDS),
                Duration.ofMinutes(2)),
            file.values("trusted_namespaces", Kind.path(), List.of()),
            file.value("usage_file", Kind.path(), Path.of("/var/log/rollcall/usage.jsonl")),
            file.value("audit_file", Kind.path(), Path.of("/var/log/rollcall/audit.jsonl")),
            file.value("audit_only_file", Kind.path(), Path.of("/etc/rollcall/audit_only.yaml")),
            file.value("denied_help", DENIED_HELP),
            ends(file),
            file.value(
                "end_grace_seconds",
                Kind.seconds(0, LONGEST_END_GRACE_SECONDS),
                Duration.ofSeconds(30)),
            sessions(file),
            file.value("user_manager", Kind.oneOf(UserServices.class), UserServices.REPORT),
            file.value("user_moves", Kind.oneOf(UserMoves.class), UserMoves.FROM_NO_JOB),
            file.values("grpc_users", USER, List.of()),
            container(file.value("container_conf", Kind.path())),
            containers(file.named("container_choices", Kind.path())),
            file.value(
                "user_namespace_sessions",
                Kind.oneOf(UserNamespaceSessions.class),
                UserNamespaceSessions.REFUSE),
            file.value("provider", Kind.oneOf(JobProvider.class), JobProvider.AUTO),
            slurm(file));
    file.end();
    check(file, config);
    return config;
  }

  private static Map<Path, GpuFileForm> gpuJobFiles(ConfigFile file) throws BadConfigException {
    Map<Path, GpuFileForm> directories = new LinkedHashMap<>();
    for (GpuFileForm form : GpuFileForm.values()) {
      String key = "gpu_job_files_" + form.name().toLowerCase(Locale.ROOT);
      Optional<Path> directory = file.value(key, Kind.path());
      if (directory.isPresent() && directories.put(directory.get(), form) != null) {
        throw file.bad(key, "another form of files is in " + directory.get());
      }
    }
    return directories;
  }

  private static Map<Integer, String> watchedServices(ConfigFile file) throws BadConfigException {
    String key = "watched_services";
    Map<Integer, String> services = new TreeMap<>();
    for (var each : file.named(key, Kind.number(1, LARGEST_PORT)).entrySet()) {
      if (!SERVICE.matcher(each.getKey()).matches()) {
        throw file.bad(key, "'" + each.getKey() + "' is not a name of letters, digits and dashes");
      }
      String other = services.put(each.getValue(), each.getKey());
      if (other != null) {
        throw file.bad(key, each.getKey() + " has the port of " + other);
      }
    }
    if (services.size() > MOST_SERVICES) {
      throw file.bad(key, services.size() + " services are over " + MOST_SERVICES);
    }
    return services;
  }

  private static EndRules ends(ConfigFile file) throws BadConfigException {
    EndRules defaults = EndRules.DEFAULTS;
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

  private static ScopeSettings scope(ConfigFile file, LimitsConfig limits)
      throws BadConfigException {
    ScopeSettings defaults = limits.scope().orElse(ScopeSettings.DEFAULTS);
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
                Kind.milliseconds(1, LimitsConfig.LONGEST_SYSTEMD_MS),
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

  /**
   * @throws BadConfigException with all that is wrong with the file
   */
  private static Optional<ContainerConf> container(Optional<Path> file) throws BadConfigException {
    if (file.isEmpty()) {
      return Optional.empty();
    }
    return switch (ContainerConf.read(file.get())) {
      case ContainerReading.Good(var conf, var notes) -> {
        notes.forEach(note -> LOG.log(WARNING, "{0}", note));
        yield Optional.of(conf);
      }
      case ContainerReading.Bad(var problems) ->
          throw new BadConfigException(
              problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
    };
  }

  /**
   * @param files by the names with which jobs choose them
   * @throws BadConfigException with a name that cannot be one, or all that is wrong with a file
   */
  private static Map<String, ContainerConf> containers(Map<String, Path> files)
      throws BadConfigException {
    Map<String, ContainerConf> choices = new LinkedHashMap<>();
    for (Map.Entry<String, Path> each : files.entrySet()) {
      String name = each.getKey();
      if (name.equals(ContainersConfig.NONE) || !CONTAINER.matcher(name).matches()) {
        throw new BadConfigException(
            "container_choices: '%s' cannot be a container's name".formatted(name));
      }
      choices.put(name, container(Optional.of(each.getValue())).orElseThrow());
    }
    return choices;
  }

  private static AgentConfig.Slurm slurm(ConfigFile file) throws BadConfigException {
    return new AgentConfig.Slurm(
        file.value("slurm_conf", Kind.path()),
        file.value("slurm_spool_directory", Kind.path()),
        file.value("slurm_node_name", Kind.word()),
        file.value("slurm_fallback", Kind.oneOf(Fallback.class), Fallback.OFF),
        file.value("slurm_runtime_directory", Kind.yesOrNo(), false));
  }

  private static void check(ConfigFile file, AgentConfig config) throws BadConfigException {
    if (config.gateways().isEmpty()) {
      throw file.bad("gateways", "expected at least one");
    }
    Optional<HostPort> remote =
        config.gateways().stream().filter(gateway -> !gateway.loopback()).findFirst();
    if (remote.isPresent() && config.tls().isEmpty()) {
      throw file.bad("gateways", remote.get() + " is not on loopback, so tls is required");
    }
    Optional<HostPort> scraped = config.metrics().remote();
    if (scraped.isPresent() && config.tls().isEmpty()) {
      throw file.bad("metrics", scraped.get() + " is not on loopback, so tls is required");
    }
    checkScope(file, config);
    checkPorts(file, config.announcedPorts());
    if (!config.watchedServices().isEmpty()
        && (config.jobMetrics() == MeasureDepth.NO
            || config.jobMetricsNames() != SeriesNames.ROLLCALL)) {
      throw file.bad("watched_services", "needs job_metrics, with Rollcall's names of metrics");
    }
  }

  private static void checkPorts(ConfigFile file, List<TrackedPorts> ports)
      throws BadConfigException {
    try {
      TrackedPorts.check(ports);
    } catch (IllegalArgumentException e) {
      throw file.bad("announced_ports", String.valueOf(e.getMessage()));
    }
  }

  private static void checkScope(ConfigFile file, AgentConfig config) throws BadConfigException {
    if (config.scope().use() != ScopeSettings.Use.ON) {
      return;
    }
    if (config.cgroupRoot().isPresent()) {
      throw file.bad("systemd", "on excludes cgroup_root, here " + config.cgroupRoot().get());
    }
    if (config.hierarchy() == Hierarchy.V1) {
      throw file.bad("systemd", "on needs hierarchy v2, because v1 has no delegation");
    }
  }
}
