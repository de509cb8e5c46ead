package dev.rollcall.cli;

import dev.rollcall.cli.man.PageParts;
import dev.rollcall.cli.man.ProgramPage;
import dev.rollcall.cli.man.ReferencePage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Writes the manual pages of files, programs and the PAM module. */
final class ShippedPages {
  private static final String FILES = "FILES";
  private static final String ENVIRONMENT = "ENVIRONMENT";
  private static final String STATUS = "EXIT STATUS";

  private static final String DOCUMENTS =
      "Files that end in `.md` are in `/usr/share/doc/rollcall-runtime/docs`, or in `docs` of the"
          + " source tree.";

  private final String configuration;
  private final String pam;
  private final String version;

  /**
   * @param documents the folder with configuration.md and pam.md
   */
  ShippedPages(Path documents, String version) throws IOException {
    this.configuration = Files.readString(documents.resolve("configuration.md"));
    this.pam = Files.readString(documents.resolve("pam.md"));
    this.version = version;
  }

  void write(Path section5, Path section8) throws IOException {
    page(section5, "rollcall-agent.yaml.5", settings("agent"));
    page(section5, "rollcall-gateway.yaml.5", settings("gateway"));
    page(section5, "rollcall-audit_only.yaml.5", auditOnly());
    page(section8, "pam_rollcall.8", module());
    page(section8, "rollcall-agent.8", agent());
    page(section8, "rollcall-gateway.8", gateway());
    page(section8, "rollcall-uninstall.8", uninstall());
  }

