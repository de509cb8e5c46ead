package dev.rollcall.load.figures;

import java.util.List;
import java.util.stream.Stream;

/** Lists the lines of other pages, and of the summary, that repeat a figure of docs/figures. */
final class RepeatedFigures {
  private final KeptFigures figures;

  RepeatedFigures(KeptFigures figures) {
    this.figures = figures;
  }

  /**
   * A text that a page has to contain; line breaks and several spaces count as one space.
   *
   * @param page below the project's folder
   */
  record Repeated(String page, String text) {
    /** Puts a figure in the place of each {@code %s}. */
    private static Repeated of(String page, String text, String... figures) {
      String filled = text;
      for (String figure : figures) {
        filled = filled.replaceFirst("%s", figure);
      }
      return new Repeated(page, filled);
    }
  }

  List<Repeated> all() {
    return Stream.of(
            readme(), comparison(), requirements(), otherPages(), logins(), gateways(), agents())
        .flatMap(List::stream)
        .toList();
  }

  private List<Repeated> readme() {
    String page = "README.md";
    return List.of(
        Repeated.of(page, "| one job | %s | %s |", peer("one job"), ours("one job", 1)),
        Repeated.of(
            page,
            "| several jobs, the caller is found | %s | %s |",
            peer("several jobs, caller found"),
            ours("several jobs, caller found", 1)),
        Repeated.of(
            page,
            "| 10 at once, the caller is found | %s ms | %s ms |",
            Digits.significant(login("10 at once, caller found").number("peer") / 1e3, 2),
            Digits.significant(
                login("10 at once, caller found, Slurm's jobs").number("ours") / 1e3, 2)),
        Repeated.of(
            page,
            "| several jobs, the source node drops packets | %s | %s |",
            peer("several jobs, source drops packets"),
            ours("several jobs, source drops packets", 2)),
        Repeated.of(
            page, "| `ssh NODE true` as a whole, one job | %s | %s |", ssh("peer"), ssh("ours")),
        Repeated.of(
            page,
            "a JVM with %s MiB of memory. When idle it uses %s ms of processor time a minute",
            agent("RSS"),
            agent("CPU, its threads")));
  }

  private List<Repeated> comparison() {
    String page = "docs/comparison.md";
    KeptCase crowd = login("caller looked up, 5000 other processes, pushed");
    return List.of(
        Repeated.of(
            page,
            "| several jobs, caller found | %s | %s |",
            peer("several jobs, caller found"),
            ours("several jobs, caller found", 1)),
        Repeated.of(
            page,
            "| the same with 5,000 other processes at the source | %s ms | measured on Rollcall's"
                + " own jobs only: %s ms |",
            Digits.whole(crowd.in("ms", "peer")),
            Digits.significant(crowd.in("ms", "ours"), 1)),
        Repeated.of(
            page,
            "| the source node drops packets | %s | %s; on Rollcall's own jobs %s |",
            peer("several jobs, source drops packets"),
            ours("several jobs, source drops packets", 2),
            own("several jobs, source drops packets", 2)),
        Repeated.of(page, "| one job | %s | %s:", peer("one job"), ours("one job", 1)),
        Repeated.of(
            page, "| `ssh NODE true` as a whole, one job | %s | %s,", ssh("peer"), ssh("ours")),
        Repeated.of(
            page,
            "| memory of the daemon | %s MiB resident (slurmd, which runs anyway) | %s MiB"
                + " resident:",
            figures.of("quiet", "at rest, RSS").shown("peer", 2),
            agent("RSS")),
        Repeated.of(
            page,
            "| CPU when idle | negligible | %s ms a minute; with Slurm's jobs %s ms |",
            agent("CPU, its threads"),
            cpuWithSlurm()));
  }

  private List<Repeated> requirements() {
    String page = "docs/requirements.md";
    return List.of(
        Repeated.of(
            page,
            "| memory, resident | %s MiB | %s MiB |",
            agent("RSS"),
            Digits.whole(figures.of("quiet", "among jobs, RSS").number("ours"))),
        Repeated.of(
            page,
            "| processor | %s ms a minute | %s ms a minute; %s where Slurm owns the jobs |",
            agent("CPU, its threads"),
            Digits.whole(figures.of("quiet", "among jobs, CPU, its threads").number("ours")),
            Digits.whole(
                figures.of("quiet", "among jobs, CPU, its threads, Slurm's jobs").number("ours"))),
        size(page, "100", "large", ""),
        size(page, "1,000", "large", ""),
        size(page, "3,000", "large-3000", ", on two cores with all nodes"),
        Repeated.of(
            page,
            "| 10,000 | %s to %s cores | %s MiB | %s MiB | %s s, on two cores with all nodes;",
            GatewayTables.coresOfEach(many("at rest")),
            GatewayTables.coresOfEach(figures.of("large-10000-second", "10000 nodes, at rest")),
            many("largest heap after it").shown("largest_rss_mib", 3),
            many("largest heap after it").ours(3),
            many("all restarted, from the first to the last").ours(3)),
        Repeated.of(
            page,
            "the calls take %s MiB in each of three gateways",
            figures
                .of("large", "10,000 calls a second: heap of 150 s of them in a gateway")
                .ours(3)));
  }

