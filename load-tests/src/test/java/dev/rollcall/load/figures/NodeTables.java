package dev.rollcall.load.figures;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Makes the tables of logins, single operations, short commands, the agent and containers. */
final class NodeTables {
  private static final String SLURMS_JOBS = ", Slurm's jobs";

  private final KeptFigures figures;

  private NodeTables(KeptFigures figures) {
    this.figures = figures;
  }

  /** Each under its name in the page. */
  static Map<String, String> of(KeptFigures figures) {
    var tables = new NodeTables(figures);
    return Map.of(
        "logins", tables.logins("login"),
        "logins with Slurm 22.05", tables.loginsBeforeToo(),
        "logins with Slurm 24.11", tables.logins("login-24.11"),
        "single operations", tables.singleOperations(),
        "short commands", tables.shortCommands(),
        "short commands at once", tables.shortCommandsAtOnce(),
        "the agent", tables.agent(),
        "jitter", tables.jitter(),
        "containers", tables.containers(),
        "runs of containers", tables.runsOfContainers());
  }

  private static MarkdownTable ofLogins() {
    return new MarkdownTable(
        "case",
        "ours",
        "ours, Slurm's jobs",
        "pam_slurm_adopt",
        "pam_permit",
        "peer by ours",
        "peer by ours, Slurm's jobs");
  }

  private String logins(String file) {
    MarkdownTable table = ofLogins();
    logins(table, file, "");
    return table.toString();
  }

  private String loginsBeforeToo() {
    MarkdownTable table = ofLogins();
    logins(table, "login-22.05", "");
    logins(table, "login-before-files", " ¹");
    return table.toString();
  }

  /** A case without a peer's figure is not compared, and has no row. */
  private void logins(MarkdownTable table, String file, String mark) {
    KeptRun run = figures.run(file);
    for (KeptCase own : run.cases().values()) {
      if (own.name().endsWith(SLURMS_JOBS) || own.find("peer").isEmpty()) {
        continue;
      }
      List<KeptCase> slurms = Stream.ofNullable(run.cases().get(own.name() + SLURMS_JOBS)).toList();
      table.row(
          label(own) + mark,
          login(own, "ours"),
          slurms.stream().map(one -> login(one, "ours")).findFirst().orElse("-"),
          login(own, "peer"),
          login(own, "floor"),
          own.ratio(),
          slurms.stream().map(KeptCase::ratio).findFirst().orElse("-"));
    }
  }

  private static String login(KeptCase one, String path) {
    return Digits.whole(one.number(path)) + (one.unit().equals("ms") ? " ms" : "");
  }

  private static String label(KeptCase one) {
    String name = one.name().replaceFirst(", 0 other processes", "");
    name = name.replaceFirst(", (\\d+)(\\d{3}) (other processes), (.*)", ", $4, $1,$2 $3");
    return name.replaceFirst(
        "after a rest",
        "after " + one.find("rest_s").map(Digits::whole).orElse("") + " s of rest (5)");
  }

  private String singleOperations() {
    var table = new MarkdownTable("operation", "ns", "bytes");
    KeptRun run = figures.run("micro");
    for (KeptCase one : run.cases().values()) {
      if (one.unit().equals("ns")) {
        KeptCase allocated = run.of(one.name() + ", allocated");
        table.row(
            one.name(), Digits.whole(one.number("ours")), Digits.whole(allocated.number("ours")));
      }
    }
    return table.toString();
  }

  private String shortCommands() {
    var table =
        new MarkdownTable(
            "",
            "median",
            "least",
            "CPU of the command",
            "CPU of the agent",
            "most memory",
            "Java: median, CPU, memory");
    for (String name : List.of("whois", "connect", "job begin", "job end")) {
      KeptCase time = figures.of("brief", name);
      KeptCase cpu = figures.of("brief", name + ", CPU");
      // It tells the agent nothing; the agent's timers take some microseconds meanwhile.
      boolean asksAgent = !name.equals("connect");
      table.row(
          "`" + name + "`",
          time.ours(2) + " ms",
          time.shown("spread.ours.min", 2) + " ms",
          cpu.ours(2) + " ms",
          asksAgent ? cpu.shown("agent_ms", 2) + " ms" : "-",
          time.shown("megabytes", 2) + " MB",
          "%s ms, %s ms, %s MB"
              .formatted(
                  Digits.whole(time.number("java_ms")),
                  Digits.whole(cpu.number("java_ms")),
                  Digits.whole(time.number("java_megabytes"))));
    }
    return table.toString();
  }

  private String shortCommandsAtOnce() {
    KeptCase begin = figures.of("brief", "100 job begin at once, CPU");
    String nothing = Digits.whole(begin.number("floor")) + " ms";
    return new MarkdownTable(
            "100 at once",
            "CPU of the commands",
            "CPU of the agent",
            "together",
            "until the last has ended")
        .row("`/bin/true`", nothing, "-", nothing, "-")
        .row(atOnce("`job begin`", begin))
        .row(atOnce("the prolog", figures.of("brief", "100 prologs at once, CPU")))
        .toString();
  }

