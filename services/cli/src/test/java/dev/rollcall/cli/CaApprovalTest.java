package dev.rollcall.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.authority.Request;
import dev.rollcall.cli.authority.CaApproval;
import dev.rollcall.testkit.munge.Munged;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a real munged, whose credentials of users are made by munge(1). */
@Tag("root")
class CaApprovalTest {
  private static final int ALICE = 1001;
  private static final int BOB = 1002;

  private final Shell shell = new Shell();
  private final Munged munged;
  @TempDir Path folder = Path.of("unset");

  CaApprovalTest() throws Exception {
    munged = Munged.start();
  }

  @BeforeEach
  void aRequest() {
    ran(0, "init --directory @ca --cluster alps");
    ran(0, "request node n1 --cluster alps --address 10.0.0.1 --out @n1");
    ran(0, "request node n2 --cluster alps --address 10.0.0.2 --out @n2");
  }

  @AfterEach
  void end() throws Exception {
    munged.close();
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

  /** What {@code ca approve} would print for a user of this machine. */
  private void approves(int uid, String request) throws Exception {
    String payload = CaApproval.payload(Request.read(folder.resolve(request)));
    var munge =
        new ProcessBuilder(
                List.of(
                    "setpriv",
                    "--reuid=" + uid,
                    "--clear-groups",
                    "munge",
                    "--socket=" + munged.socket(),
                    "--string=" + payload))
            .redirectOutput(folder.resolve("approval").toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    assertEquals(0, munge.waitFor());
  }

  private Shell.Ran issue(int status, String node) {
    return ran(
        status,
        "issue node %1$s --request @%1$s/request.csr --directory @ca --out @out-%1$s --overwrite"
                .formatted(node)
            + " --approval @approval --administrators alice --munge-socket "
            + munged.socket());
  }

  @Test
  void whatAnAdministratorApprovedOfIsSignedOnce() throws Exception {
    approves(ALICE, "n1/request.csr");
    issue(0, "n1");
    assertTrue(Files.exists(folder.resolve("out-n1/certificate.pem")));
    assertTrue(issue(1, "n1").err().contains("the munge credential was used before"));
  }

  @Test
  void anApprovalIsNotTakenAgainWhenMungedHasForgottenIt() throws Exception {
    approves(ALICE, "n1/request.csr");
    issue(0, "n1");
    // Another munged with the same key has never seen it, as after a restart.
    try (Munged twin = munged.startTwin()) {
      String again =
          ran(
                  1,
                  "issue node n1 --request @n1/request.csr --directory @ca --out @again"
                      + " --approval @approval --administrators alice --munge-socket "
                      + twin.socket())
              .err();
      assertTrue(again.contains("this approval was used before"), again);
    }
  }

  @Test
  void nobodyElseApprovesAndNotOfAnotherRequest() throws Exception {
    approves(BOB, "n1/request.csr");
    assertTrue(issue(1, "n1").err().contains("is of bob, who is not an administrator"));
    approves(ALICE, "n2/request.csr");
    assertTrue(issue(1, "n1").err().contains("approves of another request"));
    Files.writeString(folder.resolve("approval"), "MUNGE:forged:");
    assertTrue(issue(1, "n1").err().contains("the munge credential is not valid"));
    assertTrue(ran(0, "show --directory @ca --json").out().contains("\"certificates\":[]"));
  }

  @Test
  void rootApprovesOfNothing() throws Exception {
    String approval = "approve --request @n1/request.csr --munge-socket " + munged.socket();
    Files.writeString(folder.resolve("approval"), ran(0, approval).out());
    assertTrue(issue(1, "n1").err().contains("is of 0, who is not an administrator"));
    assertTrue(
        ran(
                2,
                "issue node n1 --request @n1/request.csr --directory @ca --out @out"
                    + " --approval @approval --administrators +0")
            .err()
            .contains("root exists on every node"));
  }

  @Test
  void withoutMungedItSaysSo() {
    String said = ran(5, "approve --request @n1/request.csr --munge-socket /nowhere/socket").err();
    assertTrue(said.contains("/nowhere/socket"), said);
  }
}
