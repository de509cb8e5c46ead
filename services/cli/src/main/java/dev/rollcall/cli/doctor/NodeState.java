package dev.rollcall.cli.doctor;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The state of a node, as {@link NodeReader} read it.
 *
 * @param pam sshd's stack, includes in their places
 * @param module ours, as the stack names it
 * @param sshd the lines of {@code sshd -T}
 * @param matches sshd_config's blocks
 * @param byForceCommand whether agent.yaml counts on sshd's ForceCommand
 * @param mounts the lines of {@code /proc/self/mounts}
 * @param controllers of cgroup v2
 * @param tls absent: agent.yaml names none
 * @param version the agent's, as the gateway has it
 * @param heardAt when the gateway heard this node, by its clock
 * @param lingering users' names
 */
public record NodeState(
    Seen<List<PamLine>> pam,
    Seen<ModuleSeen> module,
    Seen<List<String>> sshd,
    Seen<List<MatchSeen>> matches,
    Seen<Boolean> byForceCommand,
    Seen<List<String>> mounts,
    Seen<String> controllers,
    Seen<AgentSeen> agent,
    FileSeen loginSocket,
    FileSeen agentSocket,
    Seen<Optional<Tls>> tls,
    Seen<Optional<String>> version,
    Seen<Instant> heardAt,
    Seen<List<String>> lingering,
    Seen<String> userManager) {
  /** The agent's files. */
  public record Tls(FileSeen ca, FileSeen certificate, FileSeen key) {}

  private static final int ROOTS_ALONE = 0600;
  private static final int EVERYBODYS = 0666;

  /**
   * All findings, in the order of a login's way.
   *
   * @param command its version
   */
  public List<Finding> findings(String command, Instant now) {
    List<Finding> found = new ArrayList<>();
    found.addAll(pam.findings("pam", PamChecks::of));
    List<PamLine> stack = pam.found().orElse(List.of());
    boolean forced = byForceCommand.found().orElse(false);
    found.addAll(sshd.findings("sshd", settings -> SshdChecks.of(settings, stack, forced)));
    found.addAll(
        matches.findings(
            "sshd.match",
            blocks -> blocks.stream().map(each -> SshdChecks.match(each, stack, forced)).toList()));
    found.addAll(mounts.findings("cgroup", lines -> CgroupChecks.of(lines, controllers)));
    found.add(FileChecks.socket("socket.login", loginSocket, ROOTS_ALONE));
    found.add(FileChecks.socket("socket.agent", agentSocket, EVERYBODYS));
    found.addAll(agent.findings("agent", AgentChecks::of));
    found.addAll(tls.findings("tls", files -> certificates(files, now)));
    found.add(AgentChecks.clock(heardAt, now));
    found.add(AgentChecks.version(command, version));
    found.add(AgentChecks.module(module, command, version));
    found.addAll(AgentChecks.architecture(module, System.getProperty("os.arch")));
    found.addAll(
        lingering.findings(
            "linger",
            users -> userManager.findings("linger", word -> List.of(LingerCheck.of(users, word)))));
    return found;
  }

  private static List<Finding> certificates(Optional<Tls> files, Instant now) {
    return files
        .map(tls ->
            List.of(
                FileChecks.certificate("tls.ca", tls.ca(), now),
                FileChecks.certificate("tls.certificate", tls.certificate(), now),
                FileChecks.key("tls.key", tls.key())))
        .orElseGet(() ->
            List.of(Finding.unseen("tls", "agent.yaml names no certificates: plain loopback")));
  }
}
