package dev.rollcall.wire.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.authority.WholeFile;
import dev.rollcall.model.RoleUri.Role;
import dev.rollcall.wire.tls.TlsIdentity.Side;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsIdentityTest {
  @TempDir Path folder = Path.of("unset");
  private Instant now = Instant.now();
  private Issuing issuing;

  @BeforeEach
  void begin() throws Exception {
    issuing = new Issuing(folder, "alps");
  }

  @AfterEach
  void end() throws Exception {
    issuing.close();
  }

  private TlsIdentity identity(TlsFiles files) {
    return TlsIdentity.of(files, Optional.of("alps"), () -> now);
  }

  private static List<X509Certificate> chain(TlsFiles files) throws Exception {
    try (InputStream in = Files.newInputStream(files.certificate())) {
      return List.of(
          (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
  }

  private static String kept(TlsIdentity identity) {
    return assertInstanceOf(ReloadResult.Kept.class, identity.renew()).problem();
  }

  @Test
  void whatHasNotChangedIsLeft() throws Exception {
    TlsIdentity identity = identity(issuing.issue(Role.NODE, "n1"));
    assertEquals(new ReloadResult.Unchanged(), identity.renew());
    assertEquals(
        86_400.0, Duration.between(Instant.now(), identity.expires()).toSeconds(), 3_600.0);
    assertTrue(identity.begins().isBefore(Instant.now()));
  }

  @Test
  void aNewSetIsTakenWhole() throws Exception {
    TlsFiles files = issuing.issue(Role.NODE, "n1");
    TlsIdentity identity = identity(files);
    TlsSet before = identity.current();
    issuing.renew("n1");
    assertEquals(
        new ReloadResult.Taken(chain(files).getFirst().getNotAfter().toInstant()),
        identity.renew());
    assertEquals(chain(files).getFirst(), identity.current().certificate());
    // A handshake that has chosen the old key finds it still.
    assertEquals(Optional.of(before), identity.named(before.alias()));
    assertEquals(new ReloadResult.Unchanged(), identity.renew());
  }

  @Test
  void aSetThatIsHalfWrittenIsKeptOutUntilItIsWhole() throws Exception {
    TlsFiles files = issuing.issue(Role.NODE, "n1");
    TlsIdentity identity = identity(files);
    TlsSet before = identity.current();
    byte[] oldKey = Files.readAllBytes(files.key());
    issuing.renew("n1");
    byte[] newKey = Files.readAllBytes(files.key());
    byte[] certificate = Files.readAllBytes(files.certificate());
    Files.write(files.key(), oldKey);
    String said = kept(identity);
    assertTrue(said.startsWith("TLS file " + files.key() + " does not match"), said);
    assertEquals(new ReloadResult.Kept(said, true), identity.renew());
    for (int length : List.of(0, 20, newKey.length / 2, newKey.length - 30)) {
      Files.write(files.key(), java.util.Arrays.copyOf(newKey, length));
      assertTrue(kept(identity).contains(files.key().toString()));
    }
    Files.write(files.key(), newKey);
    for (int length : List.of(0, 20, certificate.length / 2, certificate.length - 30)) {
      Files.write(files.certificate(), java.util.Arrays.copyOf(certificate, length));
      assertTrue(kept(identity).contains(files.certificate().toString()));
    }
    Files.delete(files.certificate());
    assertTrue(kept(identity).startsWith("cannot read TLS file " + files.certificate()));
    assertEquals(before, identity.current());
    Files.write(files.certificate(), certificate);
    assertInstanceOf(ReloadResult.Taken.class, identity.renew());
  }

  @Test
  void aCertificateThatDoesNotHoldNowOrIsOfAnotherAuthorityIsKeptOut() throws Exception {
    TlsFiles files = issuing.issue(Role.NODE, "n1");
    TlsIdentity identity = identity(files);
    issuing.renew("n1");
    now = Instant.now().plus(Duration.ofDays(3));
    assertTrue(kept(identity).contains(files.certificate() + " ended at"));
    now = Instant.now().minus(Duration.ofDays(3));
    assertTrue(kept(identity).contains(files.certificate() + " begins at"));
    now = Instant.now();
    try (var other = new Issuing(folder.resolve("other"), "alps")) {
      Files.write(files.ca(), Files.readAllBytes(other.authority().root()));
      Files.delete(files.crl().orElseThrow());
      Files.write(files.crl().orElseThrow(), Files.readAllBytes(other.authority().list()));
      String said = kept(identity);
      assertTrue(said.contains("is not signed by an authority in " + files.ca()), said);
    }
  }

  @Test
  void aNewListIsTakenAlsoWhenTheOwnCertificateHasEnded() throws Exception {
    TlsIdentity identity = identity(issuing.issue(Role.GATEWAY, "g1"));
    List<X509Certificate> node = chain(issuing.issue(Role.NODE, "n1", Duration.ofDays(5)));
    now = Instant.now().plus(Duration.ofDays(3));
    issuing.revoke("n1");
    issuing.bringList("g1");
    assertEquals(new ReloadResult.Taken(identity.expires()), identity.renew());
    String said = identity.objection(Side.CLIENT, node).orElse("");
    assertTrue(said.matches("certificate [0-9a-f]+ of 'CN=n1' was revoked at .*"), said);
  }

  @Test
  void severalAuthoritiesAreTrustedAtOnce() throws Exception {
    TlsFiles files = issuing.issue(Role.GATEWAY, "g1");
    TlsIdentity identity = identity(files);
    try (var other = new Issuing(folder.resolve("other"), "alps")) {
      List<X509Certificate> theirs = chain(other.issue(Role.NODE, "n1"));
      Files.write(
          files.ca(), Files.readAllBytes(other.authority().root()), StandardOpenOption.APPEND);
      assertInstanceOf(ReloadResult.Taken.class, identity.renew());
      assertEquals(Optional.empty(), identity.objection(Side.CLIENT, theirs));
      Files.write(files.ca(), Files.readAllBytes(issuing.authority().root()));
      assertInstanceOf(ReloadResult.Taken.class, identity.renew());
      String said = identity.objection(Side.CLIENT, theirs).orElse("");
      assertTrue(said.startsWith("its certificate is not trusted any more"), said);
    }
  }

  @Test
  void aStandingClientIsOverWhenItsCertificateIsAndAServerWhenItIsRevoked() throws Exception {
    TlsIdentity identity = identity(issuing.issue(Role.GATEWAY, "g1"));
    List<X509Certificate> node = chain(issuing.issue(Role.NODE, "n1"));
    assertEquals(Optional.empty(), identity.objection(Side.CLIENT, node));
    assertEquals(Optional.empty(), identity.objection(Side.CLIENT, List.of()));
    now = Instant.now().plus(Duration.ofDays(2));
    assertTrue(
        identity.objection(Side.CLIENT, node).orElse("").startsWith("its certificate ended"));
    assertEquals(Optional.empty(), identity.objection(Side.SERVER, node));
    now = Instant.now();
    issuing.revoke("n1");
    issuing.bringList("g1");
    assertInstanceOf(ReloadResult.Taken.class, identity.renew());
    for (Side side : Side.values()) {
      String said = identity.objection(side, node).orElse("");
      assertTrue(said.matches("certificate [0-9a-f]+ of 'CN=n1' was revoked at .*"), said);
    }
  }

  @Test
  void aListThatNoneOfTheAuthoritiesSignedIsKeptOut() throws Exception {
    TlsFiles files = issuing.issue(Role.GATEWAY, "g1");
    TlsIdentity identity = identity(files);
    try (var other = new Issuing(folder.resolve("other"), "alps")) {
      Files.write(files.crl().orElseThrow(), Files.readAllBytes(other.authority().list()));
    }
    assertTrue(kept(identity).contains("is not signed by an authority in " + files.ca()));
    Files.writeString(files.crl().orElseThrow(), "nothing");
    assertTrue(kept(identity).contains(files.crl().orElseThrow() + " holds no revocation list"));
  }

  @Test
  void eachLookIsHeardUntilItIsNoLongerWanted() throws Exception {
    TlsIdentity identity = identity(issuing.issue(Role.NODE, "n1"));
    var looks = new AtomicInteger();
    Runnable stop = identity.onLook(looks::incrementAndGet);
    var _ = identity.renew();
    stop.run();
    var _ = identity.renew();
    assertEquals(1, looks.get());
  }

  @Test
  void filesThatCannotBeUsedAtTheStartAreNamed() throws Exception {
    TlsFiles files = issuing.issue(Role.NODE, "n1");
    WholeFile.replace(
        files.key(),
        "-----BEGIN EC PRIVATE KEY-----\n-----END EC PRIVATE KEY-----\n"
            .getBytes(java.nio.charset.StandardCharsets.US_ASCII),
        WholeFile.SECRET);
    var refused = assertThrows(IllegalArgumentException.class, files::identity);
    assertTrue(
        String.valueOf(refused.getMessage()).contains(files.key() + " does not match"),
        refused.getMessage());
    assertTrue(String.valueOf(refused.getMessage()).contains("no PKCS#8 key in PEM"));
    Files.delete(files.ca());
    assertTrue(
        String.valueOf(assertThrows(IllegalArgumentException.class, files::identity).getMessage())
            .startsWith("cannot read TLS file " + files.ca()));
  }
}
