package dev.rollcall.agent;

import dev.rollcall.settings.BadConfigException;
import dev.rollcall.settings.ConfigFile;
import dev.rollcall.settings.KnownKey;
import java.util.List;

/** What a site's files may say to an agent; the words are in {@code keys.properties}. */
public final class AgentKeys {
  private AgentKeys() {}

  /** The keys of {@code agent.yaml}. */
  public static List<KnownKey> configuration() throws BadConfigException {
    ConfigFile file =
        ConfigFile.of("agent.yaml", "tls: {ca: /ca.pem, certificate: /c.pem, key: /k.pem}");
    AgentConfigReader.read(file);
    return file.asked();
  }

  /** The keys of {@code audit_only.yaml}. */
  public static List<KnownKey> auditOnly() throws BadConfigException {
    return AuditOnlyFile.keys();
  }
}
