package dev.rollcall.agent;

import dev.rollcall.agent.AgentConfig.Bpf;
import dev.rollcall.agent.AgentConfig.Fallback;
import dev.rollcall.agent.AgentConfig.Hierarchy;
import dev.rollcall.agent.AgentConfig.JobProvider;
import dev.rollcall.agent.adopt.SessionRules;
import dev.rollcall.agent.door.UserNamespaceSessions;
import dev.rollcall.agent.escape.UserServices;
import dev.rollcall.jobs.SessionEnd;
import dev.rollcall.linux.net.Prefix;
import dev.rollcall.linux.systemd.ScopeSettings;
import dev.rollcall.linux.systemd.SliceName;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.allocation.EnvironmentAllowList;
import dev.rollcall.settings.BadConfigException;
import dev.rollcall.settings.ConfigFile;
import dev.rollcall.settings.HostPort;
import dev.rollcall.settings.MetricsPlace;
import dev.rollcall.wire.tls.TlsFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** Reads {@code agent.yaml}. */
final class AgentConfigReader {
  private static final int LARGEST_PORT = 65_535;
  private static final int LONGEST_GRACE_SECONDS = 86_400;

  /** The agent's start is bounded by a minute. */
  static final int LONGEST_SYSTEMD_MS = 20_000;

  private static final int LONGEST_END_GRACE_SECONDS = 600;

  private AgentConfigReader() {}

  /**
   * @throws BadConfigException naming file, line, key and value
   */
  static AgentConfig read(ConfigFile file) throws BadConfigException {
    AgentConfig defaults = AgentConfig.DEFAULTS;
    LimitsConfig limits = LimitsConfig.read(file);
    var config =
        new AgentConfig(
            file.value("cluster", AgentConfigReader::word).orElse(defaults.cluster()),
            file.value("node", text -> new NodeName(text).text()),
            file.values("gateways", HostPort::parse).orElse(defaults.gateways()),
            tls(file.section("tls")),
            file.value("run_directory", AgentConfigReader::path).orElse(defaults.runDirectory()),
            file.value("state_directory", AgentConfigReader::path)
                .orElse(defaults.stateDirectory()),
            file.value("cgroup_root", AgentConfigReader::path),
            file.value("hierarchy", oneOf(Hierarchy.class)).orElse(defaults.hierarchy()),
            scope(file, limits.scope().orElse(defaults.scope())),
            limits,
            file.values("announced_ports", text -> number(text, 1, LARGEST_PORT))
                .orElse(defaults.announcedPorts()),
            file.values("cluster_prefixes", text -> Prefix.parse(text).toString())
                .orElse(defaults.clusterPrefixes()),
            file.value("metrics", MetricsPlace::parse).orElse(defaults.metrics()),
            file.value("bpf", oneOf(Bpf.class)).orElse(defaults.bpf()),
            file.value("bpf_directory", AgentConfigReader::path),
            Duration.ofSeconds(
                file.value("login_grace_seconds", text -> number(text, 1, LONGEST_GRACE_SECONDS))
                    .orElse((int) defaults.loginGrace().toSeconds())),
            file.values("trusted_namespaces", AgentConfigReader::path)
                .orElse(defaults.trustedNamespaces()),
            file.value("usage_file", AgentConfigReader::path).orElse(defaults.usageFile()),
            file.value("audit_file", AgentConfigReader::path).orElse(defaults.auditFile()),
            file.value("audit_only_file", AgentConfigReader::path).orElse(defaults.auditOnlyFile()),
            file.value("session_end", oneOf(SessionEnd.class)).orElse(defaults.sessionEnd()),
            Duration.ofSeconds(
                file.value("end_grace_seconds", text -> number(text, 0, LONGEST_END_GRACE_SECONDS))
                    .orElse((int) defaults.endGrace().toSeconds())),
            sessions(file),
            file.value("user_manager", oneOf(UserServices.class)).orElse(defaults.userManager()),
            SiteContainers.read(file.value("container_conf", AgentConfigReader::path)),
            file.value("user_namespace_sessions", oneOf(UserNamespaceSessions.class))
                .orElse(defaults.userNamespaceSessions()),
            file.value("provider", oneOf(JobProvider.class)).orElse(defaults.provider()),
            slurm(file));
    file.end();
    check(config);
    return config;
  }

