package dev.rollcall.cli.doctor;

import dev.rollcall.cli.ask.AskingCommand;
import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.cli.node.NodesCommand;
import dev.rollcall.cli.text.JsonFields;
import dev.rollcall.cli.text.TerminalText;
import dev.rollcall.proto.v1.Node;
import dev.rollcall.wire.tls.TlsFiles;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Looks at a node and tells what is wrong with it. */
@Command(
    name = "doctor",
    description = {
      "Check everything that a login on this node needs: PAM, sshd, cgroups, agent, gateway,"
          + " files.",
      "Exits 1 if a check finds an error. Without root it skips some checks, and lists them."
    })
public final class DoctorCommand extends AskingCommand {
  private static final int ROOTS_ALONE = 0600;
  private static final int EVERYBODYS = 0666;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      defaultValue = "/etc/rollcall/agent.yaml",
      description = "The agent's configuration (default: ${DEFAULT-VALUE}).")
  private Path config = Path.of("/etc/rollcall/agent.yaml");

  @Option(
      names = "--root",
      paramLabel = "DIR",
      hidden = true,
      defaultValue = "/",
      description = "Root directory of the node's files.")
  private Path root = Path.of("/");

  private final String version;

  /**
   * @param version of this command, as {@code 0.1.0}: the node's other parts should have it, too
   */
  public DoctorCommand(String version) {
    this.version = version;
  }

  @Override
  public Integer call() {
    List<Finding> findings = findings(Clock.systemUTC().instant());
    printing.print(text(findings), findings.stream().map(DoctorCommand::json).toList());
    boolean bad = findings.stream().anyMatch(each -> each.state() == Finding.State.BAD);
    return (bad ? ExitCode.FAILED : ExitCode.OK).status();
  }

  /** All findings, in the order of a login's way. */
  private List<Finding> findings(Instant now) {
    var reading = new NodeReader(root);
    Seen<AgentSettings> settings = NodeReader.settings(config);
    Path run = settings.found().map(AgentSettings::runDirectory).orElse(Path.of("/run/rollcall"));
    Seen<Node> node = node(settings.found().flatMap(AgentSettings::node));
    Seen<Optional<String>> agentVersion =
        node.map(got -> Optional.of(got.getVersion()).filter(version -> !version.isEmpty()));
    Seen<List<PamLine>> pam = reading.pam();
    Seen<ModuleSeen> module = pam.then(reading::module);
    List<PamLine> stack = pam.found().orElse(List.of());
    boolean forced = settings.found().map(AgentSettings::byForceCommand).orElse(false);
    Seen<AgentSeen> agent = settings.then(got -> NodeReader.agent(got.metrics(), got.tls()));
    boolean login = agent.found().map(AgentSeen::login).orElse(false);
    List<Finding> found = new ArrayList<>(pam.findings("pam", lines -> PamChecks.of(lines, login)));
    Seen<List<String>> sshd = reading.sshd();
    found.addAll(sshd.findings("sshd", lines -> SshdChecks.of(lines, stack, forced)));
    found.add(
        sshd.finding(
            "sshd.logingracetime",
            lines ->
                settings.finding(
                    "sshd.logingracetime",
                    got -> SshdChecks.grace(lines, got.loginGraceSeconds()))));
    found.addAll(
        reading
            .matches()
            .findings(
                "sshd.match",
                blocks ->
                    blocks.stream().map(each -> SshdChecks.match(each, stack, forced)).toList()));
    found.add(NodeReader.sshdUnit().finding("sshd.oomscoreadjust", SystemdChecks::oomScore));
    found.add(
        NodeReader.removeIpc()
            .finding("logind.removeipc", property -> SystemdChecks.removeIpc(property, stack)));
    found.addAll(
        reading
            .mounts()
            .findings("cgroup", lines -> CgroupChecks.of(lines, reading.controllers())));
    if (settings instanceof Seen.Not<AgentSettings>(String why)) {
      found.add(Finding.unseen("sshd.forcecommand", why));
    }
    found.add(
        FileChecks.socket("socket.login", NodeReader.file(run.resolve("login.sock")), ROOTS_ALONE));
    found.add(
        FileChecks.socket("socket.agent", NodeReader.file(run.resolve("agent.sock")), EVERYBODYS));
    found.addAll(agent.findings("agent", AgentChecks::of));
    found.addAll(settings.findings("tls", got -> certificates(got.tls(), now)));
    found.add(AgentChecks.clock(node.then(DoctorCommand::heardAt), now));
    found.add(AgentChecks.version(version, agentVersion));
    found.add(AgentChecks.module(module, version, agentVersion));
    found.add(AgentChecks.loadable(module, System.getProperty("os.arch")));
    found.add(
        reading
            .lingering()
            .finding(
                "linger",
                users ->
                    settings.finding("linger", got -> LingerCheck.of(users, got.userManager()))));
    return found;
  }

  private static List<Finding> certificates(Optional<TlsFiles> tls, Instant now) {
    return tls.map(files ->
            List.of(
                FileChecks.certificate("tls.ca", NodeReader.certificate(files.ca()), now),
                FileChecks.certificate(
                    "tls.certificate", NodeReader.certificate(files.certificate()), now),
                FileChecks.key("tls.key", NodeReader.file(files.key()))))
        .orElseGet(() ->
            List.of(Finding.unseen("tls", "the agent's configuration names no certificates")));
  }

  private static Seen<Instant> heardAt(Node node) {
    return node.hasHeardAt()
        ? new Seen.Got<>(
            Instant.ofEpochSecond(node.getHeardAt().getSeconds(), node.getHeardAt().getNanos()))
        : new Seen.Not<>("the gateway does not report its last contact with this node");
  }

  /** This node as the gateway knows it. */
  private Seen<Node> node(Optional<String> named) {
    try {
      String name =
          named.isPresent()
              ? named.get()
              : InetAddress.getLocalHost().getHostName().replaceFirst("\\..*", "");
      return asking.ask(NodesCommand::list).stream()
          .filter(node -> node.getNode().equals(name))
          .findFirst()
          .<Seen<Node>>map(Seen.Got::new)
          .orElseGet(() -> new Seen.Not<>("the gateway knows no node '" + name + "'"));
    } catch (CommandFailure e) {
      return new Seen.Not<>("the gateway could not be asked: " + e.line());
    } catch (UnknownHostException e) {
      return new Seen.Not<>("this host's name is not known: " + e.getMessage());
    }
  }

  private static String text(List<Finding> findings) {
    List<String> lines = new ArrayList<>();
    for (Finding finding : findings) {
      lines.add(
          "%-15s%s: %s"
              .formatted(finding.state().word(), finding.id(), TerminalText.of(finding.says())));
      if (!finding.remedy().isEmpty()) {
        lines.add("%-15s-> %s".formatted("", finding.remedy()));
      }
    }
    return String.join(System.lineSeparator(), lines);
  }

  private static JsonFields json(Finding finding) {
    return new JsonFields()
        .with("id", finding.id())
        .with("state", finding.state().word())
        .with("says", finding.says())
        .with("remedy", finding.remedy());
  }
}
