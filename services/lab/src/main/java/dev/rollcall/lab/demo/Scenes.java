package dev.rollcall.lab.demo;

import dev.rollcall.lab.cluster.Topology;
import dev.rollcall.lab.slurm.SlurmCommandJobs;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The scenes, in the order in which they are played. Their names are for scripts: they stay. */
public final class Scenes {
  private Scenes() {}

  /** All of them where the agents own the jobs. */
  public static List<Scene> all() {
    return Stream.concat(
            everywhere().stream(),
            Stream.of(
                new Scene(
                    "daemonised-stays-accounted",
                    "alice's process daemonises on node2 and works on after its session was closed",
                    StrayScenes::accounted),
                new Scene(
                    "end-signals-and-waits",
                    "alice's job ends with a message and a grace while she has a session",
                    LifeScenes::told),
                new Scene(
                    "container-private-to-job",
                    "alice's and bob's jobs on node2 write to /tmp and /dev/shm",
                    ContainerScenes::isPrivate),
                new Scene(
                    "container-shared-by-step-and-session",
                    "a step of alice's job on node2 writes, a session of the same job reads",
                    ContainerScenes::isShared),
                new Scene(
                    "container-gone-with-job",
                    "alice's job on node2 leaves files behind, then it ends",
                    ContainerScenes::goes),
                new Scene(
                    "container-survives-agent",
                    "node2's agent is killed while alice's job has files in /tmp",
                    ContainerScenes::survives)))
        .toList();
  }

  /** Those of a cluster of gateways; none where there is one. */
  public static List<Scene> withGateways(int gateways) {
    return gateways == 1
        ? List.of()
        : List.of(
            new Scene(
                "one-gateway-killed",
                "node2's gateway of %d is killed; bob and alice log in; then it is back"
                    .formatted(gateways),
                GridScenes::oneKilled));
  }

  /** Those of a site's networks; none on the flat one. */
  public static List<Scene> withTopology(Topology topology) {
    return topology == Topology.FLAT
        ? List.of()
        : List.of(
            new Scene(
                "caller-pushed-across-racks",
                "alice goes from node1 to node2 in another rack; node1's agent counts the call",
                SiteScenes::pushed),
            new Scene(
                "two-jobs-caller-second-network",
                "alice has two jobs on node1 and node2 and goes ssh node2-ib from each",
                SiteScenes::secondNetwork),
            new Scene(
                "one-job-from-campus",
                "alice has one job on node2 and comes from outside, by ssh -J through login",
                SiteScenes::fromCampus));
  }

  /**
   * Those of a gateway in a container.
   *
   * @param folder the one with the gateway's image
   */
  public static List<Scene> withImage(Path folder) {
    return List.of(
        new Scene(
            "gateway-from-image",
            "the first gateway is stopped and runs from its OCI image; whois asks it about alice",
            new ImageScene(folder)::play));
  }

  private static List<Scene> everywhere() {
    return List.of(
        new Scene(
            "two-jobs-caller",
            "alice has two jobs on node1 and node2 and goes ssh node2 from each",
            stage -> CallerScenes.twoJobs(stage, "node2")),
        new Scene(
            "two-jobs-caller-ipv6",
            "the same over IPv6",
            stage -> CallerScenes.twoJobs(stage, "node2-6")),
        new Scene(
            "one-job-from-login",
            "alice has one job on node2 and comes from the login node",
            CallerScenes::oneJobFromLogin),
        new Scene(
            "two-jobs-from-login-newest",
            "alice has two jobs on node2 and comes from the login node",
            CallerScenes::twoJobsFromLogin),
        new Scene(
            "jobs-from-login",
            "alice has a job on node1 and node2 and runs rollcall jobs on the login node",
            LoginNodeScenes::jobs),
        new Scene(
            "ssh-job-from-login",
            "alice has two jobs on node2 and runs rollcall ssh OLDER on the login node",
            LoginNodeScenes::ssh),
        new Scene(
            "job-host-from-login",
            "the same by an editor's ssh job-OLDER, with the lines of docs/cli.md",
            LoginNodeScenes::jobHost),
        new Scene("no-job-refused", "bob has no job on node2", CallerScenes::noJob),
        new Scene(
            "third-hop-keeps-job",
            "alice has two jobs everywhere and goes on from the older: node1, node2, node3",
            CallerScenes::thirdHop),
        new Scene(
            "source-drops-incoming",
            "node1 drops every incoming call but ssh; alice goes from the older of two jobs",
            TroubleScenes::sourceDropsIncoming),
        new Scene(
            "source-stream-cut-one-job",
            "node1's stream to the gateway is cut; alice has one job",
            stage -> TroubleScenes.streamCut(stage, 1)),
        new Scene(
            "source-stream-cut-two-jobs",
            "node1's stream to the gateway is cut; alice goes from the older of two jobs",
            stage -> TroubleScenes.streamCut(stage, 2)),
        new Scene(
            "gateway-down-one-job",
            "every gateway is killed; alice has one job",
            stage -> TroubleScenes.gatewayDown(stage, 1)),
        new Scene(
            "gateway-down-two-jobs",
            "every gateway is killed; alice goes from the older of two jobs",
            stage -> TroubleScenes.gatewayDown(stage, 2)),
        new Scene(
            "background-outlives-session-dies-with-job",
            "alice leaves a process behind on node2, then her job ends",
            StrayScenes::background),
        new Scene(
            "stray-ignoring-sigterm",
            "the same with a process that ignores SIGTERM",
            StrayScenes::ignoresSigterm),
        new Scene(
            "suspended-job-refuses",
            "alice's only job is suspended, then resumed",
            LifeScenes::suspended),
        new Scene(
            "forger",
            "carol and alice's newer job forge node1's calls; alice goes from the older job",
            ForgerScene::play),
        new Scene(
            "whois-unannounced-port",
            "a job on node1 holds a plain connection to the gateway; login asks who called",
            WhoisScene::play),
        new Scene(
            "restart-keeps-sessions",
            "every agent and the gateway get SIGTERM while alice has a session; then they"
                + " start",
            LifeScenes::restarted),
        new Scene(
            "agent-killed-one-job",
            "node2's agent is killed; alice has one job; then the agent starts",
            AgentAwayScenes::killedOneJob),
        new Scene(
            "agent-killed-two-jobs",
            "node2's agent is killed; alice goes from the older of two jobs; then it starts",
            AgentAwayScenes::killedTwoJobs),
        new Scene(
            "agent-restarted-under-logins",
            "node2's agent is killed and started, then stopped and started, during 60 logins",
            AgentAwayScenes::restartedUnderLogins));
  }

  /** Those where Slurm owns the jobs, and what Slurm promises beside. */
  public static List<Scene> withSlurm(SlurmCommandJobs slurm) {
    var scenes = new SlurmScenes(slurm);
    return Stream.concat(
            everywhere().stream(),
            Stream.of(
                new Scene(
                    "session-in-sacct",
                    "alice computes in a session on node2, then her job is cancelled",
                    scenes::accounted),
                new Scene(
                    "session-has-the-jobs-gpus",
                    "alice's job has two of node2's four GPUs; her session opens each",
                    scenes::devices),
                new Scene(
                    "daemonised-in-sacct",
                    "the same with a process that daemonises and works on after its session",
                    scenes::daemonised)))
        .toList();
  }
}
