package dev.rollcall.lab.systemd;

import static dev.rollcall.lab.systemd.ScopedNode.SCOPE;
import static dev.rollcall.lab.systemd.ScopedNode.UNIT;
import static dev.rollcall.lab.systemd.ScopedNode.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.testkit.process.Running;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The shipped agent, by its shipped unit, under a real systemd. */
@Tag("root")
class AgentUnderSystemdTest {
  private static ScopedNode node = new ScopedNode();

  @BeforeAll
  static void reload() {
    node.systemctl("daemon-reload");
  }

  @AfterAll
  static void end() {
    node.close();
  }

  @Test
  void jobsStandInADelegatedScopeThatAProcessKeepsAndTheAgentInALeaf() {
    node.startAgent("", "");

    assertEquals("yes", node.show("rollcall.scope", "Delegate"));
    assertEquals("active", node.show("rollcall.scope", "ActiveState"));
    assertEquals("infinity", node.show("rollcall.scope", "TasksMax"));
    assertEquals("system.slice", node.show("rollcall.scope", "Slice"));
    assertEquals("", node.pids(SCOPE));
    assertEquals("1", node.sh("ps -o ppid= " + node.pids(SCOPE + "/keeper")).strip());
    assertEquals("", node.pids(UNIT));
    assertEquals(node.agentPid(), node.pids(UNIT + "/agent"));
  }

  @Test
  void jobsAndScopeOutliveRestartsOfTheAgent() {
    node.awaitAgent();
    node.rollcall("job", "begin", "7", "--user", "root");
    String sleeper = node.sleeperIn(7);
    String keeper = node.pids(SCOPE + "/keeper");

    node.systemctl("restart", "rollcall-agent");

    assertTrue(node.runs(sleeper));
    String processes = node.rollcall("ps", "7");
    assertTrue(processes.contains("sleep"), processes);
    String before = node.agentPid();
    node.systemctl("kill", "--signal=KILL", "--kill-who=main", "rollcall-agent");
    await(
        "another agent",
        () ->
            !node.agentPid().equals(before)
                && node.show("rollcall-agent", "ActiveState").equals("active"));
    assertEquals(node.agentPid(), node.pids(UNIT + "/agent"));
    assertTrue(node.runs(sleeper));
    assertEquals(keeper, node.pids(SCOPE + "/keeper"));
    node.rollcall("job", "end", "7");
    assertFalse(node.runs(sleeper));
    assertTrue(node.exists(SCOPE));
  }

  @Test
  void theStatusOfTheScopeShowsTheProcessesOfJobs() {
    node.awaitAgent();
    node.rollcall("job", "begin", "7", "--user", "root");
    String sleeper = node.sleeperIn(7);

    String status = node.systemctl("status", "--no-pager", "--full", "rollcall.scope");

    List<String> lines = status.lines().map(line -> line.replaceAll("^[^\\w]*", "")).toList();
    int job = lines.indexOf("job_7");
    int step = lines.indexOf("step_0");
    int process = lines.indexOf(sleeper + " sleep 86400");
    assertTrue(0 <= job && job < step && step < process, status);
  }

  @Test
  void agentsWithNamedScopesKeepTheirJobsApart() {
    node.awaitAgent();
    node.write(
        "/etc/rollcall/node7.yaml",
        """
        node: node7
        scope: rollcall-node7.scope
        run_directory: /run/rollcall-node7
        state_directory: /var/lib/rollcall-node7
        bpf_directory: /run/rollcall-node7/bpf
        metrics: 127.0.0.1:7461
        usage_file: /var/log/rollcall/usage-node7.jsonl
        audit_file: /var/log/rollcall/audit-node7.jsonl
        """);
    String other = "/sys/fs/cgroup/system.slice/rollcall-node7.scope";
    String socket = "--socket=/run/rollcall-node7/agent.sock";
    Running agent = node.startByHand(List.of(), "/etc/rollcall/node7.yaml");
    try {
      await("its socket", () -> node.exists("/run/rollcall-node7/agent.sock"));
      node.rollcall("job", "begin", "7", "--user", "root");
      node.rollcall("job", "begin", "7", "--user", "nobody", socket);
      node.rollcall("job", "begin", "8", "--user", "nobody", socket);

      assertEquals("active", node.show("rollcall-node7.scope", "ActiveState"));
      assertTrue(node.exists(other + "/job_7") && node.exists(other + "/job_8"));
      assertFalse(node.exists(SCOPE + "/job_8"));
      node.rollcall("job", "end", "7");
      assertFalse(node.exists(SCOPE + "/job_7"));
      assertTrue(node.exists(other + "/job_7"));
    } finally {
      node.sh("kill " + node.pids(other + "/agent"));
      agent.await(Duration.ofSeconds(30));
      node.systemctl("stop", "rollcall-node7.scope");
    }
  }

