package dev.rollcall.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CaCommandsTest {
  private final Shell shell = new Shell();

  @TempDir Path folder = Path.of("unset");

  private Shell.Ran ran(int status, String words) {
    var argv = new ArrayList<>(List.of("ca"));
    for (String word : words.split(" ", -1)) {
      argv.add(word.startsWith("@") ? folder.resolve(word.substring(1)).toString() : word);
    }
    Shell.Ran ran = shell.run(argv.toArray(String[]::new));
    assertEquals(status, ran.status(), () -> words + ": " + ran.out() + ran.err());
    return ran;
  }

  private void init() {
    ran(0, "init --directory @ca --cluster alps");
  }

  @Test
  void whatIsIssuedHasItsFilesAndIsShown() throws Exception {
    init();
    String json = ran(0, "issue node n1 --address 10.0.0.1 --directory @ca --out @n1 --json").out();
    assertTrue(
        json.startsWith(
            "{\"cluster\":\"alps\",\"role\":\"node\",\"name\":\"n1\",\"ports\":[],"
                + "\"addresses\":[\"10.0.0.1\"],\"hosts\":[],\"serial\":\""),
        json);
    assertTrue(json.contains("\"state\":\"valid\",\"revoked\":null"), json);
    assertEquals(
        "rw-------",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("n1/key.pem"))));
    assertArrayEquals(
        Files.readAllBytes(folder.resolve("ca/ca.pem")),
        Files.readAllBytes(folder.resolve("n1/ca.pem")));
    String all = ran(0, "show --directory @ca").out();
    assertTrue(
        all.lines().skip(1).findFirst().orElse("").matches("node  n1    .* valid  10.0.0.1"));
    assertTrue(
        ran(0, "show @n1/certificate.pem --directory @ca").out().startsWith("node n1 of alps"));
  }

  @Test
  void aCertificateIsShownWhereThereIsNoAuthority() {
    init();
    ran(0, "issue node n1 --address 10.0.0.1 --directory @ca --out @n1");

    String shown = ran(0, "show @n1/certificate.pem --directory @none").out();
    assertTrue(
        shown.matches(
            "node n1 of alps, at 10.0.0.1: certificate .*, valid, until .*,"
                + " by CN=Rollcall CA [0-9a-f]{8},O=alps\n"),
        shown);
    String json = ran(0, "show @n1/certificate.pem --directory @none --json").out();
    assertTrue(json.contains("\"issuer\":\"CN=Rollcall CA "), json);
    assertTrue(ran(1, "show --directory @none").err().contains("there is no authority in"));
  }

  @Test
  void aCertificateThatTheAuthorityHasLostIsStillShown() throws Exception {
    init();
    ran(0, "issue node n1 --address 10.0.0.1 --directory @ca --out @n1");
    String shown = ran(0, "show @n1/certificate.pem --directory @ca").out();
    ran(0, "revoke @n1/certificate.pem --directory @ca");
    try (var issued = Files.newDirectoryStream(folder.resolve("ca/issued"))) {
      Files.delete(issued.iterator().next());
    }
    assertEquals(
        shown.replace(", valid,", ", revoked,"),
        ran(0, "show @n1/certificate.pem --directory @ca").out());
    assertTrue(
        ran(1, "renew @n1/certificate.pem --directory @ca --out @out")
            .err()
            .contains("there is no certificate '"));
  }

  @Test
  void aCertificateInDerIsShownAndAnotherFileIsNamed() throws Exception {
    init();
    ran(0, "issue node n1 --address 10.0.0.1 --directory @ca --out @n1");
    String pem = Files.readString(folder.resolve("n1/certificate.pem"));
    byte[] der = Base64.getMimeDecoder().decode(pem.replaceAll("-----[^\n]*\n", ""));
    Files.write(folder.resolve("n1.der"), der);
    assertEquals(
        ran(0, "show @n1/certificate.pem --directory @ca"), ran(0, "show @n1.der --directory @ca"));
    Files.write(folder.resolve("junk"), new byte[] {(byte) 0xff, 0, 1});
    for (String directory : List.of("@ca", "@none")) {
      String err = ran(1, "show @junk --directory " + directory).err();
      assertTrue(
          err.startsWith("rollcall: " + folder.resolve("junk") + " holds no certificate in PEM"),
          err);
    }
  }

  @Test
  void aKeyThatIsMadeOnTheNodeStaysThere() throws Exception {
    init();
    ran(0, "request node n1 --cluster alps --address 10.0.0.1 --out @n1");
    assertTrue(
        ran(0, "show @n1/request.csr").out().startsWith("node n1 of alps, at 10.0.0.1: request "));
    ran(0, "issue node n1 --request @n1/request.csr --directory @ca --out @out");
    assertFalse(Files.exists(folder.resolve("out/key.pem")));
    assertTrue(Files.exists(folder.resolve("out/certificate.pem")));
  }

  @Test
  void aRequestDoesNotChooseItsRoleNameOrAddresses() {
    init();
    ran(0, "request administrator n1 --cluster alps --out @evil");
    assertTrue(
        ran(2, "issue node n1 --request @evil/request.csr --directory @ca --out @out")
            .err()
            .contains("the request is for administrator n1 of alps, and not for node n1"));
    ran(0, "request node n1 --cluster alps --address 10.0.0.1 --address 10.0.0.2 --out @n1");
    ran(2, "issue node n2 --request @n1/request.csr --directory @ca --out @out");
    ran(2, "issue node n1 --request @n1/request.csr --address 10.0.0.1 --directory @ca --out @out");
    assertTrue(ran(0, "show --directory @ca --json").out().contains("\"certificates\":[]"));
    ran(0, "request node n3 --cluster jura --address 10.0.0.3 --out @n3");
    assertTrue(
        ran(1, "issue node n3 --request @n3/request.csr --directory @ca --out @out")
            .err()
            .contains("cluster 'jura' of node n3 is not the cluster of this authority, 'alps'"));
  }

  @Test
  void filesAreWrittenOverOnlyWhenAsked() throws Exception {
    init();
    ran(0, "issue node n1 --address 10.0.0.1 --directory @ca --out @n1");
    byte[] key = Files.readAllBytes(folder.resolve("n1/key.pem"));
    String refused = ran(1, "renew @n1/certificate.pem --directory @ca --out @n1").err();
    assertTrue(refused.contains("n1/key.pem already"), refused);
    assertArrayEquals(key, Files.readAllBytes(folder.resolve("n1/key.pem")));
    byte[] old = Files.readAllBytes(folder.resolve("n1/certificate.pem"));
    ran(0, "renew @n1/certificate.pem --keep-key --directory @ca --out @n1 --overwrite");
    assertArrayEquals(key, Files.readAllBytes(folder.resolve("n1/key.pem")));
    assertFalse(
        java.util.Arrays.equals(old, Files.readAllBytes(folder.resolve("n1/certificate.pem"))));
    ran(0, "renew @n1/certificate.pem --directory @ca --out @n1 --overwrite");
    assertFalse(java.util.Arrays.equals(key, Files.readAllBytes(folder.resolve("n1/key.pem"))));
  }

  @Test
  void trustInAnotherAuthorityIsNotTakenAway() throws Exception {
    init();
    ran(0, "init --directory @other --cluster alps");
    Files.createDirectories(folder.resolve("n1"));
    Files.copy(folder.resolve("other/ca.pem"), folder.resolve("n1/ca.pem"));
    String refused = ran(1, "issue node n1 --address 10.0.0.1 --directory @ca --out @n1").err();
    assertTrue(refused.contains("n1/ca.pem does not contain this authority: add"), refused);
    assertTrue(ran(0, "show --directory @ca --json").out().contains("\"certificates\":[]"));
    Files.writeString(
        folder.resolve("n1/ca.pem"),
        Files.readString(folder.resolve("other/ca.pem"))
            + Files.readString(folder.resolve("ca/ca.pem")));
    ran(0, "issue node n1 --address 10.0.0.1 --directory @ca --out @n1");
  }

  @Test
  void renewalWithARequestTakesTheSameNamesOnly() {
    init();
    ran(0, "issue node n1 --address 10.0.0.1 --directory @ca --out @n1");
    ran(0, "request node n1 --cluster alps --address 10.0.0.1 --out @same");
    ran(0, "request node n1 --cluster alps --address 10.0.0.9 --out @more");
    assertTrue(
        ran(2, "renew @n1/certificate.pem --request @more/request.csr --directory @ca --out @out")
            .err()
            .contains("asks for node n1 of alps, at 10.0.0.9, but the certificate is for"));
    ran(0, "renew @n1/certificate.pem --request @same/request.csr --directory @ca --out @out");
  }

  @Test
  void whatIsRevokedIsShownAndNotRenewed() {
    init();
    ran(0, "issue node n1 --address 10.0.0.1 --directory @ca --out @n1");
    assertTrue(
        ran(0, "revoke @n1/certificate.pem --directory @ca")
            .out()
            .contains("copy " + folder.resolve("ca/crl.pem")));
    assertTrue(
        ran(1, "renew @n1/certificate.pem --directory @ca --out @out")
            .err()
            .contains("was revoked at"));
    assertTrue(ran(0, "show --directory @ca").out().contains(" revoked "));
  }

  @Test
  void whatIsMissingOrMakesNoSenseIsNamed() {
    assertTrue(
        ran(1, "issue node n1 --directory @none").err().contains("'rollcall ca init' makes one"));
    init();
    assertTrue(ran(1, "init --directory @ca --cluster alps").err().contains("ca.key already"));
    assertTrue(ran(2, "issue root n1 --directory @ca").err().contains("'root' is not a role"));
    assertTrue(
        ran(2, "issue node n1 --address x --directory @ca").err().contains("'x' is not an IP"));
    assertTrue(
        ran(2, "issue node n1 --days 0 --directory @ca --out @out").err().contains("--days 0"));
    assertTrue(ran(2, "issue gateway g1 --directory @ca").err().contains("gateway g1 has neither"));
    assertTrue(
        ran(2, "issue service s --address 10.0.0.1 --directory @ca")
            .err()
            .contains("service s needs at least one --port"));
    assertTrue(
        ran(2, "init --directory @no --cluster a/b").err().contains("'a/b' is not a cluster"));
    assertTrue(
        ran(4, "issue node n1 --request @absent --directory @ca")
            .err()
            .contains("there is no file"));
    assertTrue(ran(1, "revoke 12ab --directory @ca").err().contains("no certificate '12ab'"));
    assertTrue(ran(2, "").err().contains("ca"));
  }
}
