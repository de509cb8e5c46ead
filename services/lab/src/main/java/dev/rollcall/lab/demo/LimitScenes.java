package dev.rollcall.lab.demo;

import dev.rollcall.lab.cluster.User;
import dev.rollcall.proto.v1.Allocation;
import dev.rollcall.proto.v1.CpuMax;
import dev.rollcall.proto.v1.LimitRequest;
import dev.rollcall.proto.v1.Limits;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.process.Running;

/** Limits that the kernel enforces, by what it counts and not by a clock. */
final class LimitScenes {
  private static final long MEMORY = 96L << 20;
  private static final long QUOTA_US = 10_000;
  private static final int PIDS = 25;

  private LimitScenes() {}

  private static Allocation of(Limits.Builder limits) {
    return Allocation.newBuilder().setLimits(limits).build();
  }

  static Outcome memoryMax(SystemdNode node) {
    try (NodeJob hers = node.begin(User.ALICE, of(Limits.newBuilder().setMemoryMax(MEMORY)));
        NodeJob his = node.begin(User.BOB)) {
      Running neighbour = his.stay("sleep 600");
      Result hog = hers.visit("perl -e '$x = \"x\" x (300 << 20); print length $x'");
      boolean counted =
          Eventually.holds(SystemdNode.PATIENCE, () -> hers.most("memory.events", "oom_kill") > 0);
      return Outcome.compare(
          "memory.max %d, the hog killed and counted, bob's session alive, his job without a kill"
              .formatted(MEMORY),
          "memory.max %s, the hog %s and %s, bob's session %s, his job %s a kill"
              .formatted(
                  hers.read("memory.max"),
                  hog.ok() ? "through: " + hog.out() : "killed",
                  counted ? "counted" : "not counted",
                  neighbour.isAlive() ? "alive" : "gone",
                  his.most("memory.events", "oom_kill") == 0 ? "without" : "with"),
          hog.millis());
    }
  }

  /** What was used between two looks is at most the quota of the periods between them. */
  static Outcome cpuMax(SystemdNode node) {
    var quota = CpuMax.newBuilder().setQuotaUs(QUOTA_US);
    try (NodeJob job = node.begin(User.ALICE, of(Limits.newBuilder().setCpuMax(quota)))) {
      long start = System.nanoTime();
      job.stay("while :; do :; done");
      throttled(job, 5);
      long periods = job.number("cpu.stat", "nr_periods");
      long used = job.number("cpu.stat", "usage_usec");
      throttled(job, job.number("cpu.stat", "nr_throttled") + 10);
      long usedMore = job.number("cpu.stat", "usage_usec") - used;
      long bound = (job.number("cpu.stat", "nr_periods") - periods + 1) * QUOTA_US;
      // Each CPU takes its share in slices (sched_cfs_bandwidth_slice_us: 5 ms), and may overrun by
      // a tick.
      boolean within = usedMore <= bound + bound / 2 + 20_000;
      return Outcome.compare(
          "cpu.max 10000 100000, throttled, within the quota",
          "cpu.max %s, throttled, %s"
              .formatted(
                  job.read("cpu.max"),
                  within ? "within the quota" : usedMore + " us used of " + bound),
          (System.nanoTime() - start) / 1_000_000);
    }
  }

  private static void throttled(NodeJob job, long times) {
    Eventually.await(
        SystemdNode.PATIENCE,
        () -> job.number("cpu.stat", "nr_throttled") >= times,
        () -> "not throttled " + times + " times: " + job.read("cpu.stat"));
  }

  static Outcome pidsMax(SystemdNode node) {
    try (NodeJob job = node.begin(User.ALICE, of(Limits.newBuilder().setPidsMax(PIDS)))) {
      Result ssh =
          job.visit(
              "perl -e 'for (1 .. 60) { $p = fork; last unless defined $p; if (!$p) { sleep 600 }"
                  + " push @p, $p } print scalar(@p), \" $!\"; kill 9, @p'");
      String[] said = ssh.outOrThrow("forking").split(" ", 2);
      boolean refused = Integer.parseInt(said[0]) < PIDS && said.length == 2;
      return Outcome.compare(
          "refused below %d: Resource temporarily unavailable, counted".formatted(PIDS),
          "%s: %s, %s"
              .formatted(
                  refused ? "refused below " + PIDS : "forked " + said[0],
                  said[1],
                  job.most("pids.events", "max") > 0 ? "counted" : "not counted"),
          ssh.millis());
    }
  }

  static Outcome cpuset(SystemdNode node) {
    try (NodeJob job = node.begin(User.ALICE, of(Limits.newBuilder().setCpus("1")))) {
      Result ssh = job.visit("sed -n 's/^Cpus_allowed_list:\\t//p' /proc/self/status");
      return Outcome.compare("CPUs 1", "CPUs " + (ssh.out() + ssh.err()).strip(), ssh.millis());
    }
  }

  /** While a session runs, which then feels it. */
  static Outcome changed(SystemdNode node) {
    try (NodeJob job = node.begin(User.ALICE, of(Limits.newBuilder().setPidsMax(500)))) {
      Running stays = job.stay("sleep 600");
      String before = job.read("pids.max");
      long start = System.nanoTime();
      var limits = Limits.newBuilder().setPidsMax(400).setCpus("0");
      var _ =
          node.jobs().limit(LimitRequest.newBuilder().setJobId(job.id()).setLimits(limits).build());
      long millis = (System.nanoTime() - start) / 1_000_000;
      return Outcome.compare(
          "pids.max 500, then 400, CPUs 0, the session alive",
          "pids.max %s, then %s, CPUs %s, the session %s"
              .formatted(
                  before,
                  job.read("pids.max"),
                  job.read("cpuset.cpus.effective"),
                  stays.isAlive() ? "alive" : "gone"),
          millis);
    }
  }
}
