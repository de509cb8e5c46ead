package dev.rollcall.lab.cluster;

import dev.rollcall.testkit.process.Patience;
import dev.rollcall.testkit.process.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The files that all nodes share: homes with ssh keys, and a copy of the machine's /etc with
 * accounts and names of hosts, which each node copies.
 */
final class UserFiles {
  private static final Duration TOOL_DEADLINE = Patience.ofSeconds(20);
  private static final List<User> PEOPLE = List.of(User.ALICE, User.BOB, User.CAROL);

  /** Again where a file was removed meanwhile, as packages do that are being installed. */
  private static final String COPY =
      "for try in 1 2 3 4 5; do cp -a /etc/. \"$1\" && rm -rf \"$1/ssh\" && exit; done; exit 1";

  private final ClusterLayout layout;

  UserFiles(ClusterLayout layout) {
    this.layout = layout;
  }

  void write() throws IOException {
    Files.createDirectories(layout.etc());
    Running.run(TOOL_DEADLINE, List.of("sh", "-c", COPY, "sh", layout.etc().toString()))
        .outOrThrow("copying /etc");
    accounts("passwd", "%1$s:x:%2$d:%2$d::/home/%1$s:/bin/bash", "rw-r--r--");
    accounts("group", "%1$s:x:%2$d:", "rw-r--r--");
    accounts("shadow", "%1$s:*:19000:0:99999:7:::", "rw-r-----");
    hosts();
    for (User user : PEOPLE) {
      home(user);
    }
  }

  /** A copy of the machine's file, so that system accounts are there, and a line for each user. */
  private void accounts(String name, String line, String mode) throws IOException {
    var lines = new ArrayList<String>();
    for (String kept : Files.readAllLines(Path.of("/etc", name))) {
      if (PEOPLE.stream().noneMatch(user -> kept.startsWith(user.login() + ":"))) {
        lines.add(kept);
      }
    }
    for (User user : PEOPLE) {
      lines.add(line.formatted(user.login(), user.uid()));
    }
    Path file = Files.write(layout.etc().resolve(name), lines);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
  }

  private void hosts() throws IOException {
    var lines = new ArrayList<>(List.of("127.0.0.1 localhost", "::1 localhost ip6-localhost"));
    for (NodeAddress node : layout.shape().withOutside()) {
      lines.addAll(layout.shape().topology().hosts(node));
    }
    Files.write(layout.etc().resolve("hosts"), lines);
  }

  private void home(User user) throws IOException {
    Path home = layout.files().resolve("home").resolve(user.login());
    Path ssh = Files.createDirectories(home.resolve(".ssh"));
    Path key = ssh.resolve("id_ed25519");
    keygen(key, user.login());
    Files.copy(Path.of(key + ".pub"), ssh.resolve("authorized_keys"));
    for (Path directory : List.of(home, ssh)) {
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    }
    Running.run(
            TOOL_DEADLINE, List.of("chown", "-R", user.uid() + ":" + user.uid(), home.toString()))
        .outOrThrow("chown of " + home);
  }

  static void keygen(Path key, String comment) {
    Running.run(
            TOOL_DEADLINE,
            List.of(
                "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", comment, "-f", key.toString()))
        .outOrThrow("ssh-keygen for " + comment);
  }
}
