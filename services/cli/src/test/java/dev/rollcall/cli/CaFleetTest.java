package dev.rollcall.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.testkit.disk.SmallDisk;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Certificates of many nodes in one run. Names that are addresses resolve to themselves. */
class CaFleetTest {
  private final Shell shell = new Shell();

  @TempDir Path folder = Path.of("unset");

  @BeforeEach
  void init() {
    ran(0, "init --directory @ca --cluster alps");
  }

  private Shell.Ran ran(int status, String words) {
    var argv = new ArrayList<>(List.of("ca"));
    for (String word : words.split(" ", -1)) {
      argv.add(word.startsWith("@") ? folder.resolve(word.substring(1)).toString() : word);
    }
    Shell.Ran ran = shell.run(argv.toArray(String[]::new));
    assertEquals(status, ran.status(), () -> words + ": " + ran.out() + ran.err());
    return ran;
  }

  private Shell.Ran issue(int status, String words) {
    return ran(status, "issue node " + words + " --directory @ca --out @tls");
  }

  private static String result(String issued, String kept, String failed) {
    return "issued: %s%nleft as they are: %s%nfailed: %s%n".formatted(issued, kept, failed);
  }

  private String read(String file) throws IOException {
    return Files.readString(folder.resolve(file));
  }

  private List<String> in(String directory) throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve(directory))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private int given() throws IOException {
    return in("ca/issued").size();
  }

  /** As after a run that was killed before it wrote the certificate. */
  private void interrupt(String node) throws IOException {
    Files.delete(folder.resolve("tls/" + node + "/certificate.pem"));
  }

  @Test
  void eachNodeGetsItsFilesAndTheAddressesOfItsName() throws Exception {
    assertEquals(result("3, 10.0.0.[1-3]", "none", "none"), issue(0, "10.0.0.[1-3]").out());
    assertEquals(List.of("ca.pem", "certificate.pem", "key.pem"), in("tls/10.0.0.2"));
    assertTrue(
        ran(0, "show @tls/10.0.0.2/certificate.pem --directory @ca")
            .out()
            .startsWith("node 10.0.0.2 of alps, at 10.0.0.2: certificate "));
    assertTrue(
        ran(0, "issue login 10.0.0.4,10.0.0.5 --directory @ca --out @tls")
            .out()
            .startsWith("issued: 2, "));
    assertTrue(
        ran(0, "show @tls/10.0.0.5/certificate.pem --directory @ca")
            .out()
            .startsWith("login 10.0.0.5 of alps, at 10.0.0.5: "));
  }

  @Test
  @Tag("full")
  void twoThousandNodesTakeOneRun() throws Exception {
    var said = new JsonObject(issue(0, "10.77.[1-8].[1-250] --json").out());
    assertEquals(2_000, said.getJsonArray("issued").size());
    assertEquals(2_000, given());
    assertEquals(2_000, in("tls").size());
  }

  @Test
  void aSecondRunLeavesWhatIsThereAndDoesTheRest() throws Exception {
    var _ = issue(0, "10.0.0.[1-2]");
    String key = read("tls/10.0.0.1/key.pem");
    assertEquals(result("1, 10.0.0.3", "2, 10.0.0.[1-2]", "none"), issue(0, "10.0.0.[1-3]").out());
    assertEquals(key, read("tls/10.0.0.1/key.pem"));
    assertEquals(3, given());
  }

  /** Whether it was killed before or after the authority issued the certificate. */
  @Test
  void anInterruptedRunGoesOn() throws Exception {
    ran(0, "request node 10.0.0.1 --address 10.0.0.1 --cluster alps --out @tls/10.0.0.1");
    ran(0, "request node 10.0.0.2 --address 10.0.0.2 --cluster alps --out @tls/10.0.0.2");
    ran(
        0,
        "issue node 10.0.0.2 --request @tls/10.0.0.2/request.csr --directory @ca --out @tls/10.0.0.2");
    interrupt("10.0.0.2");
    String key = read("tls/10.0.0.1/key.pem");
    assertEquals(result("3, 10.0.0.[1-3]", "none", "none"), issue(0, "10.0.0.[1-3]").out());
    assertEquals(3, given());
    assertEquals(key, read("tls/10.0.0.1/key.pem"));
    for (String node : List.of("10.0.0.1", "10.0.0.2")) {
      assertEquals(List.of("ca.pem", "certificate.pem", "key.pem"), in("tls/" + node));
    }
  }

  @Test
  void newKeysAreMadeOnlyIfThatIsAskedFor() throws Exception {
    var _ = issue(0, "10.0.0.[1-2]");
    String key = read("tls/10.0.0.1/key.pem");
    assertEquals(
        result("2, 10.0.0.[1-2]", "none", "none"), issue(0, "10.0.0.[1-2] --overwrite").out());
    assertFalse(key.equals(read("tls/10.0.0.1/key.pem")));
    assertEquals(4, given());
  }

  /** Requests of nodes without disks: the rule is that name and addresses are the resolver's. */
  @Test
  void requestsThatTheNodesMadeAreSignedIfTheyAskForTheirOwnNames() throws Exception {
    String one = "request node 10.0.0.1 --address 10.0.0.1 --cluster alps --out @n1";
    ran(0, one);
    move("n1", "10.0.0.1");
    ran(0, "request node 10.0.0.2 --address 10.0.0.1 --cluster alps --out @n2");
    move("n2", "10.0.0.2");
    ran(0, "request login 10.0.0.3 --address 10.0.0.3 --cluster alps --out @n3");
    move("n3", "10.0.0.3");
    ran(0, "request node 10.0.0.5 --address 10.0.0.4 --cluster alps --out @n4");
    move("n4", "10.0.0.4");
    Shell.Ran ran = issue(1, "10.0.0.[1-9] --requests");
    assertEquals(result("1, 10.0.0.1", "5, 10.0.0.[5-9]", "3, 10.0.0.[2-4]"), ran.out());
    assertTrue(
        ran.err()
            .contains(
                "asks for login 10.0.0.3 of alps, at 10.0.0.3, and not for node 10.0.0.3 of alps"),
        ran::err);
    assertEquals(List.of("ca.pem", "certificate.pem"), in("tls/10.0.0.1"));
    assertEquals(1, given());

    // The node boots again, with another key.
    ran(0, one + " --overwrite");
    move("n1", "10.0.0.1");
    assertTrue(issue(1, "10.0.0.[1-1]").err().contains("renew it, or revoke it first"));
    String first = read("tls/10.0.0.1/certificate.pem");
    assertEquals(result("1, 10.0.0.1", "none", "none"), issue(0, "10.0.0.[1-1] --requests").out());
    assertFalse(first.equals(read("tls/10.0.0.1/certificate.pem")));
    assertEquals(2, given());
  }

  private void move(String from, String to) throws IOException {
    Files.createDirectories(folder.resolve("tls/" + to));
    Files.move(folder.resolve(from + "/request.csr"), folder.resolve("tls/" + to + "/request.csr"));
  }

  @Test
  void aNameThatDoesNotResolveIsNamedAndStopsNoOther() throws Exception {
    Shell.Ran ran = issue(1, "10.0.0.1,nowhere.invalid,127.0.0.9,10.0.0.2");
    assertEquals(result("2, 10.0.0.[1-2]", "none", "2, nowhere.invalid,127.0.0.9"), ran.out());
    assertTrue(
        ran.err().contains("rollcall: nowhere.invalid: the name does not resolve: "), ran::err);
    assertTrue(
        ran.err()
            .contains("rollcall: 127.0.0.9: '127.0.0.9' is not the address of a single machine"),
        ran::err);
    assertEquals(List.of("10.0.0.1", "10.0.0.2"), in("tls"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "issue node n[1- | 'n[1-' has a '[' without its ']'",
        "issue node n1, | a name is missing",
        "issue node n[1-99999] | has more than 65536 names",
        "issue node n[1-2] --address 10.0.0.1 | omit --address",
        "issue node n[1-2] --request x | omit --request",
        "issue node n1 --requests | --requests needs a host list",
        "issue gateway g[1-2] --address 10.0.0.1 | 'g[1-2]' is not a name",
        "issue login ../x,y | '../x'",
        "renew | either CERTIFICATE, or --within",
        "renew x --within 30 | either CERTIFICATE, or --within",
        "renew --within 30 --keep-key | either CERTIFICATE, or --within",
        "renew --within 0 | --within 0 is not within 1 to 36500",
      })
  void whatCannotBeMeantIsRefusedBeforeAnythingIsDone(String words, String why) throws Exception {
    String err = ran(2, words + " --directory @ca --out @tls").err();
    assertTrue(err.contains(why), err);
    assertFalse(Files.exists(folder.resolve("tls")));
    assertEquals(0, given());
  }

  @Test
  void aDirectoryThatCannotBeMadeStopsTheRun() throws Exception {
    Files.writeString(folder.resolve("tls"), "a file");
    Shell.Ran ran = issue(1, "10.0.[0-9].[1-200]");
    assertTrue(ran.err().contains(folder.resolve("tls").toString()), ran::err);
    assertTrue(ran.err().contains("rollcall: stopped before 10.0."), ran::err);
    assertEquals(0, given());
  }

  @Test
  @Tag("root")
  void aFullDiskStopsTheRunAndTheNextOneGoesOn() throws Exception {
    try (SmallDisk disk = SmallDisk.over(Files.createDirectory(folder.resolve("tls")))) {
      disk.fill();
      Files.write(disk.filler(), new byte[(int) Files.size(disk.filler()) - 5 * 4_096]);
      Shell.Ran full = issue(1, "10.0.0.[1-3]");
      assertTrue(full.err().contains("No space left on device"), full::err);
      disk.empty();
      assertTrue(issue(0, "10.0.0.[1-3]").out().contains("failed: none"));
      // What the authority had issued before the disk was full was not issued again.
      assertEquals(3, given());
      assertEquals(List.of("ca.pem", "certificate.pem", "key.pem"), in("tls/10.0.0.3"));
    }
  }

  @Test
  void allThatEndSoonAreRenewedForTheirKeys() throws Exception {
    var _ = issue(0, "10.0.0.[1-2] --days 20");
    var _ = issue(0, "10.0.0.3,10.0.0.3 --days 90");
    ran(0, "issue gateway g --address 10.0.0.9 --days 10 --directory @ca --out @tls/g");
    String key = read("tls/10.0.0.1/key.pem");
    String old = read("tls/10.0.0.1/certificate.pem");
    String renew = "renew --within 30 --directory @ca --out @tls";
    assertEquals(result("3, g,10.0.0.[1-2]", "none", "none"), ran(0, renew).out());
    assertEquals(key, read("tls/10.0.0.1/key.pem"));
    assertFalse(old.equals(read("tls/10.0.0.1/certificate.pem")));
    assertEquals(7, given());
    assertEquals(result("none", "none", "none"), ran(0, renew).out());

    // A run that was killed after the authority had renewed it.
    Files.writeString(folder.resolve("tls/10.0.0.1/certificate.pem"), old);
    assertEquals(result("1, 10.0.0.1", "none", "none"), ran(0, renew).out());
    assertFalse(old.equals(read("tls/10.0.0.1/certificate.pem")));
    assertEquals(7, given());
  }

  @Test
  void aDirectoryWithAnotherKeyKeepsItsCertificate() throws Exception {
    var _ = issue(0, "10.0.0.[1-2] --days 20");
    Files.delete(folder.resolve("tls/10.0.0.1/certificate.pem"));
    Files.copy(
        folder.resolve("tls/10.0.0.2/certificate.pem"),
        folder.resolve("tls/10.0.0.1/certificate.pem"));
    String there = read("tls/10.0.0.1/certificate.pem");
    Shell.Ran ran = ran(1, "renew --within 30 --directory @ca --out @tls");
    assertEquals(result("1, 10.0.0.2", "none", "1, 10.0.0.1"), ran.out());
    assertTrue(ran.err().contains(" is for another key than certificate "), ran::err);
    assertEquals(there, read("tls/10.0.0.1/certificate.pem"));
  }
}
