package dev.rollcall.lab.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One node's sshd, ssh and PAM configuration. */
final class SshFiles {
  // The order is Debian's: the account stack, then the session stack, ours last in both, and first
  // in auth.
  private static final String STACK_HEAD =
      """
      auth     required   pam_unix.so
      account  required   pam_nologin.so
      account  required   pam_unix.so
      """;
  private static final String STACK_TAIL =
      """
      session  required   pam_unix.so
      session  required   pam_env.so
      """;

  private final ClusterLayout layout;
  private final ClusterSetup setup;

  SshFiles(ClusterLayout layout, ClusterSetup setup) {
    this.layout = layout;
    this.setup = setup;
  }

  /** Makes the host keys of all nodes, then each node's files, which name all keys. */
  void write() throws IOException {
    for (NodeAddress node : layout.shape().withOutside()) {
      Files.createDirectories(layout.of(node, "log"));
      Files.createDirectories(layout.of(node, "etc", "ssh"));
      UserFiles.keygen(layout.of(node, "etc", "ssh", "host_key"), node.name());
    }
    List<String> knownHosts = knownHosts();
    for (NodeAddress node : layout.shape().withOutside()) {
      Files.write(layout.of(node, "etc", "ssh", "ssh_known_hosts"), knownHosts);
      ssh(node);
      pam(node);
    }
  }

  private List<String> knownHosts() throws IOException {
    var lines = new ArrayList<String>();
    for (NodeAddress node : layout.shape().withOutside()) {
      String key = Files.readString(layout.of(node, "etc", "ssh", "host_key.pub")).strip();
      lines.add(names(node) + " " + key);
    }
    return lines;
  }

  /** Every name and address of a node. */
  private String names(NodeAddress node) {
    return String.join(",", layout.shape().topology().hosts(node)).replace(' ', ',');
  }

  private void ssh(NodeAddress node) throws IOException {
    Files.writeString(
        layout.of(node, "etc", "ssh", "sshd_config"),
        """
        HostKey /etc/ssh/host_key
        ListenAddress 0.0.0.0
        ListenAddress ::
        PidFile /run/sshd.pid
        UsePAM yes
        PasswordAuthentication no
        KbdInteractiveAuthentication no
        UseDNS no
        PrintMotd no
        PrintLastLog no
        MaxStartups 5000
        MaxSessions 5000
        """
            + setup
                .caches()
                .flatMap(AotCaches::variable)
                .map(variable -> "SetEnv " + variable + "\n")
                .orElse("")
            + String.join("\n", setup.sshdConfig())
            + "\n");
    Files.writeString(
        layout.of(node, "etc", "ssh", "ssh_config"),
        """
        Host *
          BatchMode yes
          CheckHostIP no
          UserKnownHostsFile /dev/null
          UpdateHostKeys no
          ConnectTimeout 20
        """
            + keyExchange());
  }

  /**
   * The key exchange that OpenSSH 9 prefers takes 0.1 s of CPU time of each client; this one takes
   * 0.01 s. Tests connect hundreds of times.
   */
  private String keyExchange() {
    return setup.caches().isPresent() ? "  KexAlgorithms curve25519-sha256\n" : "";
  }

  private void pam(NodeAddress node) throws IOException {
    // su, setpriv and others keep the machine's stacks.
    Path directory = Files.createDirectories(layout.of(node, "etc", "pam.d"));
    Files.writeString(
        directory.resolve("sshd"),
        ours(node, "auth", "optional")
            + STACK_HEAD
            + ours(node, "account", "required")
            + STACK_TAIL
            + ours(node, "session", "required"));
  }

  /** Only on nodes that run jobs: elsewhere the module would refuse all users. */
  private String ours(NodeAddress node, String kind, String control) {
    return module()
        .filter(_ -> layout.shape().compute().contains(node))
        .filter(module -> module.kinds().contains(kind))
        .map(module ->
            "%-8s %-10s %s %s%n"
                .formatted(kind, control, module.file(), String.join(" ", setup.pamOptions())))
        .orElse("");
  }

  private Optional<PamModule> module() {
    return setup
        .pam()
        .or(() ->
            setup
                .distribution()
                .map(path -> path.resolve("lib/security/pam_rollcall.so").toString())
                .map(so -> new PamModule(so, List.of("auth", "account", "session"))));
  }
}