  private Repeated size(String page, String nodes, String file, String remark) {
    String prefix = nodes.replace(",", "") + " nodes, ";
    return Repeated.of(
        page,
        "| %s | %s cores | not measured | %s MiB | %s s%s |",
        nodes,
        GatewayTables.coresOfEach(figures.of(file, prefix + "at rest")),
        figures.of(file, prefix + "largest heap after it").ours(2),
        Digits.significant(
            figures.of(file, prefix + "all restarted, from the first to the last").number("ours"),
            2),
        remark);
  }

  private List<Repeated> otherPages() {
    KeptCase roll = figures.of("announce", "the roll has answered, idle");
    return List.of(
        Repeated.of(
            "docs/services.md",
            "has the answer %s ms after connect() (median). The 99th percentile is %s ms",
            Digits.significant(roll.in("ms", "ours"), 1),
            Digits.significant(roll.in("ms", "spread.ours.p99"), 2)),
        Repeated.of(
            "docs/adoption.md",
            "| %s, a login on Rollcall's own jobs |",
            own("several jobs, caller found", 2)),
        Repeated.of(
            "docs/adoption.md",
            "| %s ms, the same login |",
            Digits.significant(
                login("caller looked up, 0 other processes, asked for").in("ms", "ours"), 2)),
        Repeated.of("docs/adoption.md", "| no lookup | %s |", own("one job", 2)),
        Repeated.of("docs/adoption.md", "| the roll has it %s ms after connect() |", roll.ours(2)),
        Repeated.of(
            "docs/adoption.md",
            "| %s ms in the roll |",
            Digits.significant(
                figures.of("processes", "10000 nodes, one process").in("ms", "ours"), 2)),
        Repeated.of(
            "docs/adoption.md",
            "| 1,000 processes: %s ms in the roll |",
            Digits.significant(
                figures
                    .of("processes", "10000 nodes, 1,000 processes in a request")
                    .in("ms", "ours"),
                2)));
  }

  /** Of the summary and the text of the section. */
  private List<Repeated> logins() {
    String page = "docs/performance.md";
    return List.of(
        Repeated.of(
            page,
            "one job, Slurm's jobs? | %s; in a row %s | 3.5 times the peer's speed; 4 in a row |"
                + " yes | %s; %s |",
            ours("one job", 2),
            ours("one job, in a row", 2),
            peer("one job"),
            peer("one job, in a row")),
        Repeated.of(
            page,
            "| The same on Rollcall's own jobs? | %s; in a row %s |",
            own("one job", 2),
            own("one job, in a row", 2)),
        Repeated.of(
            page,
            "| Several jobs, caller found, Slurm's jobs? | %s; in a row %s | 20 times the peer's"
                + " speed | yes | %s; %s |",
            ours("several jobs, caller found", 2),
            ours("several jobs, caller found, in a row", 2),
            peer("several jobs, caller found"),
            peer("several jobs, caller found, in a row")),
        Repeated.of(
            page,
            "| The source node drops packets, Slurm's jobs? | %s | none | | %s |",
            ours("several jobs, source drops packets", 2),
            peer("several jobs, source drops packets")),
        Repeated.of(
            page,
            "| `ssh NODE true` as a whole, one job, Slurm's jobs? | %s; %s with pam_permit | none"
                + " | | %s |",
            ssh("ours"),
            ssh("floor"),
            ssh("peer")));
  }

