package dev.rollcall.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.testkit.disk.SmallDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys and certificates on a disk that is full: all of them or none, and an error in words. */
@Tag("root")
class CaFullDiskTest {
  private final Shell shell = new Shell();

  @TempDir Path folder = Path.of("unset");

  private String said(int status, String words) {
    var argv = new ArrayList<>(List.of("ca"));
    for (String word : words.split(" ", -1)) {
      argv.add(word.startsWith("@") ? folder.resolve(word.substring(1)).toString() : word);
    }
    Shell.Ran ran = shell.run(argv.toArray(String[]::new));
    assertEquals(status, ran.status(), () -> words + ": " + ran.out() + ran.err());
    return ran.out() + ran.err();
  }

  /** Fails for want of space, and says where. */
  private String noSpace(String file, String words) {
    String said = said(ExitCode.FAILED.status(), words);
    assertTrue(said.contains(folder.resolve(file) + ": No space left on device"), said);
    return said;
  }

  private static List<String> in(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private SmallDisk disk() throws IOException {
    return SmallDisk.over(Files.createDirectory(folder.resolve("disk")));
  }

  @Test
  void anAuthorityIsMadeWholeOrNotAtAll() throws Exception {
    try (SmallDisk disk = disk()) {
      disk.fill();
      // Room for the key, and for no more.
      Files.write(disk.filler(), new byte[15 * 4_096]);
      noSpace("disk/ca/crl.pem", "init --directory @disk/ca --cluster alps");
      assertEquals(List.of("issued", "lock"), in(folder.resolve("disk/ca")));
      disk.empty();
      said(0, "init --directory @disk/ca --cluster alps");
    }
  }

  @Test
  void aCertificateIsGivenAndRevokedOrNot() throws Exception {
    try (SmallDisk disk = disk()) {
      said(0, "init --directory @disk/ca --cluster alps");
      said(0, "issue node n1 --address 10.0.0.1 --directory @disk/ca --out @n1");
      byte[] list = Files.readAllBytes(folder.resolve("disk/ca/crl.pem"));
      int given = in(folder.resolve("disk/ca/issued")).size();
      disk.fill();
      String said =
          said(
              ExitCode.FAILED.status(),
              "issue node n2 --address 10.0.0.2 --directory @disk/ca --out @n2");
      assertTrue(said.contains(folder.resolve("disk/ca/issued") + "/"), said);
      assertTrue(said.contains("No space left on device"), said);
      assertEquals(given, in(folder.resolve("disk/ca/issued")).size());
      assertEquals(List.of(), in(folder.resolve("n2")));
      noSpace("disk/ca/crl.pem", "revoke @n1/certificate.pem --directory @disk/ca");
      assertEquals(List.of("ca.key", "ca.pem", "crl.pem", "issued", "lock"), caFiles());
      assertEquals(
          new String(list, java.nio.charset.StandardCharsets.US_ASCII),
          Files.readString(folder.resolve("disk/ca/crl.pem")));
      disk.empty();
      said(0, "issue node n2 --address 10.0.0.2 --directory @disk/ca --out @n2");
      said(0, "revoke @n1/certificate.pem --directory @disk/ca");
    }
  }

  private List<String> caFiles() throws IOException {
    return in(folder.resolve("disk/ca"));
  }

  @Test
  void aKeyIsNotReplacedWithoutItsCertificate() throws Exception {
    said(0, "init --directory @ca --cluster alps");
    try (SmallDisk disk = disk()) {
      said(0, "issue node n1 --address 10.0.0.1 --directory @ca --out @disk/n1");
      String key = Files.readString(folder.resolve("disk/n1/key.pem"));
      String certificate = Files.readString(folder.resolve("disk/n1/certificate.pem"));
      disk.fill();
      // Room for the new key, and for no more.
      int pages = (int) (Files.size(disk.filler()) / 4_096);
      Files.write(disk.filler(), new byte[(pages - 1) * 4_096]);
      String renew = "renew @disk/n1/certificate.pem --directory @ca --out @disk/n1 --overwrite";
      String said = noSpace("disk/n1/certificate.pem", renew);
      assertTrue(said.contains("'rollcall ca renew "), said);
      assertEquals(key, Files.readString(folder.resolve("disk/n1/key.pem")));
      assertEquals(certificate, Files.readString(folder.resolve("disk/n1/certificate.pem")));
      assertEquals(List.of("ca.pem", "certificate.pem", "key.pem"), in(folder.resolve("disk/n1")));
      disk.empty();
      said(0, renew);
    }
  }

  @Test
  void aRequestLeavesNoKeyAlone() throws Exception {
    try (SmallDisk disk = disk()) {
      disk.fill();
      Files.write(disk.filler(), new byte[15 * 4_096]);
      String request = "request node n1 --cluster alps --address 10.0.0.1 --out @disk/n1";
      noSpace("disk/n1/request.csr", request);
      assertEquals(List.of(), in(folder.resolve("disk/n1")));
      disk.empty();
      said(0, request);
    }
  }
}
