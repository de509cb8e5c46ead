package dev.rollcall.lab.demo;

import dev.rollcall.lab.cluster.User;
import dev.rollcall.testkit.process.Eventually;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What services of the machine begin for a user, outside of the session that asked them to. */
final class OutsideScenes {
  private static final String SCHEDULED = "rollcall_outside_processes_total{place=\"scheduler\"}";
  private static final String KILLED = "rollcall_outside_actions_total{action=\"killed\"}";

  /**
   * A way out.
   *
   * @param asked what the user says in a session
   * @param begun what is begun then
   */
  private record Way(String name, String asked, String begun) {}

  private static final Way USER_SERVICE =
      new Way("systemd-run", "systemd-run --user --quiet sleep 611", "sleep 611");
  private static final Way AT = new Way("at", "echo sleep 612 | at now 2>&1", "sleep 612");

  /** It looks once a minute. */
  private static final Way CRON =
      new Way("cron", "echo '* * * * * sleep 613' | crontab -", "sleep 613");

  /** Begins when the session is over, by an instance of systemd that is there without one. */
  private static final Way LINGER =
      new Way("linger", "systemd-run --user --quiet --on-active=3 sleep 614", "sleep 614");

  private static final List<Way> ALL = List.of(CRON, AT, USER_SERVICE, LINGER);

  private OutsideScenes() {}

  static Outcome told(SystemdNode node) {
    try (NodeJob job = node.begin(User.ALICE)) {
      long start = System.nanoTime();
      job.visit(USER_SERVICE.asked()).outOrThrow(USER_SERVICE.asked());
      boolean told = holds(() -> node.log().contains("(sleep) of uid 2001"));
      long millis = (System.nanoTime() - start) / 1_000_000;
      return Outcome.compare(
          "notified, outside the job",
          "%s, %s the job"
              .formatted(
                  told ? "notified" : "not notified",
                  job.pidOf(USER_SERVICE.begun()) == 0 ? "outside" : "inside"),
          millis);
    } finally {
      cleanUp(node);
    }
  }

  static Outcome adopted(SystemdNode node) {
    node.configure("user_manager", "adopt");
    node.root("loginctl enable-linger alice");
    try (NodeJob job = node.begin(User.ALICE)) {
      long start = System.nanoTime();
      ALL.forEach(way -> job.visit(way.asked()).outOrThrow(way.asked()));
      String inside = named(way -> holds(() -> job.pidOf(way.begun()) > 0));
      long millis = (System.nanoTime() - start) / 1_000_000;
      node.root("crontab -r -u alice");
      var _ = job.end();
      String gone = named(way -> holds(() -> node.pidOf(way.begun()) == 0));
      String all = named(_ -> true);
      return Outcome.compare(
          "in the job: %1$s; gone with it: %1$s".formatted(all),
          "in the job: %s; gone with it: %s".formatted(inside, gone),
          millis);
    } finally {
      node.willBe("user_manager", "report");
      cleanUp(node);
    }
  }

  /** The user's own systemd is killed, too, so that systemd-run finds none to ask. */
  static Outcome denied(SystemdNode node) {
    node.configure("user_manager", "deny");
    try (NodeJob job = node.begin(User.ALICE)) {
      long start = System.nanoTime();
      job.visit(CRON.asked()).outOrThrow(CRON.asked());
      job.visit(AT.asked()).outOrThrow(AT.asked());
      job.visit(USER_SERVICE.asked() + " 2>&1; true").outOrThrow(USER_SERVICE.asked());
      boolean both = holds(() -> node.metric(SCHEDULED) >= 2 && node.metric(KILLED) >= 2);
      boolean none = holds(() -> ALL.stream().allMatch(way -> node.pidOf(way.begun()) == 0));
      long millis = (System.nanoTime() - start) / 1_000_000;
      return Outcome.compare(
          "cron's and at's killed, none alive",
          "%s, %s alive"
              .formatted(both ? "cron's and at's killed" : "not seen", none ? "none" : "one"),
          millis);
    } finally {
      node.willBe("user_manager", "report");
      cleanUp(node);
    }
  }

  private static String named(Predicate<Way> which) {
    return ALL.stream().filter(which).map(Way::name).collect(Collectors.joining(", "));
  }

  private static boolean holds(BooleanSupplier condition) {
    return Eventually.holds(SystemdNode.PATIENCE, condition);
  }

  private static void cleanUp(SystemdNode node) {
    node.root(
        "crontab -r -u alice 2>&1; loginctl disable-linger alice; pkill -x -f '(/usr/bin/)?sleep"
            + " 61[1-4]'; true");
  }
}
