package dev.rollcall.lab.demo;

import dev.rollcall.lab.cluster.User;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.process.Running;
import java.time.Duration;
import java.util.function.Consumer;

/** What systemd does to the agent and to the tree, while a session is open. */
final class SystemdScenes {
  private static final String MAIN_PID = "systemctl show -p MainPID --value rollcall-agent.service";

  /** WatchdogSec of the unit. */
  private static final Duration WATCHDOG = Duration.ofMinutes(3);

  private SystemdScenes() {}

  static Outcome reloaded(SystemdNode node) {
    return meanwhile(node, one -> one.root("systemctl daemon-reload && systemctl daemon-reexec"));
  }

  static Outcome agentRestarted(SystemdNode node) {
    return meanwhile(node, SystemdNode::restartAgent);
  }

  static Outcome agentKilled(SystemdNode node) {
    return meanwhile(
        node,
        one -> {
          String before = one.root(MAIN_PID);
          one.root("kill -9 " + before);
          awaitNextAgent(one, before, SystemdNode.PATIENCE);
        });
  }

  /** The unit's WatchdogSec ends it, and logins go on from files until then. */
  static Outcome agentDeaf(SystemdNode node) {
    try (NodeJob job = node.begin(User.ALICE)) {
      String before = node.root(MAIN_PID);
      long start = System.nanoTime();
      node.root("kill -STOP " + before);
      Result meanwhile = job.visit("cat /proc/self/cgroup");
      awaitNextAgent(node, before, WATCHDOG.plus(SystemdNode.PATIENCE));
      long millis = (System.nanoTime() - start) / 1_000_000;
      Result again = job.visit("cat /proc/self/cgroup");
      return Outcome.compare(
          "a login in job %1$d, a watchdog timeout of the agent, a login in job %1$d"
              .formatted(job.id()),
          "a login in %s, %s of the agent, a login in %s"
              .formatted(
                  meanwhile.ok() ? SessionScenes.place(meanwhile.out()) : meanwhile.err().strip(),
                  node.log().contains("Watchdog timeout") ? "a watchdog timeout" : "another end",
                  again.ok() ? SessionScenes.place(again.out()) : again.err().strip()),
          millis);
    }
  }

  private static void awaitNextAgent(SystemdNode node, String before, Duration patience) {
    Eventually.await(
        patience,
        () -> !node.root(MAIN_PID).equals(before) && !node.root(MAIN_PID).equals("0"),
        () -> "systemd does not start the agent again");
    node.awaitAgent();
  }

  private static Outcome meanwhile(SystemdNode node, Consumer<SystemdNode> what) {
    try (NodeJob job = node.begin(User.ALICE)) {
      Running session = job.stay("sleep 600");
      var before = job.processes();
      long start = System.nanoTime();
      what.accept(node);
      long millis = (System.nanoTime() - start) / 1_000_000;
      Result again = job.visit("cat /proc/self/cgroup");
      return Outcome.compare(
          "the session's processes still in job %1$d, a new login in job %1$d, gone at its end"
              .formatted(job.id()),
          "the session's processes %s, a new login in %s, %s at its end"
              .formatted(
                  session.isAlive() && job.processes().containsAll(before)
                      ? "still in job " + job.id()
                      : "elsewhere: " + job.processes() + " of " + before,
                  again.ok() ? SessionScenes.place(again.out()) : again.err().strip(),
                  job.end().getClean() && endsSoon(session) ? "gone" : "there"),
          millis);
    }
  }

  private static boolean endsSoon(Running session) {
    return Eventually.holds(SystemdNode.PATIENCE, () -> !session.isAlive());
  }
}
