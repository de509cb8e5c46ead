package dev.rollcall.cli.config;

import dev.rollcall.cli.ask.NodeNames;
import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.cli.text.JsonFields;
import dev.rollcall.cli.text.Printing;
import dev.rollcall.settings.Hostlist;
import dev.rollcall.settings.Problem;
import dev.rollcall.settings.container.ContainerConf;
import dev.rollcall.settings.container.ContainerReading;
import dev.rollcall.settings.container.ContainerReading.Bad;
import dev.rollcall.settings.container.ContainerReading.Good;
import dev.rollcall.settings.container.JobContainer;
import dev.rollcall.settings.container.NodeSet;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Reads a file of job containers, and tells what applies to which node, or all that is wrong. */
@Command(
    name = "check",
    description =
        "Check a job_container.conf, namespace.conf or namespace.yaml, and show the settings of"
            + " each node.")
public final class ConfigCheckCommand implements Callable<Integer> {
  /** What stays in a path: this command does not know the hosts. */
  private static final String HOST = "%h";

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final Printing printing = new Printing();

  @Parameters(paramLabel = "FILE", description = "The file, in either of Slurm's syntaxes.")
  private Path file = Path.of("");

  @Option(
      names = "--node",
      paramLabel = "NODES",
      description =
          "Show only this node, or these: node[01-18] (default: all, grouped by equal settings).")
  private @Nullable NodeNames nodes;

  @Override
  public Integer call() {
    ContainerReading reading = ContainerConf.read(file);
    switch (reading) {
      case Good(ContainerConf conf, List<Problem> notes) -> {
        List<NodeSet> sets = sets(conf);
        printing.print(text(sets, notes), json(true, List.of(), notes, sets));
      }
      case Bad(List<Problem> problems) -> {
        String lines = lines("rollcall: ", problems);
        if (printing.json()) {
          printing.print(lines, json(false, problems, List.of(), List.of()));
        } else {
          tell(lines);
        }
      }
    }
    return (reading instanceof Good ? ExitCode.OK : ExitCode.USAGE).status();
  }

  private List<NodeSet> sets(ContainerConf conf) {
    NodeNames wanted = nodes;
    if (wanted == null) {
      return conf.sets();
    }
    var alike = new LinkedHashMap<JobContainer, List<String>>();
    for (String name : wanted.names()) {
      alike.computeIfAbsent(conf.on(name, HOST), _ -> new ArrayList<>()).add(name);
    }
    return alike.entrySet().stream()
        .map(each ->
            new NodeSet(Hostlist.fold(each.getValue()), each.getValue().size(), each.getKey()))
        .toList();
  }

  private void tell(String lines) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(lines);
    err.flush();
  }

  private static String text(List<NodeSet> sets, List<Problem> notes) {
    List<String> lines = new ArrayList<>();
    for (NodeSet set : sets) {
      lines.add(title(set, sets.size()));
      ContainerPrinter.lines(set.container()).forEach(line -> lines.add("  " + line));
    }
    if (!notes.isEmpty()) {
      lines.add(lines("note: ", notes));
    }
    return String.join(System.lineSeparator(), lines);
  }

  private static String title(NodeSet set, int sets) {
    if (set.nodes().isEmpty()) {
      return sets == 1 ? "all nodes" : "all other nodes";
    }
    return set.size() == 1 ? set.nodes() : set.nodes() + " (" + set.size() + " nodes)";
  }

  /** A file is not the terminal's: no control character of a value reaches it. */
  private static String lines(String before, List<Problem> problems) {
    return String.join(
        System.lineSeparator(),
        problems.stream()
            .map(problem -> before + problem.toString().replaceAll("\\p{Cntrl}+", " "))
            .toList());
  }

  private JsonFields json(
      boolean good, List<Problem> problems, List<Problem> notes, List<NodeSet> sets) {
    return new JsonFields()
        .with("file", file.toString())
        .with("good", good)
        .with("problems", problems.stream().map(ConfigCheckCommand::json).toList())
        .with("notes", notes.stream().map(ConfigCheckCommand::json).toList())
        .with("sets", sets.stream().map(ConfigCheckCommand::json).toList());
  }

  private static JsonFields json(Problem problem) {
    return new JsonFields()
        .with("file", problem.place().file())
        .with("line", problem.place().line())
        .with("text", problem.text());
  }

  private static JsonFields json(NodeSet set) {
    return new JsonFields()
        .withText("nodes", set.nodes())
        .with("size", set.size())
        .with("container", ContainerPrinter.json(set.container()));
  }
}
