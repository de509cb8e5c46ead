package dev.rollcall.cli.demo;

import java.util.List;

/**
 * The scenes of a node with systemd and real controllers, in the order in which they are played.
 * Their names are for scripts: they stay.
 */
public final class NodeScenes {
  private NodeScenes() {}

  public static List<NodeScene> all() {
    return List.of(
        new NodeScene(
            "vm-session-in-job",
            "the agent is a unit of systemd; alice has one job and comes by ssh",
            SessionScenes::inJob),
        new NodeScene("vm-no-job-refused", "bob has no job", SessionScenes::refused),
        new NodeScene(
            "vm-suspend-resume",
            "alice's job is suspended: it stands still and nobody comes in; then it goes on",
            SessionScenes::suspended),
        new NodeScene(
            "vm-end-kills",
            "alice's session left a process that ignores SIGTERM; her job ends",
            SessionScenes::ended),
        new NodeScene(
            "vm-daemon-reload",
            "systemd is reloaded and re-executed while alice's session is open",
            SystemdScenes::reloaded),
        new NodeScene(
            "vm-agent-restarts",
            "the agent's unit is restarted while alice's session is open",
            SystemdScenes::agentRestarted),
        new NodeScene(
            "vm-agent-killed",
            "the agent is killed while alice's session is open; systemd starts it again",
            SystemdScenes::agentKilled));
  }
}
