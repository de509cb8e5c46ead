package dev.rollcall.cli.doctor;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Checks the agent, its source of calls, and its gateway. */
public final class AgentChecks {
  private static final Duration BEARABLE = Duration.ofSeconds(2);

  private AgentChecks() {}

  public static List<Finding> of(AgentSeen agent) {
    List<Finding> found = new ArrayList<>();
    found.add(
        agent.ready()
            ? Finding.good("agent.ready", "the agent is ready")
            : Finding.bad(
                "agent.ready",
                "the agent is not ready: " + unwell(agent),
                "read its log: journalctl -u rollcall-agent"));
    found.add(calls(agent));
    found.add(gateway(agent));
    agent
        .stages()
        .forEach((name, stage) -> {
          if (!stage.well() && !name.equals("gateway")) {
            found.add(
                Finding.warning(
                    "agent.stage." + name,
                    stage.detail(),
                    name.equals("addresses")
                        ? "list them (rollcall ca, node_file) or their network (node_networks), if"
                            + " other nodes reach them: docs/operations.md#addresses-of-nodes"
                        : "docs/metrics.md#readiness lists the stages"));
          }
        });
    return found;
  }

  private static String unwell(AgentSeen agent) {
    return agent.stages().entrySet().stream()
        .filter(each -> !each.getValue().well())
        .map(each -> each.getKey() + " (" + each.getValue().detail() + ")")
        .collect(Collectors.joining(", "));
  }

  private static Finding calls(AgentSeen agent) {
    String id = "bpf.calls";
    AgentSeen.Stage watch = agent.stages().get("watch");
    if (watch == null || !watch.well()) {
      return Finding.unseen(id, "the agent does not report its source of calls");
    }
    return watch.detail().contains("sock_ops")
        ? Finding.good(id, watch.detail() + ": each call is recorded as it is made")
        : Finding.warning(
            id,
            watch.detail() + ": a caller is found only while its socket is open",
            "the agent's log gives the reason why it has no sock_ops program (Linux 5.10,"
                + " CAP_SYS_ADMIN, bpf: auto)");
  }

  private static Finding gateway(AgentSeen agent) {
    String id = "gateway.connection";
    AgentSeen.Stage connect = agent.stages().get("gateway");
    if (connect == null) {
      return Finding.unseen(id, "the agent does not report whether it is connected to a gateway");
    }
    return connect.well()
        ? Finding.good(id, connect.detail())
        : Finding.bad(
            id,
            "the agent is connected to no gateway: " + connect.detail(),
            "check that the gateway runs, and check gateways and tls in agent.yaml");
  }

  /**
   * What the gateway's word about this node tells of the two clocks: nothing, unless it heard this
   * node later than it is now here.
   */
  public static Finding clock(Seen<Instant> heardAt, Instant now) {
    String id = "clock";
    return heardAt.finding(
        id,
        heard -> {
          Duration ahead = Duration.between(now, heard);
          return ahead.compareTo(BEARABLE) > 0
              ? Finding.warning(
                  id,
                  "the gateway heard this node "
                      + ahead.toSeconds()
                      + " s after now: this clock is behind by that much at least",
                  "synchronise both clocks (chrony, ntpd)")
              : Finding.good(id, "no sign that this clock is behind the gateway's");
        });
  }

  /**
   * The PAM module, which should be of the agent's version; where that is not known, of the
   * command's.
   */
  public static Finding module(
      Seen<ModuleSeen> module, String command, Seen<Optional<String>> agent) {
    String id = "pam.version";
    Optional<String> told = agent.found().flatMap(version -> version);
    String expected = told.orElse(command);
    String whose = (told.isPresent() ? "the agent is " : "the command is ") + expected;
    String remedy = "install the module that came with the agent; logins need no restart of sshd";
    return module.finding(
        id,
        seen -> {
          String is = seen.version().orElse("");
          if (seen.architecture().isEmpty()) {
            return Finding.unseen(id, seen.file() + " is no library, so it has no version");
          }
          if (is.isEmpty()) {
            return Finding.bad(id, seen.file() + " is not Rollcall's module; " + whose, remedy);
          }
          return is.equals(expected)
              ? Finding.good(id, seen.file() + " is " + expected + ", and " + whose)
              : Finding.warning(id, seen.file() + " is " + is + "; " + whose, remedy);
        });
  }

  /**
   * Whether sshd can load the PAM module.
   *
   * @param machine as Java names it
   */
  public static Finding loadable(Seen<ModuleSeen> module, String machine) {
    String id = "pam.module";
    String here = machine.equals("amd64") ? "x86_64" : machine;
    return module.finding(
        id,
        seen -> {
          String is = seen.architecture().orElse("");
          if (is.equals(here)) {
            return Finding.good(id, seen.file() + " is a library for " + here);
          }
          String wrong =
              is.isEmpty() ? " is no library" : " is for " + is + ", and this machine is " + here;
          return Finding.bad(
              id,
              (seen.isThere() ? seen.file() + wrong : "there is no " + seen.file())
                  + ": sshd cannot load it, and refuses every login, root's too",
              "install the package for " + here + ", or correct the path of the PAM lines");
        });
  }

  /** Versions that should be alike. */
  public static Finding version(String command, Seen<Optional<String>> agent) {
    String id = "version";
    return agent.finding(
        id,
        told -> {
          if (told.isEmpty()) {
            return Finding.unseen(id, "the gateway does not name this node's version");
          }
          return told.get().equals(command)
              ? Finding.good(id, "agent and command are " + command)
              : Finding.warning(
                  id,
                  "the command is " + command + ", the agent " + told.get(),
                  "restart the agent after an upgrade, or upgrade the command too");
        });
  }
}
