package dev.rollcall.agent;

import dev.rollcall.settings.Asked;
import dev.rollcall.settings.BadConfigException;
import dev.rollcall.settings.ConfigFile;
import java.util.List;

/** What a site's files may say to an agent; the words are in {@code keys.properties}. */
public final class AgentKeys {
  private AgentKeys() {}

  /** The keys of {@code agent.yaml}. */
  public static List<Asked> configuration() throws BadConfigException {
    ConfigFile file =
        ConfigFile.of("agent.yaml", "tls: {ca: /ca.pem, certificate: /c.pem, key: /k.pem}");
    AgentConfigReader.read(file);
    return file.asked();
  }

  /** The keys of {@code audit_only.yaml}. */
  public static List<Asked> auditOnly() throws BadConfigException {
    return AuditOnlyFile.keys();
  }
}
