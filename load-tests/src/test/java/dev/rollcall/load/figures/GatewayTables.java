package dev.rollcall.load.figures;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Makes the tables of lookups, processes, many nodes and announcements. */
final class GatewayTables {
  private static final List<String> SIZES = List.of("100", "300", "1000", "3000");

  private final KeptFigures figures;

  private GatewayTables(KeptFigures figures) {
    this.figures = figures;
  }

  /** Each under its name in the page. */
  static Map<String, String> of(KeptFigures figures) {
    var tables = new GatewayTables(figures);
    return Map.of(
        "lookups", tables.lookups(),
        "processes", tables.processes(),
        "many nodes", tables.manyNodes(),
        "10,000 nodes", tables.tenThousandNodes(),
        "announcements", tables.announcements());
  }

  private String lookups() {
    KeptRun run = figures.run("lookup");
    var table = new MarkdownTable("", "answers", "echo", "rate", "p50", "p99", "p99.9");
    for (String method : List.of("IdentifyMany", "Identify")) {
      for (String gateways : List.of("one gateway", "three gateways")) {
        for (String transport : List.of("plaintext", "TLS")) {
          String name = String.join(", ", method, gateways, transport);
          KeptCase core = run.of(name + ", of a core");
          KeptCase latency = run.of(name + ", latency at half of it");
          table.row(
              name,
              Digits.whole(core.number("ours")),
              Digits.whole(core.number("floor")),
              Digits.whole(latency.number("rate")),
              millis(latency, "ours"),
              millis(latency, "spread.ours.p99"),
              millis(latency, "spread.ours.p99.9"));
        }
      }
    }
    return table.toString();
  }

  private static String millis(KeptCase one, String path) {
    return Digits.significant(one.in("ms", path), 2) + " ms";
  }

  private String processes() {
    var table = new MarkdownTable("", "1,000 nodes", "10,000 nodes");
    processes(
        table,
        "heap of a process, with the backup and the nodes' entries",
        "heap of a process",
        one -> Digits.whole(one.number("ours")) + " bytes");
    processes(
        table,
        "heap of all three members for them",
        "heap of a process",
        one -> Digits.whole(one.number("mib_of_three_members")) + " MiB");
    processes(table, "one process: median, p99", "one process", GatewayTables::medianAndLongest);
    processes(
        table,
        "one process: CPU of all members",
        "one process",
        one -> Digits.significant(one.number("cpu_us") / 1e3, 2) + " ms");
    processes(
        table,
        "a process that no job has: median, p99",
        "one that no job has",
        GatewayTables::medianAndLongest);
    processes(
        table,
        "1,000 processes in a request: median, p99",
        "1,000 processes in a request",
        GatewayTables::medianAndLongest);
    processes(
        table,
        "the same: CPU of all members for each process",
        "1,000 processes in a request",
        one -> Digits.whole(one.number("cpu_us_of_each")) + " µs");
    return table.toString();
  }

  private void processes(
      MarkdownTable table, String label, String name, Function<KeptCase, String> cell) {
    KeptRun run = figures.run("processes");
    table.row(
        label,
        cell.apply(run.of("1000 nodes, " + name)),
        cell.apply(run.of("10000 nodes, " + name)));
  }

  private static String medianAndLongest(KeptCase one) {
    return millis(one, "ours") + ", " + millis(one, "spread.ours.p99");
  }

  private String manyNodes() {
    var table = new MarkdownTable("nodes", "100", "300", "1,000", "3,000");
    sizes(table, "CPU to connect, each", "CPU to connect, each", 3, "ms");
    sizes(table, "heap, each", "heap, each", 2, "KiB");
    sizes(table, "CPU at rest, a second", "at rest", 2, "ms");
    sizes(table, "CPU of a wave: 100 jobs, 100,000 processes", "CPU of a wave", 2, "s");
    sizes(table, "heap of a process", "heap of a process", 3, "B");
    sizes(table, "CPU of a call", "CPU of a call", 3, "µs");
    sizes(table, "heap of a call", "heap of a call", 2, "KiB");
    sizes(table, "Identify meanwhile, median", "Identify meanwhile", 3, "ms");
    sizes(
        table,
        "a gateway killed, until all are connected",
        "a gateway killed, until all connect",
        2,
        "s");
    sizes(
        table,
        "all gateways killed and started: from the first to the last node",
        "all restarted, from the first to the last",
        3,
        "s");
    sizes(table, "largest heap of a gateway after the run", "largest heap after it", 2, "MiB");
    return table.toString();
  }