  private List<Repeated> gateways() {
    String page = "docs/performance.md";
    KeptCase tracked = figures.of("announce", "connect(), a tracked port");
    KeptCase other = figures.of("announce", "connect(), another port");
    String core = Digits.whole(lookups("IdentifyMany, one gateway, TLS, of a core").number("ours"));
    return List.of(
        Repeated.of(
            page,
            "| %s µs for ssh's port, %s µs for others | 20 µs, 2 µs | first |",
            tracked.shown("added_us", 2),
            other.shown("added_us", 2)),
        Repeated.of(
            page,
            "The program adds %s µs to a connect() of a tracked port (the aim is 20). It adds %s"
                + " µs to another",
            tracked.shown("added_us", 2),
            other.shown("added_us", 2)),
        Repeated.of(
            page,
            "| after %s ms, idle (median) |",
            figures.of("announce", "node B can answer, idle").ours(2)),
        Repeated.of(page, "| %s a second and core, with TLS | 20,000 | yes |", core),
        Repeated.of(
            page,
            "The medians are %s ms (one gateway), %s (one, TLS), %s (three) and %s (three, TLS).",
            reuse("one gateway, plaintext"),
            reuse("one gateway, TLS"),
            reuse("three gateways, plaintext"),
            reuse("three gateways, TLS")),
        Repeated.of(
            page,
            "| 10,000 nodes: %s s on two cores with all nodes;",
            many("all restarted, from the first to the last").ours(3)),
        Repeated.of(
            page,
            "the cost of connecting grows with the power %s of the nodes, of rest with %s, and a"
                + " restart of all gateways with %s. The CPU of a wave grows with %s, of a call"
                + " with %s.",
            growth("CPU to connect, by nodes"),
            growth("CPU at rest, by nodes"),
            growth("storm, by nodes"),
            growth("CPU of a wave, by nodes"),
            growth("CPU of calls, by nodes")),
        Repeated.of(
            page,
            "* %s cores at rest (the budget is one); * %s MiB of heap for streams, and %s for 150"
                + " s of 10,000 calls a second",
            figures.of("large", "10,000 nodes: a gateway at rest").ours(2),
            figures.of("large", "10,000 nodes: heap of streams in a gateway").ours(2),
            figures
                .of("large", "10,000 calls a second: heap of 150 s of them in a gateway")
                .ours(3)));
  }

  private List<Repeated> agents() {
    String page = "docs/performance.md";
    KeptCase begin = figures.of("brief", "job begin");
    KeptCase policy = figures.of("micro", "caller on the node");
    return List.of(
        Repeated.of(
            page,
            "| %s MiB resident, %s MiB of PSS beside four other agents, %s ms of CPU a minute, %s"
                + " wake-ups a second | 96 MiB, 64 MiB, 10 ms, 1 | yes; with Slurm's jobs %s"
                + " ms | %s MiB, %s ms (slurmd) |",
            agent("RSS"),
            agent("PSS"),
            agent("CPU, its threads"),
            figures.of("quiet", "at rest, wake-ups").ours(2),
            cpuWithSlurm(),
            figures.of("quiet", "at rest, RSS").shown("peer", 2),
            figures.of("quiet", "at rest, CPU, its threads").shown("peer", 2)),
        Repeated.of(
            page,
            "| %s ms, %s MB, under load | 10 ms, 4 MB | yes |",
            begin.ours(2),
            begin.shown("megabytes", 2)),
        Repeated.of(
            page,
            "| %s to %s ms (medians of six runs) | 5 ms | five of six | %s to %s times as long"
                + " (commands) |",
            figures.of("container", "begin").ours(2),
            figures.of("container-after-removals", "begin").ours(2),
            figures.of("container", "begin").ratio(),
            figures.of("container-after-removals", "begin").ratio()),
        Repeated.of(
            page,
            "The lookup of a caller on the node takes %s µs; the aim is 5.",
            Digits.significant(policy.number("ours") / 1e3, 2)));
  }

  private String ours(String name, int digits) {
    return own(name + ", Slurm's jobs", digits);
  }

  private String own(String name, int digits) {
    return Digits.significant(login(name).in("ms", "ours"), digits) + " ms";
  }

  /** Slurm's own module; one decimal below a tenth of a second. */
  private String peer(String name) {
    double millis = login(name).in("ms", "peer");
    return Digits.fixed(millis, millis < 100 ? 1 : 0) + " ms";
  }

  private String ssh(String path) {
    return Digits.whole(login("ssh NODE true, one job, Slurm's jobs").in("ms", path)) + " ms";
  }

  private KeptCase login(String name) {
    return figures.of("login", name);
  }

  private String agent(String what) {
    return Digits.whole(figures.of("quiet", "at rest, " + what).number("ours"));
  }

  private String cpuWithSlurm() {
    return figures.of("quiet", "at rest, CPU, its threads, Slurm's jobs").ours(3);
  }

  private KeptCase many(String what) {
    return figures.of("large-10000", "10000 nodes, " + what);
  }

  private KeptCase lookups(String name) {
    return figures.of("lookup", name);
  }

  private String reuse(String shape) {
    return lookups("port used again, " + shape).ours(2);
  }

  private String growth(String what) {
    return figures.of("large", "growth: " + what).ours(2);
  }
}
