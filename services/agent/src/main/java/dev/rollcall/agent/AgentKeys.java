package dev.rollcall.agent;

import dev.rollcall.settings.BadConfigException;
import dev.rollcall.settings.ConfigFile;
import dev.rollcall.settings.EffectiveKey;
import dev.rollcall.settings.KnownKey;
import java.nio.file.Path;
import java.util.List;

/** Lists the keys of the agent's files; their descriptions are in {@code keys.properties}. */
public final class AgentKeys {
  private AgentKeys() {}

  /** The keys of {@code agent.yaml}. */
  public static List<KnownKey> configuration() throws BadConfigException {
    ConfigFile file =
        ConfigFile.of("agent.yaml", "tls: {ca: /ca.pem, certificate: /c.pem, key: /k.pem}");
    AgentConfigReader.read(file);
    return file.asked();
  }

  /**
   * The keys of an {@code agent.yaml} with the values that an agent would use.
   *
   * @throws BadConfigException naming file, line, key and value, if it would not start
   */
  public static List<EffectiveKey> effective(Path file) throws BadConfigException {
    ConfigFile read = ConfigFile.read(file);
    AgentConfigReader.read(read);
    return read.effective();
  }

  /** The keys of {@code audit_only.yaml}. */
  public static List<KnownKey> auditOnly() throws BadConfigException {
    return AuditOnlyFile.keys();
  }
}
