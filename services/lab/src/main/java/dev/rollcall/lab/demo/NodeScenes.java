package dev.rollcall.lab.demo;

import java.util.List;
import java.util.stream.Stream;

/**
 * The scenes of a node with systemd and real controllers, in the order in which they are played.
 * Their names are for scripts: they stay.
 */
public final class NodeScenes {
  private NodeScenes() {}

  public static List<NodeScene> all() {
    return Stream.concat(alone().stream(), withSlurm().stream()).toList();
  }

  /** Those in which jobs are the agent's own. */
  static List<NodeScene> alone() {
    return List.of(
        new NodeScene(
            "vm-session-in-job",
            "the agent is a unit of systemd; alice has one job and comes by ssh",
            SessionScenes::inJob),
        new NodeScene("vm-no-job-refused", "bob has no job", SessionScenes::refused),
        new NodeScene(
            "vm-memory-max",
            "alice's job has 96 MiB and takes 300; bob's session is beside it",
            LimitScenes::memoryMax),
        new NodeScene(
            "vm-cpu-max", "alice's job has a tenth of a CPU and wants all", LimitScenes::cpuMax),
        new NodeScene("vm-pids-max", "alice's job may have 25 processes", LimitScenes::pidsMax),
        new NodeScene("vm-cpuset", "alice's job has CPU 1", LimitScenes::cpuset),
        new NodeScene(
            "vm-limits-changed",
            "limits of alice's job are changed while her session is open",
            LimitScenes::changed),
        new NodeScene(
            "vm-device",
            "a device that everybody may open, in jobs that were and were not given it",
            DeviceScene::play),
        new NodeScene(
            "vm-suspend-resume",
            "alice's job is suspended: it stands still and nobody comes in; then it goes on",
            SessionScenes::suspended),
        new NodeScene(
            "vm-end-kills",
            "alice's session left a process that ignores SIGTERM; her job ends",
            SessionScenes::ended),
        new NodeScene(
            "vm-logind-session",
            "alice comes through a PAM stack with pam_systemd",
            PamScenes::logind),
        new NodeScene(
            "vm-two-factors",
            "carol needs a key and then a password by keyboard-interactive",
            PamScenes::twoFactors),
        new NodeScene(
            "vm-outside-reported",
            "alice's session has her own systemd begin a program",
            OutsideScenes::told),
        new NodeScene(
            "vm-outside-adopted",
            "the same, and at, cron and a timer of a lingering systemd, with user_manager: adopt",
            OutsideScenes::adopted),
        new NodeScene(
            "vm-outside-denied", "the same with user_manager: deny", OutsideScenes::denied),
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
            SystemdScenes::agentKilled),
        new NodeScene(
            "vm-agent-deaf",
            "the agent is stopped by SIGSTOP; systemd ends it after WatchdogSec and starts it again",
            SystemdScenes::agentDeaf),
        new NodeScene(
            "vm-container",
            "alice's and bob's jobs have a /tmp and /dev/shm of their own",
            ContainerNodeScene::play));
  }

  /** Those of a node whose jobs are Slurm's: {@link SlurmOnNode}. */
  static List<NodeScene> withSlurm() {
    return List.of(
        new NodeScene(
            "vm-slurm",
            "a real Slurm on cgroup v2 under systemd has alice's job; she logs in by ssh",
            SlurmNodeScenes::byFiles),
        new NodeScene(
            "vm-slurm-agent-killed",
            "the same, while the agent is killed",
            SlurmNodeScenes::agentKilled),
        new NodeScene(
            "vm-slurm-two-jobs",
            "alice has two jobs of Slurm: the PAM module asks the agent",
            SlurmNodeScenes::byAgent));
  }

  /**
   * Refuses names of other scenes.
   *
   * @throws IllegalArgumentException naming them
   */
  static void check(List<String> names) {
    List<String> all = all().stream().map(NodeScene::name).toList();
    List<String> unknown = names.stream().filter(name -> !all.contains(name)).toList();
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException("no scenes of a node: " + unknown);
    }
  }
}
