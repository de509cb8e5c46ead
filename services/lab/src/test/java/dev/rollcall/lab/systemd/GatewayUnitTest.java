package dev.rollcall.lab.systemd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GatewayUnitTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Service.User                  | rollcall
          Service.CapabilityBoundingSet | ''
          Service.NoNewPrivileges       | yes
          Service.ProtectSystem         | strict
          Service.ProtectHome           | yes
          Service.PrivateDevices        | yes
          Service.RestrictNamespaces    | yes
          Service.LogsDirectory         | rollcall-gateway
          """)
  void hasNothingButTheNetwork(String setting, String value) throws IOException {
    assertEquals(value, UnitFile.read("rollcall-gateway.service").of(setting));
  }

  @Test
  void runsAsAUserThatIsMadeForIt() throws IOException {
    String user = UnitFile.read("rollcall-gateway.service").of("Service.User");
    String users = Files.readString(UnitFile.FOLDER.resolve("rollcall.sysusers"));

    assertTrue(users.lines().anyMatch(line -> line.startsWith("u " + user + " ")), users);
  }
}
