package dev.rollcall.deploy.chart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the Prometheus operator and cert-manager are given. */
class MonitoringChartTest {
  private static Chart monitored() throws IOException {
    return Chart.rendered("monitoring: {enabled: always, interval: 15s, labels: {release: prom}}");
  }

  /** Helm renders here without an API server that would know the operator's kinds. */
  @Test
  void isNotThereWhereTheOperatorsKindsAreNot() throws IOException {
    assertFalse(Chart.rendered().kinds().contains("ServiceMonitor"));
    assertFalse(Chart.rendered("monitoring: {enabled: never}").kinds().contains("PrometheusRule"));
    assertTrue(
        monitored().kinds().containsAll(List.of("ServiceMonitor", "PodMonitor", "PrometheusRule")));
  }

  @Test
  void gatewaysAreScrapedByTlsUnderTheNameOfTheirService() throws IOException {
    Manifest monitor = monitored().only("ServiceMonitor");
    Manifest endpoint = monitor.at("spec", "endpoints", 0);

    assertEquals("prom", monitor.at("metadata", "labels", "release").content());
    assertEquals("https", endpoint.at("scheme").content());
    assertEquals("15s", endpoint.at("interval").content());
    assertEquals(
        "hpc-rollcall-gateway.rollcall.svc.cluster.local",
        endpoint.at("tlsConfig", "serverName").content());
    assertEquals(
        Map.of("name", "rollcall-prometheus-tls", "key", "tls.key"),
        endpoint.at("tlsConfig", "keySecret").content());
    assertEquals("rollcall-gateway", endpoint.at("relabelings", 0, "replacement").content());
    assertEquals("cluster", endpoint.at("relabelings", 1, "replacement").content());
  }

  @Test
  void agentsAreScrapedAtTheirNodesAddress() throws IOException {
    Manifest endpoint = monitored().only("PodMonitor").at("spec", "podMetricsEndpoints", 0);

    assertEquals("https", endpoint.at("scheme").content());
    assertEquals("rollcall-agent", endpoint.at("relabelings", 0, "replacement").content());
    assertEquals("cluster", endpoint.at("relabelings", 1, "replacement").content());
    assertEquals("$1:7451", endpoint.at("relabelings", 3, "replacement").content());
  }

  @Test
  void agentsOnLoopbackAreNotScraped() throws IOException {
    assertFalse(
        Chart.rendered("{monitoring: {enabled: always}, agent: {metrics: '127.0.0.1:7451'}}")
            .kinds()
            .contains("PodMonitor"));
  }

  @Test
  void theRulesAreThoseThatAreShipped() throws IOException {
    String shipped = Files.readString(Path.of("prometheus/rollcall.rules.yml"));
    assertEquals(
        Chart.parse(shipped).getFirst().at("groups"),
        monitored().only("PrometheusRule").at("spec", "groups"));
  }

  @Test
  void theAlertsLeadToTheRunbooksOfTheSite() throws IOException {
    String values = "monitoring: {enabled: always, runbookUrl: 'https://wiki.site/rollcall'}";
    Manifest groups = Chart.rendered(values).only("PrometheusRule").at("spec", "groups");

    assertEquals(
        "https://wiki.site/rollcall#rollcallagentdown",
        groups.named("rollcall-agents").at("rules", 2, "annotations", "runbook_url").content());
    assertFalse(groups.text().contains("docs/runbooks.md"), groups::text);
  }

  @Test
  void anIssuerMakesTheGatewaysCertificateWithNamesAndRole() throws IOException {
    Manifest certificate =
        Chart.rendered("{cluster: alps, gateway: {replicas: 1, tls: {issuer: {name: hpc}}}}")
            .only("Certificate")
            .at("spec");

    assertEquals("rollcall-gateway-tls", certificate.at("secretName").content());
    assertEquals(
        List.of(
            "hpc-rollcall-gateway.rollcall.svc.cluster.local",
            "hpc-rollcall-gateway-0.hpc-rollcall-gateway.rollcall.svc.cluster.local"),
        certificate.at("dnsNames").content());
    assertEquals(List.of("rollcall://alps/gateway/hpc-rollcall"), certificate.at("uris").content());
    assertEquals("PKCS8", certificate.at("privateKey", "encoding").content());
    assertFalse(Chart.rendered().kinds().contains("Certificate"));
  }

  @Test
  void theHelmTestAsksEveryGateway(@TempDir Path folder) throws IOException {
    Manifest test =
        Chart.renderedWithTests(folder.resolve("chart"), "gateway: {replicas: 2}").only("Pod");
    String script = test.at("spec", "containers", 0, "command", 2).text();

    assertEquals(Optional.empty(), Kinds.problem(test));
    for (String gateway : List.of("gateway-0", "gateway-1")) {
      String name = gateway + ".hpc-rollcall-gateway.rollcall.svc.cluster.local:7450";
      assertTrue(script.contains(name), script);
    }
    String template = Files.readString(Chart.HOME.resolve("templates/tests/gateway.yaml"));
    assertTrue(template.contains("helm.sh/hook: test"));
  }
}
