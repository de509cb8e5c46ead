package dev.rollcall.authority;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.KeyPair;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestTest {
  private static final String NODE = "rollcall://alps/node/n1";

  @TempDir Path folder = Path.of("unset");

  private Path ours(KeyPair keys) throws Exception {
    return Files.write(
        folder.resolve("n1.csr"), Request.pem(keys, AuthorityTest.names(NODE, "10.0.0.1")));
  }

  @Test
  void opensslTakesOursAndItsNamesComeBack() throws Exception {
    KeyPair keys = KeyFile.generate();
    Path file = ours(keys);
    OpenSsl seen = OpenSsl.run("req", "-in", file, "-verify", "-noout", "-text");
    assertTrue(seen.said().contains("verify OK"), seen.said());
    assertTrue(seen.said().contains("URI:" + NODE), seen.said());
    Request read = Request.read(file);
    assertEquals(AuthorityTest.names(NODE, "10.0.0.1"), read.names());
    assertEquals(keys.getPublic(), read.key());
    assertTrue(read.fingerprint().matches("[0-9a-f]{64}"));
  }

  @Test
  void oneThatOpensslMadeIsTaken() throws Exception {
    Path file = openssl("/CN=n1", "URI:" + NODE + ",IP:10.0.0.1,DNS:h.example");
    assertEquals(AuthorityTest.names(NODE, "10.0.0.1"), Request.read(file).names());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "/CN=n1 | IP:10.0.0.1 | no URI rollcall://CLUSTER/ROLE/NAME",
        "/CN=n2 | URI:rollcall://alps/node/n1 | the subject 'CN=n2' is not CN=n1",
        "/CN=n1/O=x | URI:rollcall://alps/node/n1 | is not CN=n1",
        "/CN=n1 | URI:rollcall://alps/node/n1,URI:rollcall://alps/administrator/n1 | two roles",
        "/CN=n1 | URI:rollcall://alps/root/n1 | 'root' is not a role",
        "/CN=n1 | URI:https://alps/n1 | 'https://alps/n1' is not allowed here",
        "/CN=n1 | URI:rollcall://alps/node/n1,email:a@b | 'a@b', is not allowed here",
        "/CN=n1 | URI:rollcall://alps/node/n1,IP:127.0.0.1 | '127.0.0.1' is not the address of a"
            + " single",
        "/CN=n1 | URI:rollcall://alps/node/n1,IP:fe80::1 | is not the address of a single machine",
        "/CN=g | URI:rollcall://alps/gateway/g | has neither an address nor a DNS name",
        "/CN=s | URI:rollcall://alps/service/s?port=1 | service s has no address"
      })
  void whatMakesNoSenseIsRefusedByFileAndValue(String subject, String names, String why)
      throws Exception {
    Path file = openssl(subject, names);
    String said =
        String.valueOf(
            assertThrows(AuthorityException.class, () -> Request.read(file)).getMessage());
    assertTrue(said.startsWith(file + ": "), said);
    assertTrue(said.contains(why), said);
  }

  @Test
  void oneWhoseNamesWereChangedOnTheWayIsRefused() throws Exception {
    Path file = ours(KeyFile.generate());
    byte[] der = Base64.getMimeDecoder().decode(Files.readString(file).replaceAll("-----.*", ""));
    String latin = new String(der, java.nio.charset.StandardCharsets.ISO_8859_1);
    byte[] changed =
        latin
            .replace("/node/n1", "/node/n2")
            .replace("\u0002n1", "\u0002n2")
            .getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
    Files.write(file, Pem.text("CERTIFICATE REQUEST", changed));
    var refused = assertThrows(AuthorityException.class, () -> Request.read(file));
    assertTrue(
        String.valueOf(refused.getMessage()).endsWith("it is not signed by its own key"),
        refused.getMessage());
  }

  @Test
  void aFileThatIsNoneIsNamed() throws Exception {
    Path text = Files.writeString(folder.resolve("text"), "hello");
    var refused = assertThrows(AuthorityException.class, () -> Request.read(text));
    assertTrue(String.valueOf(refused.getMessage()).startsWith(text.toString()));
    assertThrows(NoSuchFileException.class, () -> Request.read(folder.resolve("absent")));
  }

  private Path openssl(String subject, String names) throws Exception {
    Path file = folder.resolve("made.csr");
    OpenSsl made =
        OpenSsl.run(
            "req",
            "-new",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-keyout",
            folder.resolve("made.key"),
            "-out",
            file,
            "-subj",
            subject,
            "-addext",
            "subjectAltName=" + names);
    assertEquals(0, made.status(), made.said());
    return file;
  }
}
