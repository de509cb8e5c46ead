package dev.rollcall.deploy.chart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.deploy.docs.Page;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

class ChartValuesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {nodename: a}                                   | nodename
          {agent: {anouncedPorts: [22]}}                  | anouncedPorts
          {agent: {announcedPorts: [0]}}                  | announcedPorts
          {agent: {announcedPorts: ['ssh']}}              | announcedPorts
          {agent: {clusterPrefixes: [10.0.0.1]}}          | clusterPrefixes
          {agent: {runDirectory: run/rollcall}}           | runDirectory
          {agent: {hierarchy: v3}}                        | hierarchy
          {agent: {bpf: yes please}}                      | bpf
          {agent: {metrics: '7451'}}                      | metrics
          {agent: {gateways: [gate1]}}                    | gateways
          {agent: {loginGraceSeconds: 0}}                 | loginGraceSeconds
          {agent: {tls: {secretName: one-for-all}}}       | secretName
          {agent: {trustedNamespaces: [/proc/1/ns/net]}}  | trustedNamespaces
          {agent: {resources: {request: {cpu: 1}}}}       | request
          {agent: {auditOnly: {groups: [pilot]}}}         | groups
          {agent: {auditOnly: {users: [-x]}}}             | users
          {agent: {cgroupConf: [ConstrainCores]}}         | cgroupConf
          {agent: {extraConfig: {bpf: auto}}}             | bpf
          {agent: {tls: {crl: ../crl.pem}}}               | crl
          {gateway: {extraConfig: {audit_file: /a}}}      | audit_file
          {gateway: {console: on please}}                 | console
          {gateway: {reflection: 1}}                      | reflection
          {gateway: {replicas: 0}}                        | replicas
          {gateway: {replicas: 1.5}}                      | replicas
          {gateway: {tls: {secretName: ''}}}              | secretName
          {gateway: {leaseSeconds: soon}}                 | leaseSeconds
          {gateway: {squeue: squeue}}                     | squeue
          {image: {repository: ''}}                       | repository
          {image: {pullPolicy: Sometimes}}                | pullPolicy
          {networkPolicy: {agentCidrs: [nodes]}}          | agentCidrs
          {monitoring: {runbookUrl: 'runbooks html'}}     | runbookUrl
          """)
  void refusesABadValueByName(String values, String named) {
    var refused = assertThrows(IllegalStateException.class, () -> Chart.rendered(values));

    assertTrue(
        String.valueOf(refused.getMessage()).contains(named),
        () -> "not told about " + named + ": " + refused.getMessage());
  }

  @Test
  void refusesAgentsWithoutAnyGateway() {
    var refused =
        assertThrows(
            IllegalStateException.class, () -> Chart.rendered("gateway: {enabled: false}"));

    assertTrue(String.valueOf(refused.getMessage()).contains("agent.gateways is required"));
  }

  /**
   * A key that the chart writes itself cannot be given again; and each is one that the program
   * knows, as the page is held to it.
   */
  @ParameterizedTest
  @CsvSource({"agent, agent.yaml", "gateway, gateway.yaml.in"})
  void theSchemaNamesTheKeysThatTheChartWrites(String program, String file) throws IOException {
    Chart chart =
        Chart.rendered(
            """
            agent:
              clusterPrefixes: [10.0.0.0/16]
              sessionEnvironment: [TMPDIR]
              systemCores: "0"
              systemMemory: 4G
              cgroupConf: ConstrainCores=yes
              slurm: {confDirectory: /etc/slurm, spoolDirectory: /var/spool/slurmd}
              trustedNamespaces: [/run/netns/slurmd]
            gateway: {squeue: /usr/bin/squeue}
            """);
    var written = new TreeSet<>(chart.config("-" + program, file).keys());
    // The pod has a volume at its default.
    if (program.equals("gateway")) {
      written.add("audit_file");
    }
    var schema = Chart.parse(Files.readString(Chart.HOME.resolve("values.schema.json"))).getFirst();
    Manifest refused =
        schema.at(
            "properties", program, "properties", "extraConfig", "propertyNames", "not", "enum");

    assertEquals(
        written, refused.each().map(Manifest::text).collect(Collectors.toCollection(TreeSet::new)));
    Set<String> known = Page.read("configuration.md").section("## " + program + ".yaml").rows();
    assertTrue(known.containsAll(written), () -> written + " of " + known);
  }

  /** So a misspelt value is refused at every depth. */
  @Test
  void theSchemaKnowsEveryValueAndNoOther() throws IOException {
    var open = new ArrayList<String>();
    var schema = Chart.parse(Files.readString(Chart.HOME.resolve("values.schema.json"))).getFirst();
    var values = new Load(LoadSettings.builder().build());
    compare(
        "",
        schema,
        Objects.requireNonNull(
            values.loadFromString(Files.readString(Chart.HOME.resolve("values.yaml")))),
        open);

    assertEquals(List.of(), open);
  }

  @Test
  void everyValueIsExplained() throws IOException {
    String readme = Files.readString(Chart.HOME.resolve("README.md"));
    var values =
        Chart.parse(Files.readString(Chart.HOME.resolve("values.yaml"))).getFirst().content();

    assertEquals(
        List.of(),
        leaves("", values).stream().filter(key -> !readme.contains("`" + key + "`")).toList());
  }

  private static void compare(String path, Manifest schema, Object value, List<String> open) {
    if (!(value instanceof Map<?, ?> map) || !schema.has("properties")) {
      return;
    }
    if (!schema.at("additionalProperties").content().equals(false)) {
      open.add(path + " takes any key");
    }
    map.forEach((key, below) -> {
      String name = path + "." + key;
      if (!schema.at("properties").has(key)) {
        open.add(name + " is not in the schema");
      } else {
        compare(name, schema.at("properties", key), below, open);
      }
    });
  }

  private static List<String> leaves(String path, Object value) {
    if (!(value instanceof Map<?, ?> map)
        || map.isEmpty()
        || path.endsWith("resources")
        || path.endsWith("nodeSelector")) {
      return List.of(path);
    }
    return map.entrySet().stream()
        .flatMap(entry ->
            leaves((path.isEmpty() ? "" : path + ".") + entry.getKey(), entry.getValue()).stream())
        .toList();
  }
}
