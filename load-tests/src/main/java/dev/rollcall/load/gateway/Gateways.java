package dev.rollcall.load.gateway;

import dev.rollcall.load.bench.BenchFailedException;
import dev.rollcall.wire.tls.TlsFiles;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The gateways of one cluster, one grid, on this machine's loopback. Closing kills them. */
public final class Gateways implements AutoCloseable {
  private static final int PORTS_EACH = 3;

  private final List<GatewayProcess> all = new ArrayList<>();

  private Gateways() {}

  /**
   * Starts some; returns when all are ready.
   *
   * @param directory for their configuration and logs
   * @param tls absent: in clear
   * @param more lines of their YAML
   * @param options of their JVMs, the last to count
   */
  public static Gateways start(
      int count,
      Path distribution,
      Path directory,
      Optional<TlsFiles> tls,
      List<String> more,
      String options) {
    var gateways = new Gateways();
    try {
      List<Integer> ports = freePorts(count * PORTS_EACH);
      for (int i = 0; i < count; i++) {
        Path own = Files.createDirectories(directory.resolve("gateway" + i));
        String text = configuration(own, i, count, ports, tls) + String.join("\n", more) + "\n";
        Path config = Files.writeString(own.resolve("gateway.yaml"), text);
        gateways.all.add(
            new GatewayProcess(
                command(distribution, config, own.resolve("log"), options),
                own.resolve("log"),
                ports.get(i * PORTS_EACH),
                ports.get(i * PORTS_EACH + 1)));
      }
      gateways.startAll();
      return gateways;
    } catch (IOException e) {
      throw new BenchFailedException("cannot configure a gateway: " + e.getMessage(), e);
    } catch (RuntimeException e) {
      gateways.close();
      throw e;
    }
  }

  private static String configuration(
      Path own, int number, int count, List<Integer> ports, Optional<TlsFiles> tls) {
    var members = new ArrayList<String>();
    for (int i = 0; count > 1 && i < count; i++) {
      members.add("\"127.0.0.1:" + ports.get(i * PORTS_EACH + 2) + "\"");
    }
    int at = number * PORTS_EACH;
    return """
    cluster: %s
    listen: "127.0.0.1:%d"
    metrics: "127.0.0.1:%d"
    member_listen: "127.0.0.1:%d"
    members: [%s]
    lease_seconds: 15
    audit_file: "%s"
    service_calls_per_second: 1000000
    """
            .formatted(
                ClusterCertificates.CLUSTER,
                ports.get(at),
                ports.get(at + 1),
                ports.get(at + 2),
                String.join(", ", members),
                own.resolve("audit.jsonl"))
        + tls.map(Gateways::lines).orElse("");
  }

  private static String lines(TlsFiles tls) {
    return """
    tls:
      ca: "%s"
      certificate: "%s"
      key: "%s"
    """
        .formatted(tls.ca(), tls.certificate(), tls.key());
  }

  private static ProcessBuilder command(Path distribution, Path config, Path log, String options) {
    var command =
        new ProcessBuilder(
                Favoured.command(
                    distribution.resolve("bin/rollcall").toString(),
                    "gateway",
                    "--config",
                    config.toString()))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(new File(log.toString())));
    command.environment().put("JAVA_HOME", System.getProperty("java.home"));
    command.environment().put("ROLLCALL_GATEWAY_OPTS", options);
    return command;
  }

  /** Free now; nothing keeps others from taking one before the gateway does. */
  private static List<Integer> freePorts(int count) throws IOException {
    var open = new ArrayList<ServerSocket>();
    try {
      for (int i = 0; i < count; i++) {
        open.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
      return open.stream().map(ServerSocket::getLocalPort).toList();
    } finally {
      for (ServerSocket socket : open) {
        socket.close();
      }
    }
  }

  public List<GatewayProcess> all() {
    return List.copyOf(all);
  }

  public GatewayProcess get(int number) {
    return all.get(number);
  }

  /** Starts those that do not run, one after another; returns when all are ready. */
  public void startAll() {
    for (GatewayProcess one : all) {
      if (!one.isAlive()) {
        one.start();
        one.awaitReady(); // two that start at once take the processor from each other
      }
    }
  }

  /** Starts those that do not run, all at once; returns before they are ready. */
  public void startTogether() {
    all.stream().filter(one -> !one.isAlive()).forEach(GatewayProcess::start);
  }

  /** Processor time of all that run, in nanoseconds. */
  public long cpuNanos() {
    return all.stream()
        .filter(GatewayProcess::isAlive)
        .mapToLong(one -> ProcessCost.cpuNanos(one.pid()))
        .sum();
  }

  /** What of it their compilers took. */
  public long compilingNanos() {
    return all.stream()
        .filter(GatewayProcess::isAlive)
        .mapToLong(one -> ProcessCost.compilingNanos(one.pid()))
        .sum();
  }

  /** Live heap of all that run, in bytes. */
  public long liveHeapBytes() {
    return all.stream()
        .filter(GatewayProcess::isAlive)
        .mapToLong(one -> ProcessCost.liveHeapBytes(one.pid()))
        .sum();
  }

  public String endOfLogs() {
    return all.stream().map(GatewayProcess::endOfLog).collect(Collectors.joining("\n--\n"));
  }

  @Override
  public void close() {
    all.forEach(GatewayProcess::kill);
  }
}
