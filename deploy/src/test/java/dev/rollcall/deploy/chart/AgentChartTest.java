package dev.rollcall.deploy.chart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AgentChartTest {
  private static Manifest pod(Chart chart) {
    return chart.only("DaemonSet").at("spec", "template", "spec");
  }

  private static Manifest container(Chart chart) {
    return pod(chart).at("containers").named("agent");
  }

  @Test
  void sharesProcessesAndNetworkWithItsNode() throws IOException {
    Manifest pod = pod(Chart.rendered());

    assertEquals(true, pod.at("hostPID").content());
    assertEquals(true, pod.at("hostNetwork").content());
    assertEquals("ClusterFirstWithHostNet", pod.at("dnsPolicy").content());
    assertEquals("system-node-critical", pod.at("priorityClassName").content());
  }

  @Test
  void hasTheCapabilitiesOfTheSystemdUnitThatAreNotForContainers() throws IOException {
    Manifest security = container(Chart.rendered()).at("securityContext");

    assertEquals(false, security.at("privileged").content());
    assertEquals(true, security.at("readOnlyRootFilesystem").content());
    assertEquals(List.of("ALL"), security.at("capabilities", "drop").content());
    assertEquals(
        List.of("DAC_OVERRIDE", "KILL", "NET_ADMIN", "SYS_ADMIN", "SYS_NICE", "SYS_PTRACE"),
        security.at("capabilities", "add").content());
  }

  @Test
  void opensNoPortOfTheGridOnAComputeNode() throws IOException {
    Chart chart = Chart.rendered();

    assertFalse(container(chart).has("ports"));
    assertFalse(chart.only("DaemonSet").text().contains("7452"));
    assertFalse(chart.of("ConfigMap", "-agent").text().contains("7452"));
    assertFalse(chart.config("-agent", "agent.yaml").has("member_listen"));
  }

  @Test
  void seesTheNodesCgroupsPinsAndLoginSocket() throws IOException {
    Manifest pod = pod(Chart.rendered());
    Manifest mounts = pod.at("containers").named("agent").at("volumeMounts");

    Map<String, String> places =
        Map.of(
            "cgroup", "/sys/fs/cgroup",
            "bpf", "/sys/fs/bpf",
            "run", "/run/rollcall",
            "state", "/var/lib/rollcall",
            "netns", "/run/netns");
    places.forEach((name, path) -> {
      assertEquals(path, pod.at("volumes").named(name).at("hostPath", "path").content());
      assertEquals(path, mounts.named(name).at("mountPath").content());
    });
    assertFalse(mounts.named("cgroup").has("readOnly"));
    assertFalse(mounts.named("bpf").has("readOnly"));
  }

  /** JobScope looks for /run/systemd/system, and SystemBus connects to the socket in /run/dbus. */
  @Test
  void asksTheNodesSystemdForTheScopeOfTheJobs() throws IOException {
    Manifest pod = pod(Chart.rendered());
    Manifest mounts = pod.at("containers").named("agent").at("volumeMounts");

    Map.of("systemd", "/run/systemd", "dbus", "/run/dbus")
        .forEach((name, path) -> {
          Manifest node = pod.at("volumes").named(name).at("hostPath");
          assertEquals(path, node.at("path").content());
          // A node without systemd has neither, and must not get /run/systemd/system.
          assertEquals("DirectoryOrCreate", node.at("type").content());
          assertEquals(path, mounts.named(name).at("mountPath").content());
          assertEquals(true, mounts.named(name).at("readOnly").content());
        });
  }

  @Test
  void worksInTheNodesCgroupNamespace() throws IOException {
    assertEquals(
        List.of("/opt/rollcall/bin/start-agent", "--config", "/etc/rollcall/agent.yaml"),
        container(Chart.rendered()).at("command").content());
  }

  @Test
  void isProbedWhereItServesMetrics() throws IOException {
    Manifest container = container(Chart.rendered("agent: {metrics: '127.0.0.1:9451'}"));

    for (String probe : List.of("startupProbe", "readinessProbe", "livenessProbe")) {
      assertEquals(9451, container.at(probe, "httpGet", "port").content());
      assertEquals("127.0.0.1", container.at(probe, "httpGet", "host").content());
    }
    assertEquals("/health/ready", container.at("readinessProbe", "httpGet", "path").content());
    assertEquals("/health/live", container.at("livenessProbe", "httpGet", "path").content());
  }

  /** The port requires a client certificate, and a kubelet has none. */
  @Test
  void isProbedWithoutACertificate() throws IOException {
    Chart chart = Chart.rendered("agent: {runDirectory: /run/door}");

    assertEquals("0.0.0.0:7451", chart.config("-agent", "agent.yaml").at("metrics").content());
    for (String probe : List.of("startupProbe", "readinessProbe")) {
      assertEquals(
          List.of("grep", "-qF", " /run/door/login.sock", "/proc/net/unix"),
          container(chart).at(probe, "exec", "command").content());
    }
    assertEquals(7451, container(chart).at("livenessProbe", "tcpSocket", "port").content());
    assertEquals(6, container(chart).at("livenessProbe", "failureThreshold").content());
  }

  @Test
  void takesTheNodesOwnCertificate() throws IOException {
    Manifest volume = pod(Chart.rendered()).at("volumes").named("tls");

    assertEquals("/etc/rollcall/tls", volume.at("hostPath", "path").content());
    assertEquals("Directory", volume.at("hostPath", "type").content());
  }

  @Test
  void takesACertificateOfACsiDriverInstead() throws IOException {
    Manifest volume =
        pod(Chart.rendered(
                "agent: {tls: {csi: {driver: csi.example, volumeAttributes: {issuer: hpc}}}}"))
            .at("volumes")
            .named("tls");

    assertFalse(volume.has("hostPath"));
    assertEquals(
        Map.of(
            "driver", "csi.example", "readOnly", true, "volumeAttributes", Map.of("issuer", "hpc")),
        volume.at("csi").content());
  }

  @Test
  void connectsToEveryGatewayOfTheRelease() throws IOException {
    Manifest config = Chart.rendered("gateway: {replicas: 2}").config("-agent", "agent.yaml");

    assertEquals(
        List.of(
            "hpc-rollcall-gateway-0.hpc-rollcall-gateway.rollcall.svc.cluster.local:7450",
            "hpc-rollcall-gateway-1.hpc-rollcall-gateway.rollcall.svc.cluster.local:7450"),
        config.at("gateways").content());
  }

  @Test
  void passesItsValuesOn() throws IOException {
    Manifest config =
        Chart.rendered(
                """
                cluster: alps-2
                agent:
                  runDirectory: /run/door
                  stateDirectory: /srv/state
                  hierarchy: v1
                  announcedPorts: [22, 27000-27009 50/s]
                  clusterPrefixes: [10.0.0.0/8, 'fd00::/8']
                  metrics: 127.0.0.1:1
                  bpf: 'off'
                  loginGraceSeconds: 60
                  trustedNamespaces: [/run/netns/hpc]
                """)
            .config("-agent", "agent.yaml");

    assertEquals("alps-2", config.at("cluster").content());
    assertEquals("/run/door", config.at("run_directory").content());
    assertEquals("/srv/state", config.at("state_directory").content());
    assertEquals("v1", config.at("hierarchy").content());
    assertEquals(List.of(22, "27000-27009 50/s"), config.at("announced_ports").content());
    assertEquals(List.of("10.0.0.0/8", "fd00::/8"), config.at("cluster_prefixes").content());
    assertEquals("127.0.0.1:1", config.at("metrics").content());
    assertEquals("off", config.at("bpf").content());
    assertEquals(60, config.at("login_grace_seconds").content());
    assertEquals(List.of("/run/netns/hpc"), config.at("trusted_namespaces").content());
  }

  @Test
  void readsTheSitesCgroupConfWhereThereIsOne() throws IOException {
    assertFalse(Chart.rendered().config("-agent", "agent.yaml").has("cgroup_conf"));
    String text = "# ours\nConstrainCores=yes\nAllowedRAMSpace=98.5\n";
    Chart chart =
        Chart.rendered(
            "agent: {cgroupConf: \"# ours\\nConstrainCores=yes\\nAllowedRAMSpace=98.5\\n\"}");

    assertEquals(
        "/etc/rollcall/cgroup.conf",
        chart.config("-agent", "agent.yaml").at("cgroup_conf").content());
    assertEquals(text, chart.of("ConfigMap", "-agent").at("data", "cgroup.conf").content());
    assertEquals(
        "cgroup.conf",
        container(chart)
            .at("volumeMounts")
            .each()
            .filter(mount -> mount.at("mountPath").content().equals("/etc/rollcall/cgroup.conf"))
            .findFirst()
            .orElseThrow()
            .at("subPath")
            .content());
  }

  /** As a directory, by which the kubelet brings changes, and without a restart of the agents. */
  @Test
  void onlyWatchesWhomTheSiteSays() throws IOException {
    Chart nobody = Chart.rendered();
    Chart some = Chart.rendered("agent: {auditOnly: {users: [alice, 100007]}}");

    assertEquals("no", watched(nobody).at("node").content());
    assertEquals(List.of(), watched(nobody).at("users").content());
    assertEquals(List.of("alice", "+100007"), watched(some).at("users").content());
    assertEquals(
        "yes", watched(Chart.rendered("agent: {auditOnly: {node: true}}")).at("node").content());
    Manifest mount = container(some).at("volumeMounts").named("audit-only");
    assertFalse(mount.has("subPath"));
    assertEquals(
        mount.at("mountPath").content() + "/audit_only.yaml",
        some.config("-agent", "agent.yaml").at("audit_only_file").content());
    assertEquals(
        nobody.only("DaemonSet").text(), some.only("DaemonSet").text(), "agents would restart");
  }

  private static Manifest watched(Chart chart) {
    return chart.config("-agent-audit-only", "audit_only.yaml");
  }

  @Test
  void isUnconfinedByAppArmorInTheWayEachKubernetesKnows() throws IOException {
    String annotation = "container.apparmor.security.beta.kubernetes.io/agent";
    Manifest older = Chart.rendered("", "1.29.0").only("DaemonSet").at("spec", "template");
    Manifest newer = Chart.rendered("", "1.30.0").only("DaemonSet").at("spec", "template");

    assertEquals("unconfined", older.at("metadata", "annotations", annotation).content());
    assertFalse(newer.at("metadata", "annotations").has(annotation));
    assertEquals(
        "Unconfined",
        newer.at("spec", "containers", 0, "securityContext", "appArmorProfile", "type").content());
  }
}