  /** A size without that case has a dash. */
  private void sizes(MarkdownTable table, String label, String name, int digits, String unit) {
    table.row(
        Stream.concat(
                Stream.of(label),
                SIZES.stream()
                    .map(nodes ->
                        sized(nodes, name).map(one -> one.ours(digits) + " " + unit).orElse("-")))
            .toArray(String[]::new));
  }

  private Optional<KeptCase> sized(String nodes, String name) {
    KeptRun run = figures.run(nodes.equals("3000") ? "large-3000" : "large");
    return Optional.ofNullable(run.cases().get(nodes + " nodes, " + name));
  }

  private String tenThousandNodes() {
    KeptRun run = figures.run("large-10000");
    KeptRun second = figures.run("large-10000-second");
    String connect = "10000 nodes, CPU to connect, each";
    String heap = "10000 nodes, heap, each";
    String rest = "10000 nodes, at rest";
    KeptCase killed = run.of("10000 nodes, a gateway killed, until all connect");
    KeptCase restarted = run.of("10000 nodes, all restarted, from the first to the last");
    KeptCase largest = run.of("10000 nodes, largest heap after it");
    return new MarkdownTable("10,000 nodes", "")
        .row(
            "CPU to connect, each (two runs)",
            "%s and %s ms".formatted(run.of(connect).ours(3), second.of(connect).ours(3)))
        .row(
            "heap, each (two runs)",
            "%s and %s KiB".formatted(run.of(heap).ours(2), second.of(heap).ours(2)))
        .row(
            "CPU at rest, a second, all three (two runs)",
            "%s and %s ms, so %s and %s cores of each"
                .formatted(
                    run.of(rest).ours(4),
                    second.of(rest).ours(4),
                    coresOfEach(run.of(rest)),
                    coresOfEach(second.of(rest))))
        .row(
            "Identify, while 10,000 calls a second are published, none withheld, median",
            run.of("10000 nodes, Identify meanwhile").ours(3) + " ms")
        .row(
            "a gateway killed, until its 3,333 nodes are connected to the other two",
            "%s s, %s s of CPU".formatted(killed.ours(3), killed.shown("cpu_s", 3)))
        .row(
            "all gateways killed and started: from the first to the last node",
            "%s s, %s s of CPU without %s s of compilers'"
                .formatted(
                    restarted.ours(3),
                    restarted.shown("cpu_s", 3),
                    restarted.shown("compiling_s", 2)))
        .row(
            "largest heap and RSS of a gateway after it",
            "%s and %s MiB".formatted(largest.ours(3), largest.shown("largest_rss_mib", 3)))
        .toString();
  }

  /** The case has the milliseconds of all three gateways in a second. */
  static String coresOfEach(KeptCase rest) {
    return Digits.fixed(rest.in("ms/s", "ours") / 3 / 1e3, 2);
  }

  private String announcements() {
    KeptRun run = figures.run("announce");
    var table = new MarkdownTable("", "median", "p90", "p99", "without Rollcall, median");
    for (KeptCase one : run.cases().values()) {
      String unit = one.unit().equals("us") ? " µs" : " ms";
      table.row(
          one.name(),
          one.ours(3) + unit,
          one.shown("spread.ours.p90", 3) + unit,
          one.shown("spread.ours.p99", 3) + unit,
          one.find("floor").map(_ -> one.shown("floor", 3) + unit).orElse(""));
    }
    return table.toString();
  }
}
