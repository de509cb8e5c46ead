package dev.rollcall.gateway;

import dev.rollcall.settings.BadConfigException;
import dev.rollcall.settings.ConfigFile;
import dev.rollcall.settings.EffectiveKey;
import dev.rollcall.settings.KnownKey;
import java.nio.file.Path;
import java.util.List;

/** Lists the keys of {@code gateway.yaml}; their descriptions are in {@code keys.properties}. */
public final class GatewayKeys {
  private GatewayKeys() {}

  public static List<KnownKey> configuration() throws BadConfigException {
    ConfigFile file =
        ConfigFile.of("gateway.yaml", "tls: {ca: /ca.pem, certificate: /c.pem, key: /k.pem}");
    GatewayConfig.read(file);
    return file.asked();
  }

  /**
   * The keys of a {@code gateway.yaml} with the values that a gateway would use.
   *
   * @throws BadConfigException naming file, line, key and value, if it would not start
   */
  public static List<EffectiveKey> effective(Path file) throws BadConfigException {
    ConfigFile read = ConfigFile.read(file);
    GatewayConfig.read(read);
    return read.effective();
  }
}
