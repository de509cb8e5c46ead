package dev.rollcall.cli.doctor;

import dev.rollcall.settings.BadConfigException;
import dev.rollcall.settings.ConfigFile;
import dev.rollcall.settings.Kind;
import dev.rollcall.settings.MetricsPlace;
import dev.rollcall.wire.tls.TlsFiles;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The settings of agent.yaml that name paths and addresses to check.
 *
 * @param node absent: its short host name
 * @param byForceCommand sessions enter user namespaces by sshd's ForceCommand
 */
public record AgentSettings(
    Optional<String> node,
    Path runDirectory,
    MetricsPlace metrics,
    String userManager,
    boolean byForceCommand,
    int loginGraceSeconds,
    Optional<TlsFiles> tls) {
  /** The agent itself refuses what cannot be: only these values matter here. */
  private static final Kind<String> WORD = Kind.of("a word", text -> text);

  private static final Kind<Path> PATH = Kind.of("a path", Path::of);
  private static final String FORCED = "force_command";
  private static final AgentSettings DEFAULTS =
      new AgentSettings(
          Optional.empty(),
          Path.of("/run/rollcall"),
          MetricsPlace.parse("/run/rollcall/metrics.sock"),
          "report",
          false,
          120,
          Optional.empty());

  /** Reads the agent's file. A key that it does not set has the agent's default. */
  public static AgentSettings read(Path file) throws BadConfigException {
    ConfigFile config = ConfigFile.read(file);
    Optional<ConfigFile> tls = config.section("tls");
    return new AgentSettings(
        config.value("node", WORD),
        config.value("run_directory", PATH, DEFAULTS.runDirectory()),
        config.value("metrics", Kind.metricsPlace(), DEFAULTS.metrics()),
        config.value("user_manager", WORD, DEFAULTS.userManager()),
        config.value("user_namespace_sessions", WORD).filter(FORCED::equalsIgnoreCase).isPresent(),
        config.value("login_grace_seconds", Kind.number(1, 86_400), DEFAULTS.loginGraceSeconds()),
        tls.isPresent() ? Optional.of(files(tls.get())) : Optional.empty());
  }

  private static TlsFiles files(ConfigFile tls) throws BadConfigException {
    return new TlsFiles(
        tls.required("ca", PATH), tls.required("certificate", PATH), tls.required("key", PATH));
  }
}
