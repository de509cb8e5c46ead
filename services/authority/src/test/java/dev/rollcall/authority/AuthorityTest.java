package dev.rollcall.authority;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.authority.Issued.State;
import dev.rollcall.model.RoleUri.Role;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuthorityTest {
  private static final Duration YEAR = Duration.ofDays(365);
  private static final Instant NOW = Instant.parse("2026-11-22T08:00:00Z");

  @TempDir Path folder = Path.of("unset");
  private Instant now = NOW;
  private final InstantSource clock = () -> now;

  private Authority fresh() throws Exception {
    return Authority.init(folder.resolve("ca"), "alps", YEAR.multipliedBy(10), clock);
  }

  /** With ports as a service has them: {@code ...?port=1&port=2}. */
  static Names names(String uri, String... addresses) {
    var ports = new TreeSet<Integer>();
    String[] words = uri.split("[?&]port=", -1);
    Arrays.stream(words).skip(1).map(Integer::valueOf).forEach(ports::add);
    String[] path = words[0].split("/", -1);
    return new Names(
        path[2],
        Role.valueOf(path[3].toUpperCase(Locale.ROOT)),
        path[4],
        ports,
        new TreeSet<>(List.of(addresses)),
        new TreeSet<>(List.of("h.example")));
  }

  private static Issued issue(Authority authority, String uri, String... addresses)
      throws Exception {
    return authority.issue(KeyFile.generate().getPublic(), names(uri, addresses), YEAR);
  }

  private Path file(Issued issued) throws Exception {
    return Files.write(folder.resolve(issued.serial() + ".pem"), issued.pem());
  }

  private static String refused(Executable what) {
    return String.valueOf(assertThrows(AuthorityException.class, what).getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    "rollcall://alps/node/n001, 'TLS Web Server Authentication, TLS Web Client Authentication',"
        + " sslclient, crlsign",
    "rollcall://alps/gateway/g1, 'TLS Web Server Authentication, TLS Web Client Authentication',"
        + " sslserver, crlsign",
    "rollcall://alps/service/licence?port=27000&port=27001, TLS Web Client Authentication,"
        + " sslclient, sslserver",
    "rollcall://alps/administrator/alice, TLS Web Client Authentication, sslclient, sslserver"
  })
  void opensslTakesWhatIsIssuedForTheUsesOfItsRoleAndNoOther(
      String uri, String usage, String purpose, String other) throws Exception {
    now = Instant.now();
    try (var authority = fresh()) {
      Issued issued = issue(authority, uri, "10.20.0.1", "fd20::1");
      Path file = file(issued);
      OpenSsl verified =
          OpenSsl.run(
              "verify",
              "-x509_strict",
              "-purpose",
              purpose,
              "-crl_check",
              "-CRLfile",
              authority.list(),
              "-CAfile",
              authority.root(),
              file);
      assertEquals(0, verified.status(), verified.said());
      assertNotEquals(
          0, OpenSsl.run("verify", "-purpose", other, "-CAfile", authority.root(), file).status());
      String text = OpenSsl.run("x509", "-in", file, "-noout", "-text").said();
      for (String part :
          List.of(
              usage,
              "CA:FALSE",
              "Digital Signature",
              "IP Address:10.20.0.1, IP Address:FD20:0:0:0:0:0:0:1",
              "DNS:h.example",
              "URI:" + uri.replaceAll("&.*", ""),
              "ecdsa-with-SHA256",
              "Authority Key Identifier")) {
        assertTrue(text.contains(part), () -> part + " is not in\n" + text);
      }
      assertEquals(names(uri, "10.20.0.1", "fd20::1"), authority.known(file).names());
    }
  }

  @Test
  void aServiceHasAUriForEachPort() throws Exception {
    try (var authority = fresh()) {
      Issued issued = issue(authority, "rollcall://alps/service/s?port=1&port=2", "10.0.0.1");
      String text = OpenSsl.run("x509", "-in", file(issued), "-noout", "-text").said();
      assertTrue(text.contains("URI:rollcall://alps/service/s?port=1, "), text);
      assertTrue(text.contains("URI:rollcall://alps/service/s?port=2, "), text);
    }
  }

  @Test
  void aCertificateHoldsAnHourBeforeAndNotBeyondItsAuthority() throws Exception {
    try (var authority = fresh()) {
      Issued issued = issue(authority, "rollcall://alps/node/n", "10.0.0.1");
      assertEquals(NOW.minus(Duration.ofHours(1)), issued.certificate().getNotBefore().toInstant());
      assertEquals(NOW.plus(YEAR), issued.expires());
      now = NOW.plus(YEAR.multipliedBy(10)).minusSeconds(60);
      assertEquals(
          NOW.plus(YEAR.multipliedBy(10)),
          issue(authority, "rollcall://alps/node/late", "10.0.0.2").expires());
      now = NOW.plus(YEAR.multipliedBy(10)).plusSeconds(60);
      assertTrue(
          refused(() -> issue(authority, "rollcall://alps/node/later", "10.0.0.3"))
              .contains("ca.pem expired at"));
    }
  }

  @Test
  void keysAreForTheirOwnerAloneAndNothingIsWrittenOver() throws Exception {
    Path ca = folder.resolve("ca");
    fresh().close();
    assertEquals(
        "rw-------",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(ca.resolve("ca.key"))));
    byte[] before = Files.readAllBytes(ca.resolve("ca.key"));
    assertTrue(refused(() -> fresh().close()).contains("ca.key already"));
    assertArrayEquals(before, Files.readAllBytes(ca.resolve("ca.key")));
    try (var files = Files.list(ca)) {
      assertEquals(
          List.of("ca.key", "ca.pem", "crl.pem", "issued", "lock"),
          files.map(file -> file.getFileName().toString()).sorted().toList());
    }
  }

  @Test
  void aNameOrAddressThatAnotherHasIsRefusedByIt() throws Exception {
    try (var authority = fresh()) {
      Issued first = issue(authority, "rollcall://alps/node/n1", "10.0.0.1", "fd::1");
      assertTrue(
          refused(() -> issue(authority, "rollcall://alps/node/n1", "10.0.0.9"))
              .contains("node n1 has certificate " + first.serial()));
      assertTrue(
          refused(() -> issue(authority, "rollcall://alps/node/n2", "10.0.0.2", "fd:0::1"))
              .startsWith("fd::1 is an address of node n1"));
      assertEquals(
          "node n1 has certificate %s until %s: renew it, or revoke it first"
              .formatted(first.serial(), first.expires()),
          refused(() -> issue(authority, "rollcall://alps/login/n1", "10.0.0.9")));
      assertEquals(
          "fd::1 is an address of node n1, by certificate %s: two nodes cannot have the same address"
              .formatted(first.serial()),
          refused(() -> issue(authority, "rollcall://alps/login/l1", "fd:0::1")));
      issue(authority, "rollcall://alps/service/s?port=1", "10.0.0.1");
      authority.revoke(file(first));
      issue(authority, "rollcall://alps/node/n1", "10.0.0.1");
      now = NOW.plus(YEAR).plusSeconds(1);
      issue(authority, "rollcall://alps/node/n1", "10.0.0.1");
    }
  }

  @Test
  void aRenewalIsRefusedIfAnotherNodeHasGotTheAddress() throws Exception {
    try (var authority = fresh()) {
      Path first = file(issue(authority, "rollcall://alps/node/n1", "10.0.0.1"));
      now = NOW.plus(YEAR).plusSeconds(1);
      Issued second = issue(authority, "rollcall://alps/node/n2", "10.0.0.1");
      assertTrue(
          refused(() -> authority.renew(first, Optional.empty(), YEAR))
              .startsWith("10.0.0.1 is an address of node n2"));
      authority.revoke(file(second));
      authority.renew(first, Optional.empty(), YEAR);
    }
  }

  @Test
  void aKeyThatOthersCanReadIsRefused() throws Exception {
    fresh().close();
    Path key = folder.resolve("ca/ca.key");
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
    assertEquals(
        key + " can be read by others, or written by its group: chmod 0600 or 0640",
        refused(() -> Authority.open(folder.resolve("ca"), clock).close()));
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r-----"));
    Authority.open(folder.resolve("ca"), clock).close();
  }

  /** A cluster of 10,000 nodes would else read 50 million certificates. */
  @Test
  void whatOthersHaveIsReadOnceWhileItIsOpen() throws Exception {
    try (var authority = fresh()) {
      Issued first = issue(authority, "rollcall://alps/node/n1", "10.0.0.1");
      Files.delete(file(first));
      Issued second = issue(authority, "rollcall://alps/node/n2", "10.0.0.2");
      for (Issued one : List.of(first, second)) {
        assertTrue(
            refused(() -> issue(authority, "rollcall://alps/node/" + one.names().name()))
                .contains("has certificate " + one.serial()));
      }
    }
  }

  @Test
  void anotherClustersRoleIsRefused() throws Exception {
    try (var authority = fresh()) {
      assertTrue(
          refused(() -> issue(authority, "rollcall://jura/node/n1", "10.0.0.1"))
              .startsWith("cluster 'jura' of node n1 is not the cluster of this authority"));
    }
  }

  @Test
  void renewedAreNamesAndRoleWithTheOldKeyOrANewOne() throws Exception {
    try (var authority = fresh()) {
      Issued old = issue(authority, "rollcall://alps/node/n1", "10.0.0.1");
      now = NOW.plus(Duration.ofDays(300));
      Issued same = authority.renew(file(old), Optional.empty(), YEAR);
      assertEquals(old.names(), same.names());
      assertEquals(old.certificate().getPublicKey(), same.certificate().getPublicKey());
      assertEquals(now.plus(YEAR), same.expires());
      KeyPair keys = KeyFile.generate();
      Issued other = authority.renew(file(old), Optional.of(keys.getPublic()), YEAR);
      assertEquals(keys.getPublic(), other.certificate().getPublicKey());
      assertEquals(3, authority.issued().size());
    }
  }

  @Test
  void whatIsRevokedIsNotRenewedAndOnTheListThatOpensslReads() throws Exception {
    now = Instant.now();
    try (var authority = fresh()) {
      Path first = file(issue(authority, "rollcall://alps/node/n1", "10.0.0.1"));
      Path second = file(issue(authority, "rollcall://alps/node/n2", "10.0.0.2"));
      authority.revoke(first);
      assertEquals(State.REVOKED, authority.revoke(first).state(now));
      assertTrue(
          refused(() -> authority.renew(first, Optional.empty(), YEAR)).contains("was revoked at"));
      OpenSsl revoked =
          OpenSsl.run(
              "verify",
              "-crl_check",
              "-CRLfile",
              authority.list(),
              "-CAfile",
              authority.root(),
              first);
      assertTrue(revoked.said().contains("certificate revoked"), revoked.said());
      assertEquals(
          0,
          OpenSsl.run(
                  "verify",
                  "-crl_check",
                  "-CRLfile",
                  authority.list(),
                  "-CAfile",
                  authority.root(),
                  second)
              .status());
      authority.revoke(second);
      String list = OpenSsl.run("crl", "-in", authority.list(), "-noout", "-text").said();
      assertEquals(2, list.split("Serial Number: ", -1).length - 1, list);
      assertTrue(list.replaceAll("\\s+", " ").contains("CRL Number: 3"), list);
    }
  }

  @Test
  void aCertificateOfAnotherAuthorityIsRefusedByItsFile() throws Exception {
    try (var authority = fresh();
        var other = Authority.init(folder.resolve("other"), "alps", YEAR, clock)) {
      Path foreign = file(issue(other, "rollcall://alps/node/n1", "10.0.0.1"));
      String said = refused(() -> authority.renew(foreign, Optional.empty(), YEAR));
      assertTrue(said.startsWith(foreign + " comes from another authority"), said);
      assertTrue(refused(() -> authority.numbered("12ab")).contains("'12ab'"));
      assertTrue(refused(() -> authority.numbered("../ca")).contains("'../ca'"));
    }
  }

  @Test
  void oneCommandAtATimeWorksInTheDirectory() throws Exception {
    try (var authority = fresh()) {
      assertTrue(
          refused(() -> Authority.open(folder.resolve("ca"), clock).close())
              .startsWith("another command is using"));
      assertEquals("alps", authority.cluster());
    }
    try (var again = Authority.open(folder.resolve("ca"), clock)) {
      assertEquals(List.of(), again.issued());
    }
  }

  @Test
  void aDirectoryWithoutOneSaysHowToMakeIt() {
    assertTrue(
        refused(() -> Authority.open(folder, clock).close())
            .contains("'rollcall ca init' makes one"));
  }
}