  @Test
  void aStoppedAgentLeavesScopeAndJobsAsTheyAre() {
    node.awaitAgent();
    node.rollcall("job", "begin", "7", "--user", "root");
    String sleeper = node.sleeperIn(7);

    node.systemctl("stop", "rollcall-agent");

    assertTrue(node.runs(sleeper));
    assertEquals("active", node.show("rollcall.scope", "ActiveState"));
    assertEquals("/system.slice/rollcall.scope/job_7/step_0/user/task_0", node.cgroupOf(sleeper));
  }

  @Test
  void aReloadOfSystemdChangesNothingBelowTheScope() {
    node.awaitAgent();
    node.rollcall("job", "begin", "7", "--user", "root");
    node.sleeperIn(7);
    var before = node.settings();
    assertTrue(before.size() > 5, before.toString());

    node.systemctl("daemon-reload");
    node.systemctl("set-property", "--runtime", "rollcall.scope", "TasksMax=100000");
    node.systemctl("daemon-reexec");

    // What was set on the scope itself is the administrator's and above the jobs.
    before.keySet().removeIf(file -> file.equals("./pids.max"));
    var after = node.settings();
    after.keySet().removeIf(file -> file.equals("./pids.max"));
    assertEquals(before, after);
    assertEquals(node.agentPid(), node.pids(UNIT + "/agent"));
  }

  @Test
  void aKeeperThatIsKilledIsReplacedWithAndWithoutJobs() {
    node.awaitAgent();
    node.rollcall("job", "begin", "7", "--user", "root");
    String sleeper = node.sleeperIn(7);
    replaceKeeper();
    assertTrue(node.runs(sleeper));
    node.rollcall("job", "end", "7");

    replaceKeeper();

    assertEquals("active", node.show("rollcall.scope", "ActiveState"));
    assertEquals("yes", node.show("rollcall.scope", "Delegate"));
    node.rollcall("job", "begin", "8", "--user", "root");
    assertTrue(node.runs(node.sleeperIn(8)));
  }

  private static void replaceKeeper() {
    String keeper = node.pids(SCOPE + "/keeper");
    node.run("kill", "-9", keeper);
    await(
        "another keeper",
        () -> {
          String now = node.result("cat", SCOPE + "/keeper/cgroup.procs").out().strip();
          return now.matches("[0-9]+") && !now.equals(keeper);
        });
  }

  @Test
  void withoutSystemdTheDirectoryIsMadeAtTheSamePlace() {
    node.startAgent("systemd: off\n", "");

    assertEquals("not-found", node.show("rollcall.scope", "LoadState"));
    node.rollcall("job", "begin", "7", "--user", "root");
    String sleeper = node.sleeperIn(7);
    node.systemctl("daemon-reload");
    assertEquals("/system.slice/rollcall.scope/job_7/step_0/user/task_0", node.cgroupOf(sleeper));
    // An agent that may ask systemd goes on with what is there, jobs and all.
    node.configure("", "");
    node.systemctl("restart", "rollcall-agent");
    assertTrue(node.runs(sleeper));
    assertTrue(node.rollcall("ps", "7").contains("sleep"));
    assertTrue(node.journal().contains("was made without systemd"), node.journal());
  }

