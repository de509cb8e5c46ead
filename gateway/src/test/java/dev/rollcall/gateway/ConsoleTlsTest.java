package dev.rollcall.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.gateway.Roles.Who;
import dev.rollcall.gateway.browser.BrowserPage;
import dev.rollcall.gateway.browser.Chromium;
import dev.rollcall.gateway.browser.ClientCertificate;
import dev.rollcall.gateway.browser.SharedChromium;
import dev.rollcall.gateway.identity.NamedCertificates;
import dev.rollcall.gateway.identity.TokenKeys;
import dev.rollcall.gateway.limit.Rates;
import dev.rollcall.proto.v1.IssueTokenRequest;
import dev.rollcall.proto.v1.TokenServiceGrpc;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.wire.tls.TlsFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The console by TLS, and so by HTTP/2. */
@Tag("browser")
@ExtendWith(SharedChromium.class)
class ConsoleTlsTest {
  @TempDir Path directory = Path.of("unset");

  @Test
  @Tag("root")
  void anAdministratorsCertificateShowsEverything() throws Exception {
    try (var roles = new Roles(directory)) {
      FakeAgent node1 = roles.agent(Who.NODE1, "node1", "10.0.0.1");
      node1.tell(FakeAgent.job(7, 1000), List.of());
      node1.complete();
      TlsFiles own = roles.files(Who.ADMINISTRATOR);
      var certificate =
          new ClientCertificate(
              directory, own.ca(), own.certificate(), own.key(), "https://127.0.0.1");
      try (var chromium = Chromium.with(certificate);
          BrowserPage page = chromium.page()) {
        String origin = "https://127.0.0.1:" + roles.gateways.gateway(0).port();
        page.open(origin + "/");
        page.shows(".figures", "1 connected, 0 lost");
        page.shows(".figures", "1 on nodes: 1 open");
        assertEquals("", page.text("#links"));
        String ends = "(?s).*\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC.*";
        String gateways = page.text("main section:nth-of-type(2)");
        assertTrue(gateways.matches(ends), gateways);
        page.open(origin + "/console/#/nodes/node1");
        page.shows(".facts", "Certificate until");
        assertTrue(page.text(".facts").matches(ends), page.text(".facts"));
        page.isInOrder(origin, "/v1/adoptions:watch");
      }
    }
  }

  @Test
  void aTokenOpensThePageToItsHolder(Chromium chromium) throws Exception {
    Path key = directory.resolve("token.key");
    Files.writeString(key, "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=\n");
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    var trust =
        new TrustConfig(
            NamedCertificates.NONE,
            Set.of(),
            Optional.empty(),
            List.of(),
            Optional.empty(),
            Duration.ofHours(1),
            Optional.of(TokenKeys.read(key)),
            Rates.DEFAULTS);
    try (var roles = new Roles(directory, trust);
        BrowserPage page = chromium.page()) {
      FakeAgent node1 = roles.agent(Who.NODE1, "node1", "10.0.0.1");
      node1.tell(FakeAgent.job(7, 1000), List.of());
      node1.complete();
      String token =
          TokenServiceGrpc.newBlockingStub(roles.channel(Who.ADMINISTRATOR))
              .issueToken(IssueTokenRequest.getDefaultInstance())
              .getToken();
      page.trustAnyCertificate();
      String origin = "https://127.0.0.1:" + roles.gateways.gateway(0).port();
      page.open(origin + "/");
      page.shows("#links", "you can use one (rollcall token)");
      page.shows("#token", "Token");
      for (String text : List.of("rollcall1.AAAA.AAAA", token)) {
        var _ = page.evaluate("(document.getElementById('bearer').focus(), 1)");
        page.write(text);
        page.press("Enter");
        if (!text.equals(token)) {
          page.shows("#links", "is not signed with a key of this gateway");
        }
      }
      page.shows(".figures", "1 connected, 0 lost");
      page.shows(".figures", "1 on nodes: 1 open");
      Await.until(
          "the field is hidden",
          () -> page.evaluate("document.getElementById('token').hidden").getAsBoolean());
      page.isInOrder(origin, "401", "/v1/adoptions:watch");
    }
  }

  @Test
  void whoHasNoCertificateWhereMungeIsTakenIsToldWhatToDo(Chromium chromium) throws Exception {
    // Nobody shows a credential, so no munged is asked.
    var trust =
        new TrustConfig(
            NamedCertificates.NONE,
            Set.of(),
            Optional.empty(),
            List.of(),
            Optional.of(directory.resolve("munge.socket")),
            Duration.ofHours(12),
            Optional.empty(),
            Rates.DEFAULTS);
    try (var roles = new Roles(directory, trust);
        BrowserPage page = chromium.page()) {
      page.trustAnyCertificate();
      String origin = "https://127.0.0.1:" + roles.gateways.gateway(0).port();
      page.open(origin + "/");
      page.shows("#links", "Nodes: not live since ");
      page.shows("#links", "The gateway did not authenticate you. Import an administrator’s");
      page.shows("#links", "It says: ");
      page.shows("main", "Not known yet.");
      assertEquals(
          "h2",
          page.evaluate("performance.getEntriesByType('navigation')[0].nextHopProtocol")
              .getAsString());
      page.isInOrder(origin, "401", "/v1/adoptions:watch");
    }
  }
}
