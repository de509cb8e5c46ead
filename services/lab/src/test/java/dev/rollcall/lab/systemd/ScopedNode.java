package dev.rollcall.lab.systemd;

import dev.rollcall.lab.cluster.AotCaches;
import dev.rollcall.lab.tree.SourceTree;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.process.RigException;
import dev.rollcall.testkit.process.Running;
import dev.rollcall.testkit.systemd.SystemdContainer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** A node that systemd runs, with the distribution and the units of this repository installed. */
final class ScopedNode implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofSeconds(60);
  static final String SCOPE = "/sys/fs/cgroup/system.slice/rollcall.scope";
  static final String UNIT = "/sys/fs/cgroup/rollcall.slice/rollcall-agent.service";
  private static final String ROLLCALL = "/opt/rollcall/bin/rollcall";
  private static final Path HOME = SourceTree.ROOT;

  private final SystemdContainer node;

  /** Of the agent's unit. */
  private final String environment;

  /** The command, whose starts take half the time with their cache. */
  private final List<String> rollcall;

  /** Of an agent by hand. */
  private final List<String> variables;

  /** Whether the agent's unit was last started with the shortest configuration. */
  private boolean isDefault;

  ScopedNode() {
    Path java = Path.of(System.getProperty("java.home")).toAbsolutePath();
    node = SystemdContainer.start(List.of(HOME, java));
    sh(
        "mkdir -p /opt /etc/rollcall && ln -sfn '%s' /opt/rollcall"
            .formatted(HOME.resolve("deploy/target/rollcall")));
    sh("cp '%s'/deploy/systemd/rollcall* /etc/systemd/system/".formatted(HOME));
    sh("mkdir -p /etc/systemd/system/rollcall-agent.service.d");
    if (!mayLowerScores()) {
      write(
          "/etc/systemd/system/rollcall-agent.service.d/score.conf",
          "[Service]\nOOMScoreAdjust=0\n");
    }
    Optional<AotCaches> caches = AotCaches.of(SourceTree.DISTRIBUTION);
    variables =
        List.of(
            "JAVA_HOME=" + java,
            "ROLLCALL_AGENT_OPTS=" + caches.map(all -> all.options("agent")).orElse(""));
    environment = String.join("\n", variables) + "\n";
    rollcall =
        List.of(
            "env",
            "ROLLCALL_CLI_OPTS=" + caches.map(all -> all.options("cli")).orElse(""),
            ROLLCALL);
  }

  /** CAP_SYS_RESOURCE, which systemd needs for OOMScoreAdjust=, and some containers lack. */
  private boolean mayLowerScores() {
    return node.run(PATIENCE, "sh", "-c", "echo -999 >/proc/self/oom_score_adj").ok();
  }

  /**
   * An agent with the shortest configuration and no jobs, for tests that do not ask how it started:
   * the one that runs, or else another.
   */
  void awaitAgent() {
    if (!isDefault || !show("rollcall-agent", "ActiveState").equals("active")) {
      startAgent("", "");
      return;
    }
    for (String job : sh("cd %s && ls -d job_* || true".formatted(SCOPE)).lines().toList()) {
      rollcall("job", "end", job.replace("job_", ""), "--grace", "0");
    }
  }

  /** Stops the agent, takes the scope away with all that is in it, and starts another agent. */
  void startAgent(String config, String more) {
    clear();
    configure(config, more);
    Result start = result("systemctl", "start", "rollcall-agent");
    if (!start.ok()) {
      throw new RigException(start + "\n" + journal());
    }
    isDefault = config.isEmpty() && more.isEmpty();
  }

  /** Starts an agent by hand, out of all units, with words before its program. */
  Running startByHand(List<String> before, String config) {
    var words = new ArrayList<>(List.of("env", "-u", "INVOCATION_ID"));
    words.addAll(variables);
    words.addAll(before);
    words.addAll(List.of(ROLLCALL, "agent", "--config", config));
    return start(words.toArray(String[]::new));
  }

  void configure(String config, String more) {
    write("/etc/rollcall/agent.yaml", "node: node1\nmetrics: 127.0.0.1:7451\n" + config);
    write("/etc/default/rollcall-agent", environment + more);
  }

  void clear() {
    isDefault = false;
    systemctl("stop", "rollcall-agent");
    sh("systemctl stop rollcall.scope 2>/dev/null; systemctl reset-failed 2>/dev/null; true");
    sh("[ ! -e %1$s/cgroup.kill ] || echo 1 >%1$s/cgroup.kill".formatted(SCOPE));
    await(
        "the scope is gone",
        () ->
            sh("find %s -depth -type d -exec rmdir {} + 2>/dev/null; [ ! -e %1$s ] && echo gone || true"
                    .formatted(SCOPE))
                .equals("gone"));
    sh("rm -rf /var/lib/rollcall/* /run/rollcall/*.sock");
  }

  String systemctl(String... words) {
    return run(Stream.concat(Stream.of("systemctl"), Stream.of(words)).toArray(String[]::new));
  }

  /** One property of a unit. */
  String show(String unit, String property) {
    return systemctl("show", "--property=" + property, "--value", unit);
  }

  /** The program in C begins and ends jobs if there are no flags for a JVM. */
  String rollcall(String... words) {
    if (words[0].equals("job")) {
      return run(Stream.concat(Stream.of(ROLLCALL), Stream.of(words)).toArray(String[]::new));
    }
    return run(Stream.concat(rollcall.stream(), Stream.of(words)).toArray(String[]::new));
  }

  /** A process in the job that stays until it is killed, by its pid in the node. */
  String sleeperIn(long job) {
    sh(
        "setsid %s job run --job %d -- sleep 86400 </dev/null >/run/sleeper 2>&1 &"
            .formatted(String.join(" ", rollcall), job));
    String procs = SCOPE + "/job_" + job + "/step_0/user/task_0/cgroup.procs";
    Eventually.await(
        PATIENCE,
        () -> run("sh", "-c", "cat " + procs + " || true").matches("[0-9]+"),
        () -> "a process in job " + job + ", but job run said: " + read("/run/sleeper"));
    String pid = pids(procs.replace("/cgroup.procs", ""));
    await("it sleeps", () -> sh("cat /proc/" + pid + "/comm").equals("sleep"));
    return pid;
  }

  /** The processes right in a cgroup, a line each. */
  String pids(String cgroup) {
    return read(cgroup + "/cgroup.procs").strip();
  }

  String agentPid() {
    return show("rollcall-agent", "MainPID");
  }

  /** The cgroup of a process, as v2 has it. */
  String cgroupOf(String pid) {
    return sh("sed -n s/^0:://p /proc/" + pid + "/cgroup");
  }

  boolean runs(String pid) {
    return node.run(PATIENCE, "kill", "-0", pid).ok();
  }

  boolean exists(String path) {
    return node.run(PATIENCE, "test", "-e", path).ok();
  }

  /** What the agent's unit wrote to the journal since it was started the last time. */
  String journal() {
    return sh("journalctl --no-pager -o cat -u rollcall-agent | tail -n 60");
  }

  /** Every file of the scope's tree that is a setting, with its value. */
  Map<String, String> settings() {
    String text =
        sh(
            "cd %s && grep -rs '' --include=*.max --include=*.high --include=*.min --include=*.low --include=*.weight"
                    .formatted(SCOPE)
                + " --include=cpuset.cpus --include=cpuset.mems --include=cgroup.subtree_control"
                + " --include=cgroup.type --include=cgroup.procs --include=cgroup.freeze . ||"
                + " true");
    Map<String, String> settings = new TreeMap<>();
    text.lines()
        .forEach(
            line -> settings.merge(line.replaceFirst(":.*", ""), line, (a, b) -> a + "\n" + b));
    return settings;
  }

  Running start(String... command) {
    return node.start(command);
  }

  Result result(String... command) {
    return node.run(PATIENCE, command);
  }

  String run(String... command) {
    return node.run(PATIENCE, command).outOrThrow(String.join(" ", command)).strip();
  }

  String sh(String script) {
    return run("sh", "-c", script);
  }

  void write(String path, String text) {
    try {
      Files.writeString(node.file(path), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String read(String path) {
    return sh("cat '" + path + "'") + "\n";
  }

  static void await(String what, BooleanSupplier condition) {
    Eventually.await(PATIENCE, condition, () -> what);
  }

  @Override
  public void close() {
    node.close();
  }
}
