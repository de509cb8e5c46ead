package dev.rollcall.deploy.chart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each manifest as the type that Kubernetes makes of it. */
class StrictTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{gateway: {enabled: false}, agent: {gateways: ['gate1.example:7450'], metrics:"
            + " '127.0.0.1:7451'}}",
        "{gateway: {replicas: 1, tls: {issuer: {name: hpc, kind: ClusterIssuer}}}, networkPolicy:"
            + " {enabled: false}}",
        "{agent: {tls: {csi: {driver: csi.cert-manager.io, volumeAttributes: {a: b}}},"
            + " maxUnavailable: 10%, resources: {limits: {memory: 300Mi}}, affinity: {nodeAffinity:"
            + " {}}}, imagePullSecrets: [{name: pull}]}",
        "{agent: {cgroupConf: 'ConstrainCores=yes', auditOnly: {node: true, users: [alice, 1007]}},"
            + " gateway: {console: false, reflection: true}}",
        "{networkPolicy: {agentCidrs: [10.0.0.0/8], metricsFrom: [{namespaceSelector: {}}]},"
            + " monitoring: {enabled: always, labels: {release: prometheus}}}",
      })
  void isOfItsType(String values) throws IOException {
    var problems = new TreeMap<String, String>();
    for (Manifest manifest : Chart.rendered(values).manifests()) {
      Kinds.problem(manifest).ifPresent(why -> problems.put(manifest.at("kind").text(), why));
    }
    assertEquals(Map.of(), problems);
  }

  @Test
  void isOfItsTypeWithSlurm() throws IOException {
    String values = Files.readString(Chart.HOME.resolve("values-slurm.yaml"));
    Chart chart = Chart.rendered(values, "1.29.0");
    for (Manifest manifest : chart.manifests()) {
      assertEquals(Optional.empty(), Kinds.problem(manifest));
    }
    Manifest config = chart.config("-agent", "agent.yaml");
    assertEquals("slurm", config.at("provider").content());
    assertEquals("/etc/slurm/slurm.conf", config.at("slurm_conf").content());
    assertEquals("/var/spool/slurmd", config.at("slurm_spool_directory").content());
    Manifest pod = chart.only("DaemonSet").at("spec", "template", "spec");
    assertEquals(
        "/var/spool/slurmd",
        pod.at("volumes").named("slurm-spool").at("hostPath", "path").content());
  }

  /** Shows that it looks, at every depth. */
  @Test
  void aFieldThatTheTypeDoesNotHaveIsSeen() {
    var pod =
        new Manifest(
            Map.of(
                "apiVersion",
                "v1",
                "kind",
                "Pod",
                "metadata",
                Map.of("name", "p"),
                "spec",
                Map.of("containers", List.of(Map.of("name", "c", "imagePullPolice", "Always")))));
    assertTrue(
        Kinds.problem(pod).orElseThrow().contains("imagePullPolice"),
        () -> Kinds.problem(pod).toString());
  }
}
