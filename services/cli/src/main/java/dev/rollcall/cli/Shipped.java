package dev.rollcall.cli;

import dev.rollcall.cli.man.CommandPage;
import dev.rollcall.cli.man.ProgramPage;
import dev.rollcall.cli.man.ReferencePage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;

/** Writes what the distribution has below {@code share}. The build runs it. */
public final class Shipped {
  private Shipped() {}

  /** Takes the folder of the documents, and the folder to write to. */
  public static void main(String[] args) throws IOException {
    if (args.length != 2) {
      throw new IllegalArgumentException("Shipped DOCUMENTS SHARE");
    }
    write(Path.of(args[0]), Path.of(args[1]));
  }

  static void write(Path documents, Path share) throws IOException {
    CommandLine tree = tree();
    String version = new RollcallCommand.Version().getVersion()[0].replaceFirst("^rollcall ", "");
    Path bash = Files.createDirectories(share.resolve("bash-completion/completions"));
    Files.writeString(bash.resolve("rollcall"), BashCompletion.of(tree));
    commands(tree, version, Files.createDirectories(share.resolve("man/man1")));
    files(documents, version, Files.createDirectories(share.resolve("man/man5")));
    programs(documents, version, Files.createDirectories(share.resolve("man/man8")));
  }

  /** Of commands that cannot ask. */
  public static CommandLine tree() {
    Exchange nobody =
        target -> {
          throw new IllegalStateException("pages ask nobody");
        };
    return CommandTree.of(new CliContext(nobody, _ -> Optional.empty(), Optional.empty()));
  }

  private static void commands(CommandLine command, String version, Path folder)
      throws IOException {
    var page = new CommandPage(command, version);
    Files.writeString(folder.resolve(page.name() + ".1"), page.text());
    for (CommandLine each : command.getSubcommands().values()) {
      commands(each, version, folder);
    }
  }

  private static void files(Path documents, String version, Path folder) throws IOException {
    String document = Files.readString(documents.resolve("configuration.md"));
    for (String program : List.of("agent", "gateway")) {
      String name = "rollcall-" + program + ".yaml";
      Files.writeString(
          folder.resolve(name + ".5"),
          ReferencePage.text(
              name,
              5,
              "configuration of the Rollcall " + program,
              List.of(
                  "The file is YAML, and named by `--config`. An unknown key or an invalid value"
                      + " ends the start with status 78. Missing keys have their defaults. Changes"
                      + " need a restart."),
              document,
              program + ".yaml",
              "rollcall-" + program + "(8)",
              version));
    }
  }

  private static void programs(Path documents, String version, Path folder) throws IOException {
    Files.writeString(
        folder.resolve("pam_rollcall.8"),
        ReferencePage.text(
            "pam_rollcall",
            8,
            "puts ssh sessions into the job they belong to",
            List.of(
                "`account required pam_rollcall.so` as the last line of sshd's account stack"
                    + " decides, moves and refuses. `session required pam_rollcall.so` as the last"
                    + " line of the session stack restores the result after other modules. Both"
                    + " lines take the same options.",
                "The module reads files of the node's agent, or asks it at"
                    + " `/run/rollcall/login.sock`. It refuses a session whose process is not in"
                    + " its job afterwards."),
            Files.readString(documents.resolve("pam.md")),
            "Options",
            "rollcall(1), rollcall-agent(8)",
            version));
    Files.writeString(folder.resolve("rollcall-agent.8"), agent(version));
    Files.writeString(folder.resolve("rollcall-gateway.8"), gateway(version));
  }

  private static String agent(String version) {
    var files = new LinkedHashMap<String, String>();
    files.put("/run/rollcall/login.sock", "login socket of the PAM module, for root only");
    files.put("/run/rollcall/agent.sock", "socket of the command; the kernel identifies the user");
    files.put("/var/lib/rollcall", "the journal of jobs");
    files.put("/var/log/rollcall", "decisions, and use of jobs and sessions, as lines of JSON");
    return ProgramPage.text(
        "rollcall-agent",
        "puts a node's ssh sessions into their jobs",
        "Runs on every node, as root. It records who makes connections, answers the PAM module,"
            + " moves sessions into jobs, and keeps a connection to a gateway. Jobs, sessions and"
            + " calls outlive its restart. Without `--config` every key has its default.",
        files,
        69,
        "rollcall-agent.yaml(5), pam_rollcall(8), rollcall-gateway(8), rollcall(1)",
        version);
  }

  private static String gateway(String version) {
    var files = new LinkedHashMap<String, String>();
    files.put("/var/log/rollcall-gateway", "requests and refusals, as lines of JSON");
    return ProgramPage.text(
        "rollcall-gateway",
        "knows a cluster's nodes, jobs and calls",
        "Runs on a few machines of the cluster, without root. Agents connect to it. It sends them"
            + " the callers of their nodes, and answers questions about nodes, jobs and callers."
            + " Without `--config` every key has its default.",
        files,
        1,
        "rollcall-gateway.yaml(5), rollcall-agent(8), rollcall(1)",
        version);
  }
}