  private static String[] atOnce(String label, KeptCase one) {
    return new String[] {
      label,
      Digits.whole(one.number("commands_ms")) + " ms",
      Digits.whole(one.number("agent_ms")) + " ms",
      Digits.whole(one.number("ours")) + " ms",
      Digits.fixed(one.number("until_last_ms") / 1e3, 1) + " s"
    };
  }

  private String agent() {
    var table =
        new MarkdownTable(
            "", "agent, own jobs", "agent, Slurm's jobs", "slurmd", "a sleeping JVM", "budget");
    agent(table, "at rest, RSS", ", MiB", "96");
    agent(table, "at rest, PSS", ", MiB", "64");
    agent(table, "at rest, threads", "", "-");
    agent(table, "soon after the start, CPU, its threads", ", ms a minute", "-");
    agent(table, "at rest, CPU, its threads", ", ms a minute", "10");
    agent(table, "soon after the start, wake-ups", " a second", "-");
    agent(table, "at rest, wake-ups", " a second", "1");
    agent(table, "among jobs, RSS", ", MiB", "-");
    agent(table, "among jobs, PSS", ", MiB", "-");
    agent(table, "among jobs, CPU, its threads", ", ms a minute", "-");
    agent(table, "among jobs, wake-ups", " a second", "-");
    return table.toString();
  }

  private void agent(MarkdownTable table, String name, String unit, String budget) {
    KeptCase own = figures.of("quiet", name);
    KeptCase slurms = figures.of("quiet", name + SLURMS_JOBS);
    table.row(
        name.replace(", its threads", "") + unit,
        own.ours(3),
        slurms.ours(3),
        own.shown("peer", 2),
        own.shown("floor", 2),
        budget);
  }

  private String jitter() {
    var table =
        new MarkdownTable(
            "jitter on the last processor, medians",
            "beside the agent, own jobs",
            "beside the agent, Slurm's jobs",
            "beside slurmd",
            "beside neither");
    for (String when : List.of("at rest", "among jobs")) {
      jitter(table, when + ", lost a second", "ms");
      jitter(table, when + ", longest delay in a second", "µs");
    }
    return table.toString();
  }

  private void jitter(MarkdownTable table, String name, String unit) {
    KeptCase own = figures.of("quiet", name);
    table.row(
        name + ", " + unit,
        in(own, unit, "ours"),
        in(figures.of("quiet", name + SLURMS_JOBS), unit, "ours"),
        in(own, unit, "peer"),
        in(own, unit, "floor"));
  }

  private static String in(KeptCase one, String unit, String path) {
    return Digits.significant(one.in(unit.replace('µ', 'u'), path), 3);
  }

  private String containers() {
    var table = new MarkdownTable("", "median", "p90", "p99", "greatest");
    KeptCase begin = figures.of("container", "begin");
    KeptCase end = figures.of("container", "end");
    container(table, "begin, Rollcall", begin, "ours");
    container(table, "begin, commands", begin, "peer");
    container(table, "end, Rollcall", end, "ours");
    container(table, "end, commands", end, "peer");
    container(table, "a process that does nothing", begin, "floor");
    return table.toString();
  }

  private static void container(MarkdownTable table, String label, KeptCase one, String path) {
    var cells = new ArrayList<>(List.of(label, one.shown(path, 2)));
    for (String which : List.of("p90", "p99", "max")) {
      cells.add(one.shown("spread." + path + "." + which, 3));
    }
    table.row(cells.toArray(String[]::new));
  }

  private String runsOfContainers() {
    var table =
        new MarkdownTable(
            "load average before",
            "begin, Rollcall, median",
            "commands take",
            "end, Rollcall, median",
            "commands take");
    run(table, "container", " (the table above)", " times as long");
    run(table, "container-load-5", "", " times");
    run(table, "container-load-7", "", " times");
    run(table, "container-newer-checks-1", ", later that day, with newer checks", " times");
    run(table, "container-newer-checks-2", ", the same", " times");
    run(
        table,
        "container-after-removals",
        ", directly after a million files were removed from that disk",
        " times");
    return table.toString();
  }

  private void run(MarkdownTable table, String file, String remark, String times) {
    KeptRun run = figures.run(file);
    KeptCase begin = run.of("begin");
    KeptCase end = run.of("end");
    table.row(
        Digits.fixed(run.json().getJsonObject("machine").getDouble("load_before"), 1) + remark,
        begin.ours(2) + " ms",
        begin.ratio() + times,
        end.ours(2) + " ms",
        end.ratio() + times);
  }
}
