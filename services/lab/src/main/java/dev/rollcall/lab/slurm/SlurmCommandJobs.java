package dev.rollcall.lab.slurm;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.process.Running;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Jobs of a Slurm that is up, by Slurm's own commands, on the login node where not said. */
public final class SlurmCommandJobs {
  /** How Slurm 22.05 writes the extern step's id in the name of its socket. */
  private static final String EXTERN = "4294967292";

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final TestCluster cluster;

  public SlurmCommandJobs(TestCluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Submits a batch job that does nothing until it is cancelled, and waits until every node has its
   * extern step.
   *
   * @param options more options of sbatch(1)
   */
  public long submit(User owner, List<ClusterNode> nodes, String... options) {
    String names = nodes.stream().map(ClusterNode::name).collect(Collectors.joining(","));
    var argv =
        new ArrayList<>(
            List.of("sbatch", "--parsable", "--chdir=/tmp", "--output=/dev/null", "--nodes"));
    argv.addAll(List.of(Integer.toString(nodes.size()), "--nodelist", names));
    argv.addAll(List.of(options));
    // With exec: Slurm sends SIGTERM to its own child alone.
    argv.addAll(List.of("--wrap", "exec sleep infinity"));
    long job =
        Long.parseLong(
            login().exec(owner, argv.toArray(String[]::new)).outOrThrow("sbatch").strip());
    Eventually.await(
        PATIENCE,
        () -> runs(nodes, job),
        () -> "job %d on %s: %s".formatted(job, names, state(job)));
    return job;
  }

  private boolean runs(List<ClusterNode> nodes, long job) {
    return state(job).equals("RUNNING None") && nodes.stream().allMatch(node -> isOn(node, job));
  }

  private ClusterNode login() {
    return cluster.node(NodeAddress.LOGIN);
  }

  private static boolean isOn(ClusterNode node, long job) {
    return Files.exists(
        node.file("/var/lib/slurm/slurmd/%s_%d.%s".formatted(node.name(), job, EXTERN)));
  }

  /**
   * State and reason as squeue has them, "RUNNING None" when all is well; empty once it is over.
   */
  public String state(long job) {
    return login()
        .exec(User.ROOT, "squeue", "-h", "-j", Long.toString(job), "-o", "%T %r")
        .out()
        .strip();
  }

  /** Cancels the jobs that are not over and waits until Slurm calls their nodes clean. */
  public void cancel(List<Long> jobs) {
    var argv = new ArrayList<>(List.of("scancel"));
    jobs.stream().filter(job -> !state(job).isEmpty()).forEach(job -> argv.add(job.toString()));
    if (argv.size() == 1) {
      return;
    }
    login().exec(User.ROOT, argv.toArray(String[]::new)).outOrThrow("scancel");
    for (long job : jobs) {
      Eventually.await(PATIENCE, () -> state(job).isEmpty(), () -> job + " is " + state(job));
    }
  }

  /** Suspends a job and waits until its nodes have frozen it, which scontrol does not. */
  public void suspend(long job) {
    scontrol("suspend", job);
    awaitFreezer(job, "FROZEN");
  }

  /** Resumes a job and waits until its nodes have thawed it. */
  public void resume(long job) {
    scontrol("resume", job);
    awaitFreezer(job, "THAWED");
  }

  private void awaitFreezer(long job, String state) {
    for (ClusterNode node : cluster.compute()) {
      if (isOn(node, job)) {
        Eventually.await(
            PATIENCE,
            () -> freezer(node, job).equals(state),
            () -> "job %d on %s is not %s".formatted(job, node.name(), state));
      }
    }
  }

  /** The state of the extern step's freezer, as the kernel tells it. */
  public static String freezer(ClusterNode node, long job) {
    String file =
        "/sys/fs/cgroup/freezer/slurm_%s/uid_*/job_%d/step_extern/freezer.state"
            .formatted(node.name(), job);
    return node.shell(User.ROOT, "cat " + file).out().strip();
  }

  private void scontrol(String verb, long job) {
    login()
        .exec(User.ROOT, "scontrol", verb, Long.toString(job))
        .outOrThrow("scontrol " + verb + " " + job);
  }

  /**
   * Starts a command as a step of a job on a node, with srun on that same node, so that a node
   * which nobody reaches can start one.
   *
   * @return srun; the command is a child of slurmstepd's
   */
  public Running step(ClusterNode node, long job, User user, String... command) {
    return step(node, job, user, List.of(), command);
  }

  /** The same with more options of srun(1). */
  public Running step(
      ClusterNode node, long job, User user, List<String> options, String... command) {
    var argv =
        new ArrayList<>(
            List.of("srun", "--overlap", "--quiet", "--nodes=1", "--ntasks=1", "--chdir=/tmp"));
    argv.addAll(options);
    argv.addAll(List.of("--jobid", Long.toString(job), "--nodelist", node.name(), "--"));
    argv.addAll(Arrays.asList(command));
    return node.start(user, argv.toArray(String[]::new));
  }

  /** The jobs that have an extern step on a node, oldest first. */
  public List<Long> on(ClusterNode node) {
    Result listed = login().exec(User.ROOT, "squeue", "-h", "-w", node.name(), "-o", "%A");
    return listed.outOrThrow("squeue").lines().map(Long::valueOf).sorted().toList();
  }

  /** The processes of a job's sessions on a node, as Slurm lists them. */
  public static List<Long> sessions(ClusterNode node, long job) {
    return node.exec(User.ROOT, "scontrol", "listpids", Long.toString(job), node.name())
        .outOrThrow("scontrol listpids")
        .lines()
        .map(line -> line.split(" +", -1))
        .filter(words -> words.length > 2 && words[2].equals("extern"))
        .map(words -> Long.valueOf(words[0]))
        .toList();
  }

  /** What accounting has of a job's steps, after the job and every step has ended. */
  public List<Accounted> accounted(long job) {
    Result asked =
        login()
            .exec(
                User.ROOT,
                "sacct",
                "-n",
                "-P",
                "-j",
                Long.toString(job),
                "-o",
                "JobIDRaw,State,TotalCPU,MaxRSS");
    return asked.outOrThrow("sacct").lines().map(Accounted::parse).toList();
  }

  /**
   * The extern step's line in accounting once it has ended and has more than this CPU time. sacct
   * gives a step the state of its job as soon as the job has ended (22.05, slurmdbd's
   * as_mysql_jobacct_process); the step's own record, with its usage, comes from slurmd after that.
   */
  public Accounted accountedSessions(long job, Duration moreThan) {
    String id = job + ".extern";
    var found = new ArrayList<Accounted>();
    Eventually.await(
        PATIENCE,
        () -> {
          accounted(job).stream()
              .filter(line -> line.id().equals(id) && !line.state().equals("RUNNING"))
              .filter(line -> line.cpu().compareTo(moreThan) > 0)
              .forEach(found::add);
          return !found.isEmpty();
        },
        () -> "sacct has no ended %s above %s: %s".formatted(id, moreThan, accounted(job)));
    return found.getFirst();
  }

  /** The end of each daemon's log, for a failure. */
  public String logs() {
    var logs = new StringBuilder();
    for (ClusterNode node : cluster.all()) {
      logs.append(node.name())
          .append(": ")
          .append(node.shell(User.ROOT, "tail -n 20 /var/log/slurm/*.log 2>/dev/null").out())
          .append('\n');
    }
    return logs.toString();
  }
}
