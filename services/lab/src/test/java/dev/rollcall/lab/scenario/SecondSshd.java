package dev.rollcall.lab.scenario;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.StepSocketFile;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A second sshd on a node, on port 2222: with a PAM service of its own that asks for alice's
 * password by keyboard-interactive, as second factors do, or without PAM.
 */
final class SecondSshd implements AutoCloseable {
  static final String PORT = "2222";
  private static final String PASSWORD = "correct horse";
  private static final Duration DEADLINE = Duration.ofSeconds(20);

  private final Running sshd;

  private SecondSshd(Running sshd) {
    this.sshd = sshd;
  }

  /**
   * @param methods as sshd_config's AuthenticationMethods has them
   * @param auth lines of PAM's auth stack before the password is asked for
   * @param module pam_rollcall.so
   */
  static SecondSshd start(ClusterNode node, String methods, String auth, Path module)
      throws IOException {
    return start(node, methods, auth, module, "");
  }

  /**
   * @param options of the module, beside its service, port and patience
   */
  static SecondSshd start(
      ClusterNode node, String methods, String auth, Path module, String options)
      throws IOException {
    // sshd's PAM service is the name it was started by.
    Path program = node.file("/run/sshd-second");
    if (!Files.isSymbolicLink(program)) {
      Files.createSymbolicLink(program, Path.of("/usr/sbin/sshd"));
    }
    password(node);
    Files.writeString(
        node.file("/etc/pam.d/sshd-second"),
        """
        %1$s
        auth     required   pam_unix.so
        account  required   pam_unix.so
        account  required   %2$s service=sshd-second port=%3$s timeout_ms=2000 %4$s
        session  required   pam_unix.so
        session  required   pam_env.so
        session  required   %2$s service=sshd-second port=%3$s timeout_ms=2000 %4$s
        """
            .formatted(auth, module, PORT, options));
    Files.writeString(
        node.file("/run/sshd-second.conf"),
        """
        HostKey /etc/ssh/host_key
        Port %s
        PidFile /run/sshd-second.pid
        UsePAM yes
        PasswordAuthentication no
        KbdInteractiveAuthentication yes
        GSSAPIAuthentication yes
        GSSAPIStrictAcceptorCheck no
        AuthenticationMethods %s
        UseDNS no
        PrintMotd no
        PrintLastLog no
        X11Forwarding yes
        AcceptEnv *
        Subsystem sftp internal-sftp
        """
            .formatted(PORT, methods));
    return started(node, "/run/sshd-second");
  }

  /** One without PAM, for users' keys, as on a login node that admits all users. */
  static SecondSshd withoutPam(ClusterNode node) throws IOException {
    Files.writeString(
        node.file("/run/sshd-second.conf"),
        """
        HostKey /etc/ssh/host_key
        Port %s
        PidFile /run/sshd-second.pid
        UsePAM no
        AuthenticationMethods publickey
        UseDNS no
        PrintMotd no
        PrintLastLog no
        """
            .formatted(PORT));
    return started(node, "/usr/sbin/sshd");
  }

  private static SecondSshd started(ClusterNode node, String program) throws IOException {
    Files.deleteIfExists(node.file("/run/sshd-second.pid"));
    Running sshd =
        node.startIn(
            StepSocketFile.of(node.cgroup().resolve("sshd").resolve("cgroup.procs")),
            User.ROOT,
            program,
            "-D",
            "-f",
            "/run/sshd-second.conf",
            "-E",
            "/var/log/sshd-second.log");
    Eventually.await(
        DEADLINE,
        () -> Files.exists(node.file("/run/sshd-second.pid")),
        () -> "no second sshd: " + sshd.isAlive());
    return new SecondSshd(sshd);
  }

  /**
   * Gives alice a password, and a program that types it for her. Asked for anything else, it writes
   * the question to ~/questions and types the next line of ~/answers, after a sleep if that begins
   * with "slowly".
   */
  private static void password(ClusterNode node) throws IOException {
    String hash =
        node.exec(User.ROOT, "perl", "-e", "print crypt('" + PASSWORD + "', '$6$rollcall$')")
            .outOrThrow("crypt");
    Path shadow = node.file("/etc/shadow");
    Files.write(
        shadow,
        Files.readAllLines(shadow).stream()
            .map(line -> line.startsWith("alice:") ? "alice:" + hash + ":19000:0:99999:7:::" : line)
            .toList());
    node.shell(
            User.ALICE,
            """
            cat > ~/password <<'END'
            #!/bin/sh
            case $1 in *assword*) echo '%s'; exit;; esac
            printf '%%s\\n' "$1" >> ~/questions
            read -r answer < ~/answers
            sed -i 1d ~/answers
            case $answer in slowly*) sleep 4;; esac
            echo "${answer#slowly }"
            END
            chmod 700 ~/password\
            """
                .formatted(PASSWORD))
        .outOrThrow("a program that types the password");
  }

  /** The words of an ssh to this sshd that answers its questions. */
  static List<String> ssh(String host, String command) {
    return List.of(
        "env",
        "SSH_ASKPASS=/home/alice/password",
        "SSH_ASKPASS_REQUIRE=force",
        "ssh",
        "-p",
        PORT,
        "-o",
        "BatchMode=no",
        "-o",
        "StrictHostKeyChecking=no",
        "-o",
        "NumberOfPasswordPrompts=1",
        host,
        command);
  }

  @Override
  public void close() {
    sshd.kill();
  }
}
