package dev.rollcall.lab.packages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.tree.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What keeps the PAM module and the agent from being removed too early. */
@Tag("root")
class PamLinesTest {
  private static final String ASKED =
      SourceTree.DEPLOY.resolve("src/main/removal/pam-lines").toAbsolutePath() + " it";
  private static final String UNINSTALL =
      SourceTree.DEPLOY.resolve("src/main/removal/uninstall").toAbsolutePath() + "";

  /** Without this machine's systemd, state and logs. */
  private static final String ELSEWHERE =
      "for place in /run /sys/fs/bpf /var/lib /var/log /var/cache; do"
          + " mount -t tmpfs none $place; done; ";

  @TempDir private Path pam = Path.of("");

  @BeforeEach
  void otherLines() throws IOException {
    Files.writeString(pam.resolve("sshd"), "account required pam_nologin.so\n");
  }

  /** With our folder as /etc/pam.d. */
  private Command.Ran run(String command) {
    return Command.run(
        pam,
        Map.of(),
        "unshare",
        "--mount",
        "sh",
        "-ec",
        "mount --bind " + pam + " /etc/pam.d; " + command);
  }

  @Test
  void withoutALineEverythingMayGo() {
    assertEquals(new Command.Ran(0, ""), run(ASKED));
  }

  @Test
  void aLineIsNamedWithTheRemedyWhichWorks() throws IOException {
    Files.writeString(
        pam.resolve("sshd"),
        """
        account required pam_nologin.so
        # pam_rollcall.so is our last line
        account required pam_rollcall.so timeout_ms=100
        -session [default=die] /usr/lib/security/pam_rollcall.so
        """);

    Command.Ran ran = run(ASKED);

    assertEquals(1, ran.status());
    assertTrue(ran.said().contains("  /etc/pam.d/sshd:3\n  /etc/pam.d/sshd:4\n"), ran.said());
    String remedy = ran.said().lines().filter(line -> line.contains("sed -i")).findFirst().get();
    assertEquals(new Command.Ran(0, ""), run(remedy + "; " + ASKED));
    assertEquals(
        """
        account required pam_nologin.so
        # pam_rollcall.so is our last line
        """,
        Files.readString(pam.resolve("sshd")));
  }

  @Test
  void commentsAndWhatPackagesLeftAreNoLines() throws IOException {
    Files.writeString(pam.resolve("sshd"), "#account required pam_rollcall.so\n");
    for (String left : new String[] {"sshd.dpkg-old", "sshd.rpmsave", "sshd.ucf-dist", "sshd~"}) {
      Files.writeString(pam.resolve(left), "account required pam_rollcall.so\n");
    }

    assertEquals(new Command.Ran(0, ""), run(ASKED));
  }

  @Test
  void anIncludedFileCounts() throws IOException {
    Files.writeString(pam.resolve("common-account"), "account required pam_rollcall.so\n");

    assertEquals(1, run(ASKED).status());
  }

  /** It looks before it touches anything: so it may be tried on this machine. */
  @Test
  void uninstallRefusesBeforeAnythingIsDone() throws IOException {
    Files.writeString(pam.resolve("sshd"), "account required pam_rollcall.so\n");

    Command.Ran ran = run(UNINSTALL + " --end-jobs");

    assertEquals(1, ran.status());
    assertTrue(ran.said().startsWith("rollcall: the agent is not removed"), ran.said());
  }

  /** Slurm would drain the node, sshd refuse the users, NHC fail. */
  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          slurm/slurm.conf, Prolog=/opt/rollcall/lib/slurm/prolog
          slurm/prolog.d/50-rollcall, /usr/local/bin/rollcall job begin 41
          ssh/sshd_config, ForceCommand /opt/rollcall/lib/container/rollcall-enter --session
          ssh/sshd_config.d/jobs.conf, ForceCommand /usr/lib/rollcall/lib/container/rollcall-enter
          nhc/nhc.conf, * || check_rollcall_clean
          """)
  void uninstallRefusesWhileOtherProgramsRunRollcall(String file, String line) throws IOException {
    Path etc = Files.createDirectory(pam.resolve("etc"));
    Path named = etc.resolve(file);
    Files.createDirectories(named.getParent());
    Files.writeString(named, "# a comment about rollcall/lib/\n" + line + "\n");

    Command.Ran ran = run(ELSEWHERE + "mount --bind etc /etc; " + UNINSTALL);

    assertEquals(1, ran.status(), ran.said());
    assertTrue(ran.said().contains("  /etc/" + file + ":2\n"), ran.said());
  }

  /** systemd puts site-hpc-jobs.slice into site-hpc.slice, and that into site.slice. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "system.slice/",
        "site.slice/site-hpc.slice/site-hpc-jobs.slice/",
        "unified/site.slice/site-hpc.slice/site-hpc-jobs.slice/",
        "pids/site.slice/site-hpc.slice/"
      })
  void uninstallRefusesWhileAJobIsOpenInAnySlice(String slice) throws IOException {
    Path job = pam.resolve("cgroup/" + slice + "rollcall.scope/job_41");
    Files.createDirectories(job);
    Files.writeString(job.resolve("cgroup.procs"), "2147483646\n");

    Command.Ran ran = run(ELSEWHERE + "mount --bind cgroup /sys/fs/cgroup; " + UNINSTALL);

    assertEquals(1, ran.status(), ran.said());
    assertTrue(ran.said().contains("job 41 is open, with 1 processes"), ran.said());
  }

  /** As those of a demo on this machine, which its own end removes. */
  @Test
  void uninstallLeavesScopesThatAreInNoSlice() throws IOException {
    Path job = pam.resolve("cgroup/unified/demo/node1/system.slice/rollcall.scope/job_41");
    Files.createDirectories(job);

    Command.Ran ran = run(ELSEWHERE + "mount --bind cgroup /sys/fs/cgroup; " + UNINSTALL);

    assertEquals(0, ran.status(), ran.said());
    assertTrue(Files.exists(job));
  }

  @Test
  void uninstallKnowsItsWords() {
    assertEquals(2, run(UNINSTALL + " --all").status());
    assertTrue(run(UNINSTALL + " --help").said().startsWith("Usage: rollcall uninstall"));
  }

  /** Why the module's file must not go first: nobody is let in, root neither. */
  @Test
  void aStackThatNamesAModuleThatIsNotThereRefusesRootToo() throws IOException {
    Files.writeString(pam.resolve("rollcall-try"), "account required pam_permit.so\n");
    assertEquals(0, run("pamtester rollcall-try root acct_mgmt").status());

    Files.writeString(
        pam.resolve("rollcall-try"),
        "account required pam_permit.so\naccount required pam_rollcall_gone.so\n");
    assertEquals(1, run("pamtester rollcall-try root acct_mgmt").status());
  }
}