  private static void page(Path folder, String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text);
  }

  private String settings(String program) {
    String name = program + ".yaml";
    var parts =
        new PageParts()
            .example(
                "A file of a small cluster:",
                program.equals("agent")
                    ? List.of(
                        "cluster: alps",
                        "gateways: [\"gate1:7450\", \"gate2:7450\"]",
                        "tls:",
                        "  ca: /etc/rollcall/ca.pem",
                        "  certificate: /etc/rollcall/certificate.pem",
                        "  key: /etc/rollcall/key.pem",
                        "denied_help: https://hpc.example/ssh")
                    : List.of(
                        "cluster: alps",
                        "listen: \"0.0.0.0:7450\"",
                        "tls:",
                        "  ca: /etc/rollcall/ca.pem",
                        "  certificate: /etc/rollcall/certificate.pem",
                        "  key: /etc/rollcall/key.pem",
                        "administrators: [alice]"))
            .item(FILES, "/etc/rollcall/" + name, "the file that the packages' unit names");
    return ReferencePage.text(
        "rollcall-" + name,
        5,
        "configuration of the Rollcall " + program,
        List.of(
            "The file is YAML, and named by `--config`. With an unknown key or an invalid value the"
                + " program exits with status 78. Missing keys have their defaults. Changes need a"
                + " restart.",
            "`rollcall config show " + program + "` shows the value of each key and its source.",
            DOCUMENTS),
        configuration,
        name,
        parts,
        "rollcall-" + program + "(8), rollcall-config-show(1)",
        version);
  }

  private String auditOnly() {
    String name = "audit_only.yaml";
    return ReferencePage.text(
        "rollcall-" + name,
        5,
        "sessions whose decisions are not enforced",
        List.of(
            "The agent decides about these sessions, logs and counts the decisions, and does not"
                + " carry them out. It reads the file every 15 seconds. Without the file there are"
                + " no such sessions. A file with a mistake is not used: the agent logs it and"
                + " keeps the last one."),
        configuration,
        name,
        new PageParts()
            .example("Only a pilot:", ReferencePage.code(configuration, name))
            .example(
                "All sessions of this node, for example in the first week:", List.of("node: yes"))
            .item(
                FILES,
                "/etc/rollcall/audit_only.yaml",
                "the default of `audit_only_file` in agent.yaml"),
        "rollcall-agent.yaml(5), rollcall-explain(1), rollcall-sessions(1)",
        version);
  }

  private String module() {
    return ReferencePage.text(
        "pam_rollcall",
        8,
        "puts ssh sessions into the job they belong to",
        List.of(
            "`account required pam_rollcall.so` as the last line of sshd's account stack decides,"
                + " moves and refuses. `session required pam_rollcall.so` as the last line of the"
                + " session stack restores the result after other modules. Give both lines the same"
                + " options.",
            "The module reads files of the node's agent, or asks it at"
                + " `/run/rollcall/login.sock`. It refuses a session whose process is not in"
                + " its job afterwards.",
            DOCUMENTS),
        pam,
        "Options",
        new PageParts()
            .example("The lines of `/etc/pam.d/sshd`:", ReferencePage.code(pam, "Set up"))
            .item(FILES, "/etc/pam.d/sshd", "sshd's PAM stack")
            .item(
                FILES, "/run/rollcall/login", "the agent's files, by which most logins are decided")
            .item(FILES, "/run/rollcall/login.sock", "the agent's login socket")
            .item(ENVIRONMENT, "SLURM_JOB_ID", "set in the session to the number of its job")
            .item(
                ENVIRONMENT,
                "ROLLCALL_REASON",
                "set to the rule that chose the job, for example `only-job`")
            .item(ENVIRONMENT, "ROLLCALL_ADOPTION", "set to the session's id, for rollcall-why(1)")
            .item(
                ENVIRONMENT,
                "ROLLCALL_DOUBT",
                "the reason why the caller is undetermined, if it is")
            .item(
                "RETURN VALUES",
                "PAM_SUCCESS",
                "The process is in the job, or was admitted without one.")
            .item(
                "RETURN VALUES",
                "PAM_IGNORE",
                "Another service, root, or an action `ignore` applies. Always in `auth`.")
            .item("RETURN VALUES", "PAM_PERM_DENIED", "The session is refused.")
            .item("RETURN VALUES", "PAM_SERVICE_ERR", "The PAM line has a mistake.")
            .item("RETURN VALUES", "PAM_USER_UNKNOWN", "There is no such user.")
            .item("RETURN VALUES", "PAM_SYSTEM_ERR", "The directory of users failed.")
            .item("RETURN VALUES", "PAM_CRED_ERR", "The job's group could not be added."),
        "rollcall(1), rollcall-agent(8), rollcall-audit_only.yaml(5)",
        version);
  }

  private String agent() {
    PageParts parts =
        new PageParts()
            .example("With systemd, as in the packages:", List.of("systemctl start rollcall-agent"))
            .example("By hand:", List.of("rollcall agent --config /etc/rollcall/agent.yaml"))
            .item(FILES, "/etc/rollcall/agent.yaml", "the configuration, in packages")
            .item(FILES, "/etc/rollcall/audit_only.yaml", "names audit-only sessions")
            .item(
                FILES, "/run/rollcall/login.sock", "login socket of the PAM module, for root only")
            .item(FILES, "/run/rollcall/login", "files by which the PAM module decides")
            .item(
                FILES,
                "/run/rollcall/agent.sock",
                "socket of the command; the kernel identifies the user")
            .item(FILES, "/var/lib/rollcall", "the journal of jobs")
            .item(
                FILES,
                "/var/log/rollcall",
                "decisions, and use of jobs and sessions, as lines of JSON");
    return ProgramPage.text(
        "rollcall-agent",
        "[--config FILE]",
        "puts a node's ssh sessions into their jobs",
        List.of(
            "Runs on every node, as root. It records who makes connections, answers the PAM module,"
                + " moves sessions into jobs, and keeps a connection to a gateway. Jobs, sessions"
                + " and calls outlive its restart. Without `--config` every key has its default."),
        statuses(environment(parts, "ROLLCALL_AGENT_OPTS")),
        "rollcall-agent.yaml(5), rollcall-audit_only.yaml(5), pam_rollcall(8),"
            + " rollcall-gateway(8), rollcall-uninstall(8), rollcall(1)",
        version);
  }

  private String gateway() {
    PageParts parts =
        new PageParts()
            .example(
                "With systemd, as in the packages:", List.of("systemctl start rollcall-gateway"))
            .example("By hand:", List.of("rollcall gateway --config /etc/rollcall/gateway.yaml"))
            .item(FILES, "/etc/rollcall/gateway.yaml", "the configuration, in packages")
            .item(FILES, "/var/log/rollcall-gateway", "requests and refusals, as lines of JSON");
    return ProgramPage.text(
        "rollcall-gateway",
        "[--config FILE]",
        "keeps the registry of a cluster's nodes, jobs and calls",
        List.of(
            "Runs on a few machines of the cluster, without root. Agents connect to it. It sends"
                + " them the callers of their nodes, and answers questions about nodes, jobs and"
                + " callers. Without `--config` every key has its default."),
        statuses(environment(parts, "ROLLCALL_GATEWAY_OPTS")),
        "rollcall-gateway.yaml(5), rollcall-agent(8), rollcall-uninstall(8), rollcall(1)",
        version);
  }

  private static PageParts environment(PageParts parts, String variable) {
    return parts
        .item(ENVIRONMENT, "JAVA_HOME", "the Java runtime, if the program's directory has none")
        .item(
            ENVIRONMENT,
            variable,
            "flags added to those of its JVM; they come last and have precedence");
  }

  private static PageParts statuses(PageParts parts) {
    return parts
        .item(STATUS, "64", "An option is wrong.")
        .item(
            STATUS,
            "69",
            "A resource is missing or in use: a port, a socket, a directory, or systemd.")
        .item(STATUS, "70", "One of its threads has died.")
        .item(STATUS, "78", "The configuration is wrong; nothing was changed.");
  }

  private String uninstall() {
    PageParts parts =
        new PageParts()
            .example(
                "The whole removal of a node of Debian, after the end of its jobs:",
                List.of(
                    "sed -i '/^[^#]*pam_rollcall/d' /etc/pam.d/sshd",
                    "rollcall uninstall",
                    "apt purge rollcall-runtime libpam-rollcall"))
            .example(
                "The same with open jobs, which it ends:", List.of("rollcall uninstall --end-jobs"))
            .item("OPTIONS", "--end-jobs", "Ends open jobs with their processes.")
            .item("OPTIONS", "--keep-records", "Leaves state and logs.")
            .item(
                "OPTIONS",
                "--part agent|gateway",
                "Removes only the files of that program. By default both.")
            .item(FILES, "/run/rollcall", "sockets and login files: removed")
            .item(FILES, "/var/lib/rollcall", "state: removed, unless `--keep-records` is given")
            .item(FILES, "/var/log/rollcall, /var/log/rollcall-gateway", "logs: the same")
            .item(FILES, "/sys/fs/bpf/rollcall", "the BPF program: removed")
            .item(FILES, "/etc/rollcall", "your configuration: stays")
            .item(STATUS, "0", "Done.")
            .item(
                STATUS, "1", "A PAM line names the module, or a job is open: nothing was changed.")
            .item(STATUS, "2", "An option is wrong.");
    return ProgramPage.text(
        "rollcall-uninstall",
        "[--end-jobs] [--keep-records] [--part agent|gateway]",
        "removes everything that agent and gateway made on a machine",
        List.of(
            "Remove the PAM lines first: sshd refuses every login, even root's, if its stack"
                + " names a missing file. Then run this command as root, and remove the packages"
                + " last.",
            "The command stops agent and gateway. It removes the jobs' scope and cgroups, the"
                + " sockets, the BPF program with its pins, state, logs and caches. It needs"
                + " neither Java nor a running agent, except to end jobs. Slurm's jobs continue."),
        parts,
        "pam_rollcall(8), rollcall-agent(8), rollcall-gateway(8), rollcall(1)",
        version);
  }
}