  private static ScopeSettings scope(ConfigFile file, ScopeSettings defaults)
      throws BadConfigException {
    return new ScopeSettings(
        file.value("systemd", oneOf(ScopeSettings.Use.class)).orElse(defaults.use()),
        file.value("systemd_on_failure", oneOf(ScopeSettings.OnFailure.class))
            .orElse(defaults.onFailure()),
        file.value("slice", SliceName::new).or(defaults::slice),
        Duration.ofMillis(
            file.value("systemd_timeout_ms", text -> number(text, 1, LONGEST_SYSTEMD_MS))
                .orElse((int) defaults.timeout().toMillis())));
  }

  private static SessionRules sessions(ConfigFile file) throws BadConfigException {
    return new SessionRules(
        file.values("session_environment", AgentConfigReader::variable)
            .map(EnvironmentAllowList::new)
            .orElse(SessionRules.DEFAULTS.environment()),
        file.value("session_limits", AgentConfigReader::yesOrNo)
            .orElse(SessionRules.DEFAULTS.limits()));
  }

  static boolean yesOrNo(String text) {
    return switch (text) {
      case "yes", "true" -> true;
      case "no", "false" -> false;
      default -> throw new IllegalArgumentException("'" + text + "' is neither yes nor no");
    };
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
            file.required("ca", AgentConfigReader::path),
            file.required("certificate", AgentConfigReader::path),
            file.required("key", AgentConfigReader::path),
            file.value("crl", AgentConfigReader::path));
    file.end();
    return Optional.of(files);
  }

  private static AgentConfig.Slurm slurm(ConfigFile file) throws BadConfigException {
    return new AgentConfig.Slurm(
        file.value("slurm_conf", AgentConfigReader::path),
        file.value("slurm_spool_directory", AgentConfigReader::path),
        file.value("slurm_node_name", AgentConfigReader::word),
        file.value("slurm_fallback", oneOf(Fallback.class))
            .orElse(AgentConfig.Slurm.DEFAULTS.fallback()));
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
    checkScope(config);
  }

  private static void checkScope(AgentConfig config) throws BadConfigException {
    if (config.scope().use() != ScopeSettings.Use.ON) {
      return;
    }
    if (config.cgroupRoot().isPresent()) {
      throw new BadConfigException(
          "systemd: on is not for a cgroup_root, here " + config.cgroupRoot().get());
    }
    if (config.hierarchy() == Hierarchy.V1) {
      throw new BadConfigException("systemd: on is for hierarchy v2: v1 knows no delegation");
    }
  }

  private static String word(String text) {
    if (!text.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,62}")) {
      throw new IllegalArgumentException("'" + text + "' is not a name");
    }
    return text;
  }

  static Path path(String text) {
    Path path = Path.of(text);
    if (!path.isAbsolute()) {
      throw new IllegalArgumentException("'" + text + "' is not an absolute path");
    }
    return path;
  }

  private static int number(String text, int least, int most) {
    boolean fits = text.matches("[0-9]{1,9}");
    int number = fits ? Integer.parseInt(text) : -1;
    if (number < least || number > most) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a number from " + least + " to " + most);
    }
    return number;
  }

  private static <E extends Enum<E>> Function<String, E> oneOf(Class<E> values) {
    List<String> words =
        Arrays.stream(values.getEnumConstants())
            .map(value -> value.name().toLowerCase(Locale.ROOT))
            .toList();
    return text -> {
      int index = words.indexOf(text);
      if (index < 0) {
        throw new IllegalArgumentException("'" + text + "' is none of " + String.join(", ", words));
      }
      return values.getEnumConstants()[index];
    };
  }
}
