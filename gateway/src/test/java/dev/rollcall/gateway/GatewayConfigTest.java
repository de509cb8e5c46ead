package dev.rollcall.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rollcall.gateway.identity.NamedCertificates;
import dev.rollcall.gateway.limit.Rates;
import dev.rollcall.model.Endpoint;
import dev.rollcall.settings.BadConfigException;
import dev.rollcall.settings.ConfigFile;
import dev.rollcall.settings.HostPort;
import dev.rollcall.settings.MetricsPlace;
import dev.rollcall.wire.tls.TlsFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GatewayConfigTest {
  private static GatewayConfig read(String text) throws BadConfigException {
    return GatewayConfig.read(ConfigFile.of("gateway.yaml", text));
  }

  @Test
  void anEmptyFileIsTheEmbeddedDefault() throws Exception {
    var loopback = new HostPort("127.0.0.1", 7450);
    assertEquals(
        new GatewayConfig(
            "cluster",
            loopback,
            loopback,
            List.of(),
            Endpoint.parse("127.0.0.1:7452"),
            false,
            Optional.empty(),
            new MetricsPlace.Socket(Path.of("/run/rollcall-gateway/metrics.sock")),
            Duration.ofSeconds(180),
            Duration.ofSeconds(150),
            Optional.empty(),
            Duration.ofSeconds(30),
            Path.of("/var/log/rollcall-gateway/audit.jsonl"),
            new GatewayConfig.Offered(true, false, Optional.empty(), Optional.empty()),
            new TrustConfig(
                NamedCertificates.NONE,
                Set.of(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Duration.ofHours(12),
                Optional.empty(),
                new Rates(100, 1_000, 50_000))),
        read(""));
    assertEquals(read(""), GatewayConfig.DEFAULTS);
  }

  @Test
  void everyKeyCanBeSet() throws Exception {
    assertEquals(
        new GatewayConfig(
            "blue",
            new HostPort("10.0.0.9", 1),
            new HostPort("gate.example", 2),
            List.of("10.0.0.8:3", "[fd77::9]:3"),
            Endpoint.parse("10.0.0.9:3"),
            true,
            Optional.of(
                new TlsFiles(
                    Path.of("/a"), Path.of("/b"), Path.of("/c"), Optional.of(Path.of("/d")))),
            new MetricsPlace.Port(new HostPort("::1", 4)),
            Duration.ofSeconds(30),
            Duration.ofSeconds(60),
            Optional.of(Path.of("/usr/bin/squeue")),
            Duration.ofSeconds(1),
            Path.of("/audit"),
            new GatewayConfig.Offered(
                false,
                true,
                Optional.of("https://grafana.example/d/j?var-job={job}"),
                Optional.of("http://[fd77::1]:3000/d/n?var-instance={node}:7451")),
            new TrustConfig(
                new NamedCertificates(
                    Set.of("alice", "Bob B."),
                    Map.of("licence", Set.of(Endpoint.parse("10.0.0.5:27000"))),
                    List.of("login[1-2]")),
                Set.of(1000),
                Optional.empty(),
                List.of(),
                Optional.of(Path.of("/run/munge/munge.socket.2")),
                Duration.ofHours(12),
                Optional.empty(),
                new Rates(1, 2, 3))),
        read(
            """
            cluster: blue
            listen: "10.0.0.9:1"
            advertise: "gate.example:2"
            members: ["10.0.0.8:3", "[fd77::9]:3"]
            member_listen: "10.0.0.9:3"
            member_network_is_protected: yes
            tls:
              ca: /a
              certificate: /b
              key: /c
              crl: /d
            metrics: "[::1]:4"
            lease_seconds: 30
            call_seconds: 60
            grafana_job_url: "https://grafana.example/d/j?var-job={job}"
            grafana_node_url: "http://[fd77::1]:3000/d/n?var-instance={node}:7451"
            squeue: /usr/bin/squeue
            squeue_seconds: 1
            audit_file: /audit
            console: no
            reflection: yes
            administrators: [alice, "Bob B.", 1000]
            munge: /run/munge/munge.socket.2
            user_calls_per_second: 1
            node_calls_per_second: 2
            service_calls_per_second: 3
            login_nodes: ["login[1-2]"]
            services:
              licence: ["10.0.0.5:27000"]
            """));
  }

  @Test
  void metricsMayBeOnASocket() throws Exception {
    assertEquals(
        new MetricsPlace.Socket(Path.of("/run/m.sock")), read("metrics: /run/m.sock").metrics());
  }

  @Test
  void whatIsNotAdvertisedIsWhereItListens() throws Exception {
    assertEquals(new HostPort("127.0.0.1", 9), read("listen: '127.0.0.1:9'").advertise());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "lisen: '127.0.0.1:1' | gateway.yaml line 1: unknown key 'lisen'; known are administrators,"
            + " advertise, audit_file, call_seconds, cluster, console, grafana_job_url,"
            + " grafana_node_url, lease_seconds, listen,"
            + " login_nodes, member_listen, member_network_is_protected, members, metrics, munge,"
            + " node_calls_per_second, node_file, node_networks, reflection,"
            + " service_calls_per_second, services,"
            + " squeue, squeue_seconds, tls, token_hours, tokens, user_calls_per_second",
        "listen: '127.0.0.1' | gateway.yaml line 1: listen: '127.0.0.1' is not HOST:PORT",
        "lease_seconds: 1 | gateway.yaml line 1: lease_seconds: '1' is not a number from 3 to"
            + " 86400",
        "grafana_job_url: 'https://g/d/j' | gateway.yaml line 1: grafana_job_url: 'https://g/d/j' is"
            + " not an address of http or https with {job}",
        "grafana_node_url: 'javascript:alert({node})' | gateway.yaml line 1: grafana_node_url:"
            + " 'javascript:alert({node})' is not an address of http or https with {node}",
        "squeue: squeue | gateway.yaml line 1: squeue: 'squeue' is not an absolute path",
        "token_hours: 169 | gateway.yaml line 1: token_hours: '169' is not a number from 1 to 168",
        "squeue_seconds: 0 | gateway.yaml line 1: squeue_seconds: '0' is not a number from 1 to"
            + " 86400",
        "members: 'a:1' | gateway.yaml line 1: members: expected a list",
        "member_listen: 'a:1' | gateway.yaml line 1: member_listen: 'a:1' is not ADDRESS:PORT",
        "member_listen: '0.0.0.0:7452' | gateway.yaml line 1: member_listen: 0.0.0.0:7452: name one"
            + " address, not every one",
        "member_network_is_protected: maybe | gateway.yaml line 1: member_network_is_protected:"
            + " 'maybe' is neither yes nor no",
        "listen: '10.0.0.1:1' | gateway.yaml line 1: listen: 10.0.0.1:1 is not on loopback, so tls is required",
        "metrics: '10.0.0.1:1' | gateway.yaml line 1: metrics: 10.0.0.1:1 is not on loopback, so tls is required",
        "advertise: '0.0.0.0:1' | gateway.yaml line 1: advertise: 0.0.0.0:1 is not an address that other machines can"
            + " reach",
        "cluster: c\\nlisten: '0.0.0.0:1'\\ntls: {ca: /a, key: /b, certificate: /c} | gateway.yaml:"
            + " advertise: 0.0.0.0:1 is not an address that other machines can reach",
        "cluster: c\\ntls: {} | gateway.yaml line 2: key 'tls.ca' is missing",
        "tls: {ca: /a, key: /b} | gateway.yaml line 1: key 'tls.certificate' is missing",
        "tls: {ca: a, key: /b, certificate: /c} | gateway.yaml line 1: ca: 'a' is not an absolute"
            + " path",
        "user_calls_per_second: 0 | gateway.yaml line 1: user_calls_per_second: '0' is not a number"
            + " from 1 to 1000000",
        "administrators: [0] | gateway.yaml line 1: administrators: '0' is root, which exists on"
            + " every node: give administrators a certificate",
        "administrators: [4294967295] | gateway.yaml line 1: administrators: '4294967295' is not a"
            + " uid",
        "services: [a] | gateway.yaml line 1: services: expected names with lists",
        "services: {a: ['b']} | gateway.yaml line 1: services.a: 'b' is not ADDRESS:PORT",
        "services: {a: 1} | gateway.yaml line 1: services.a: expected a list",
        "{administrators: [a], services: {a: []}} | gateway.yaml line 1: services: 'a' is among the administrators as"
            + " well",
        "administrators: [' '] | gateway.yaml line 1: administrators: ' ' is not a name",
        "cluster: 'a b' | gateway.yaml line 1: cluster: 'a b' is not a name"
      })
  void whatMakesNoSenseIsRefusedByName(String text, String message) {
    var failure = assertThrows(BadConfigException.class, () -> read(text.replace("\\n", "\n")));
    assertEquals(message, failure.getMessage());
  }
}
