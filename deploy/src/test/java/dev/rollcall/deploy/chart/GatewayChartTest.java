package dev.rollcall.deploy.chart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GatewayChartTest {
  private static Manifest pod(Chart chart) {
    return chart.only("StatefulSet").at("spec", "template", "spec");
  }

  @Test
  void runsWithoutRootAndWithoutCapabilities() throws IOException {
    Manifest pod = pod(Chart.rendered());
    Manifest security = pod.at("containers").named("gateway").at("securityContext");

    assertEquals(true, pod.at("securityContext", "runAsNonRoot").content());
    assertEquals(false, security.at("allowPrivilegeEscalation").content());
    assertEquals(true, security.at("readOnlyRootFilesystem").content());
    assertEquals(List.of("ALL"), security.at("capabilities", "drop").content());
    assertFalse(pod.has("hostNetwork"));
    assertFalse(pod.has("hostPID"));
  }

  @Test
  void knowsEveryMemberByName() throws IOException {
    Manifest config = Chart.rendered().config("-gateway", "gateway.yaml.in");

    assertEquals(
        List.of(
            "hpc-rollcall-gateway-0.hpc-rollcall-gateway.rollcall.svc.cluster.local:7452",
            "hpc-rollcall-gateway-1.hpc-rollcall-gateway.rollcall.svc.cluster.local:7452",
            "hpc-rollcall-gateway-2.hpc-rollcall-gateway.rollcall.svc.cluster.local:7452"),
        config.at("members").content());
  }

  @Test
  void listensAndIsKnownAsItsOwnPod() throws IOException {
    Chart chart = Chart.rendered("gateway: {leaseSeconds: 20, callSeconds: 300}");
    Manifest config = chart.config("-gateway", "gateway.yaml.in");

    assertEquals("@POD_IP@:7450", config.at("listen").content());
    assertEquals("@POD_IP@:7452", config.at("member_listen").content());
    assertEquals("@POD_IP@:7453", config.at("metrics").content());
    assertEquals(
        "@POD_NAME@.hpc-rollcall-gateway.rollcall.svc.cluster.local:7450",
        config.at("advertise").content());
    assertEquals(20, config.at("lease_seconds").content());
    assertEquals(300, config.at("call_seconds").content());
    Manifest fills = pod(chart).at("initContainers").named("config").at("env");
    assertEquals(
        "status.podIP", fills.named("POD_IP").at("valueFrom", "fieldRef", "fieldPath").content());
    assertEquals(
        "metadata.name",
        fills.named("POD_NAME").at("valueFrom", "fieldRef", "fieldPath").content());
  }

  @Test
  void saysThatTheMembersPortIsProtectedOnlyWhereItIs() throws IOException {
    assertEquals("yes", protectedBy(""));
    assertEquals("no", protectedBy("networkPolicy: {enabled: false}"));
    assertEquals(
        "yes",
        protectedBy(
            "{networkPolicy: {enabled: false}, gateway: {memberNetworkIsProtected: true}}"));
  }

  private static Object protectedBy(String values) throws IOException {
    return Chart.rendered(values)
        .config("-gateway", "gateway.yaml.in")
        .at("member_network_is_protected")
        .content();
  }

  @Test
  void writesItsAuditLogToTheVolumeThatIsSaid() throws IOException {
    Manifest pod =
        pod(Chart.rendered("gateway: {auditVolume: {hostPath: {path: /audit}, emptyDir: null}}"));
    assertEquals(
        "/var/log/rollcall-gateway",
        pod.at("containers")
            .named("gateway")
            .at("volumeMounts")
            .named("audit")
            .at("mountPath")
            .content());
    assertEquals("/audit", pod.at("volumes").named("audit").at("hostPath", "path").content());
  }

  @Test
  void asksSqueueWhereOneIsNamed() throws IOException {
    Manifest without = Chart.rendered().config("-gateway", "gateway.yaml.in");
    assertFalse(without.has("squeue"));
    assertEquals(30, without.at("squeue_seconds").content());
    Manifest named =
        Chart.rendered("gateway: {squeue: /usr/bin/squeue, squeueSeconds: 60}")
            .config("-gateway", "gateway.yaml.in");
    assertEquals("/usr/bin/squeue", named.at("squeue").content());
    assertEquals(60, named.at("squeue_seconds").content());
  }

  @Test
  void offersTheConsoleAndNoReflectionUnlessToldOtherwise() throws IOException {
    Manifest usual = Chart.rendered().config("-gateway", "gateway.yaml.in");
    assertEquals("yes", usual.at("console").content());
    assertEquals("no", usual.at("reflection").content());
    Manifest told =
        Chart.rendered("gateway: {console: false, reflection: true}")
            .config("-gateway", "gateway.yaml.in");
    assertEquals("no", told.at("console").content());
    assertEquals("yes", told.at("reflection").content());
  }

  @Test
  void readsItsCertificateFromTheSecret() throws IOException {
    Chart chart = Chart.rendered("gateway: {tls: {secretName: door-keys}}");
    Manifest secret = pod(chart).at("volumes").named("tls").at("secret");

    assertEquals("door-keys", secret.at("secretName").content());
    assertEquals(
        Map.of(
            "ca", "/etc/rollcall/tls/ca.crt",
            "certificate", "/etc/rollcall/tls/tls.crt",
            "key", "/etc/rollcall/tls/tls.key"),
        chart.config("-gateway", "gateway.yaml.in").at("tls").content());
  }

  @Test
  void isReachedByNameThroughAHeadlessService() throws IOException {
    Manifest service = Chart.rendered().only("Service").at("spec");

    assertEquals("None", service.at("clusterIP").content());
    assertEquals(true, service.at("publishNotReadyAddresses").content());
    assertEquals(7450, service.at("ports").named("grpc").at("port").content());
  }

  @Test
  void losesOnePodAtATime() throws IOException {
    Manifest budget = Chart.rendered().only("PodDisruptionBudget").at("spec");

    assertEquals(1, budget.at("maxUnavailable").content());
    assertEquals(
        "gateway", budget.at("selector", "matchLabels", "app.kubernetes.io/component").content());
  }

  @Test
  void opensTheGridToMembersAlone() throws IOException {
    Manifest rule =
        ingress(Chart.rendered("networkPolicy: {metricsFrom: [{namespaceSelector: {}}]}"), 7452);

    assertEquals(1, rule.at("from").each().count());
    assertEquals(
        "gateway",
        rule.at("from", 0, "podSelector", "matchLabels", "app.kubernetes.io/component").content());
  }

  @Test
  void opensTheApiToTheNodesThatAreNamed() throws IOException {
    Manifest rule =
        ingress(Chart.rendered("networkPolicy: {agentCidrs: [10.1.0.0/16, 'fd77::/64']}"), 7450);

    assertEquals(
        List.of(
            Map.of("ipBlock", Map.of("cidr", "10.1.0.0/16")),
            Map.of("ipBlock", Map.of("cidr", "fd77::/64")),
            Map.of("podSelector", Map.of("matchLabels", testPod()))),
        rule.at("from").content());
  }

  /** Of the labels that the pod of "helm test" has. */
  private static Map<String, String> testPod() {
    return Map.of(
        "app.kubernetes.io/name", "rollcall",
        "app.kubernetes.io/instance", "hpc",
        "app.kubernetes.io/component", "test");
  }

  @Test
  void hasFurtherKeysWithTheirValues() throws IOException {
    Chart chart =
        Chart.rendered(
            """
            gateway:
              tls: {crl: crl.pem}
              extraConfig:
                administrators: [alice, 1000]
                login_nodes: ["login[1-4]"]
                services: {licence: ["10.20.0.5:27000"]}
                tokens: /etc/rollcall/token/token.key
                munge: /run/munge/munge.socket.2
                node_file: /etc/rollcall/hosts/nodes
                node_calls_per_second: 500
            """);
    Manifest text = chart.config("-gateway", "gateway.yaml.in");

    assertEquals("/etc/rollcall/tls/crl.pem", text.at("tls", "crl").content());
    assertEquals(500, text.at("node_calls_per_second").content());
    assertEquals(List.of("10.20.0.5:27000"), text.at("services", "licence").content());
    assertEquals(List.of("alice", 1000), text.at("administrators").content());
  }

  @Test
  void writesSwitchesAsAGatewayReadsThem() throws IOException {
    assertEquals(
        "no",
        Chart.rendered("gateway: {extraConfig: {some_switch: no}}")
            .config("-gateway", "gateway.yaml.in")
            .at("some_switch")
            .content());
  }

  @Test
  void reachesSlurmsControllerWithItsFiles() throws IOException {
    Chart chart = Chart.rendered(Files.readString(Chart.HOME.resolve("values-slurm.yaml")));
    List<Manifest> egress = chart.only("NetworkPolicy").at("spec", "egress").each().toList();

    assertEquals(3, egress.size());
    assertEquals(6817, egress.getLast().at("ports", 0, "port").content());
    assertEquals(
        "/run/munge", pod(chart).at("volumes").named("munge").at("hostPath", "path").content());
    assertEquals(
        "/etc/slurm",
        pod(chart)
            .at("containers")
            .named("gateway")
            .at("volumeMounts")
            .named("slurm")
            .at("mountPath")
            .content());
    assertEquals(2, Chart.rendered().only("NetworkPolicy").at("spec", "egress").each().count());
  }

  @Test
  void showsMetricsToNobodyByDefault() throws IOException {
    assertFalse(Chart.rendered().only("NetworkPolicy").text().contains("7453"));
  }

  @Test
  void isProbedOnItsMetricsPort() throws IOException {
    Manifest gateway = pod(Chart.rendered()).at("containers").named("gateway");

    assertEquals(7453, gateway.at("ports").named("metrics").at("containerPort").content());
    for (String probe : List.of("startupProbe", "readinessProbe", "livenessProbe")) {
      assertEquals("metrics", gateway.at(probe, "httpGet", "port").content());
      assertEquals("HTTPS", gateway.at(probe, "httpGet", "scheme").content());
    }
    assertEquals("/health/ready", gateway.at("readinessProbe", "httpGet", "path").content());
  }

  private static Manifest ingress(Chart chart, int port) {
    return chart
        .only("NetworkPolicy")
        .at("spec", "ingress")
        .each()
        .filter(rule -> rule.at("ports", 0, "port").content().equals(port))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no rule about port " + port));
  }
}