  @Test
  void aSilentBusIsAnErrorInTimeThatNamesItAndNothingStays() {
    silentBus();
    node.clear();
    node.configure("systemd_timeout_ms: 300\n", "DBUS_SYSTEM_BUS_ADDRESS=unix:path=/run/silent\n");

    var start = node.result("systemctl", "start", "rollcall-agent");

    assertNotEquals(0, start.exit());
    await(
        "the reason is in the journal",
        () -> node.journal().contains("unix:path=/run/silent does not answer within 300 ms"));
    node.systemctl("stop", "rollcall-agent");
    assertFalse(node.exists(SCOPE));
    assertEquals("", node.sh("pgrep -x -a sleep | grep infinity || true"));
  }

  @Test
  void onFailureItGoesOnWithoutSystemdIfItMay() {
    silentBus();
    node.startAgent(
        "systemd_timeout_ms: 300\nsystemd_on_failure: without\n",
        "DBUS_SYSTEM_BUS_ADDRESS=unix:path=/run/silent\n");

    assertTrue(node.journal().contains("is made without systemd"), node.journal());
    node.rollcall("job", "begin", "7", "--user", "root");
    assertTrue(node.runs(node.sleeperIn(7)));
    node.rollcall("job", "end", "7");
    // With the bus back the next agent has a scope.
    node.configure("", "");
    node.systemctl("restart", "rollcall-agent");
    assertEquals("yes", node.show("rollcall.scope", "Delegate"));
  }

  /** A socket that takes connections, and nobody who answers. */
  private static void silentBus() {
    node.write("/etc/systemd/system/silent.socket", "[Socket]\nListenStream=/run/silent\n");
    node.write("/etc/systemd/system/silent.service", "[Service]\nExecStart=sleep 86400\n");
    node.systemctl("daemon-reload");
    node.systemctl("start", "silent.socket");
  }

  @Test
  void aScopeOfThatNameThatIsSomebodyElsesIsRefused() {
    node.clear();
    node.configure("", "");
    Running other =
        node.start(
            "systemd-run",
            "--scope",
            "--unit=rollcall.scope",
            "--slice=system.slice",
            "sleep",
            "86400");
    try {
      await("the other's scope", () -> node.exists(SCOPE));

      var start = node.result("systemctl", "start", "rollcall-agent");

      assertNotEquals(0, start.exit());
      await("the reason is in the journal", () -> node.journal().contains("is not usable"));
      assertTrue(other.isAlive());
    } finally {
      node.systemctl("stop", "rollcall-agent");
      node.systemctl("stop", "rollcall.scope");
      other.await(Duration.ofSeconds(30));
    }
  }

  @Test
  void anAgentStartedByHandMovesIntoTheScopeAndOutOfItsLogin() {
    node.clear();
    node.configure("", "");
    Running agent = node.startByHand(List.of(), "/etc/rollcall/agent.yaml");
    try {
      await("its leaf", () -> node.exists(SCOPE + "/agent"));
      await("it is in it", () -> node.pids(SCOPE + "/agent").matches("[0-9]+"));
      assertEquals(
          "/system.slice/rollcall.scope/agent", node.cgroupOf(node.pids(SCOPE + "/agent")));
      assertTrue(agent.isAlive());
    } finally {
      node.sh("kill " + node.pids(SCOPE + "/agent"));
      agent.await(Duration.ofSeconds(30));
    }
  }

  /** Its limits are those of the container. */
  @Test
  void anAgentInAContainerStaysInItsCgroup() {
    node.clear();
    node.configure("", "");
    Running agent = node.startByHand(List.of("unshare", "--mount"), "/etc/rollcall/agent.yaml");
    try {
      await("its jobs' scope", () -> node.exists(SCOPE));
      await("it is ready", () -> node.exists("/run/rollcall/agent.sock"));
      assertFalse(node.exists(SCOPE + "/agent"));
      assertTrue(agent.isAlive());
    } finally {
      node.sh("pkill -f [d]ev.rollcall.agent.Main");
      agent.await(Duration.ofSeconds(30));
    }
  }
}
