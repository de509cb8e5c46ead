package dev.rollcall.jobs.slurm;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import dev.rollcall.linux.cgroup.BoundedWait;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.CgroupKill;
import dev.rollcall.linux.cgroup.CgroupMounts;
import dev.rollcall.linux.cgroup.CgroupRemoval;
import dev.rollcall.linux.cgroup.ProcessCgroups;
import dev.rollcall.linux.mount.Mount;
import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.CgroupIds;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.port.Jobs.AdoptResult;
import dev.rollcall.port.PinnedProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * A node on which Slurm seems to run: a spool directory, cgroups as Slurm makes them, in the real
 * kernel, and step daemons that are processes. Leaves nothing.
 */
final class SlurmRig implements AutoCloseable {
  static final int ALICE = 1001;
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Proc PROC = new Proc(Path.of("/proc"));
  private static final AtomicInteger NUMBER = new AtomicInteger();

  /** What the node's Slurm is like. */
  enum Kind {
    V1_22_05(38),
    V2_26_05(45);

    private final int release;

    Kind(int release) {
      this.release = release;
    }
  }

  final Kind kind;
  final Path state;
  final Path spool;
  final List<Job> heard = Collections.synchronizedList(new ArrayList<>());
  private final List<CgroupDirectory> roots = new ArrayList<>();
  private final List<Process> started = new ArrayList<>();
  private Optional<Path> runtime = Optional.empty();
  private boolean writes;
  private boolean tasksLater;
  private int release;
  private SlurmJobs jobs;

  SlurmRig(Kind kind) {
    this.kind = kind;
    release = kind.release;
    try {
      state = Files.createTempDirectory("rollcall-slurm");
      spool = Files.createDirectory(state.resolve("spool"));
      CgroupMounts mounts = CgroupMounts.read(Path.of("/proc"));
      String name =
          "rollcall-slurm-test-" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet();
      if (kind == Kind.V2_26_05) {
        roots.add(new CgroupDirectory(mounts.v2().orElseThrow().point().resolve(name)));
      } else {
        for (String controller : List.of("freezer", "memory")) {
          roots.add(new CgroupDirectory(mounts.v1(controller).orElseThrow().point().resolve(name)));
        }
      }
      jobs = open();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private SlurmJobs open() throws IOException {
    SlurmJobs opened =
        SlurmJobs.open(
            new SlurmJobsConfig(
                spool, "n1", state, Path.of("/proc"), Duration.ofMillis(500), writes, runtime));
    opened.listen(heard::add);
    return opened;
  }

  SlurmJobs jobs() {
    return jobs;
  }

  /** Adopts into a job of Alice. */
  AdoptResult adopt(PinnedProcess process, JobId into) {
    return jobs.adopt(process, into, ALICE);
  }

  /** Another agent in the place of this one. */
  SlurmJobs reopen(boolean writesCgroups) throws IOException {
    jobs.close();
    writes = writesCgroups;
    jobs = open();
    return jobs;
  }

  /** Another agent, which makes runtime directories here. */
  Path reopenWithRuntimeDirectories() throws IOException {
    runtime = Optional.of(state.resolve("runtime"));
    reopen(false);
    return runtime.get();
  }

  Path socket(long job) {
    return spool.resolve("n1_%d.4294967292".formatted(job));
  }

  /** Where the job's cgroup is, in a hierarchy of the test's. */
  CgroupDirectory job(CgroupDirectory root, long job) {
    return kind == Kind.V2_26_05
        ? root.child("slurmstepd.scope").child("s%013d".formatted(job))
        : root.child("slurm_n1").child("uid_" + ALICE).child("job_" + job);
  }

  /** Where all jobs are, if they are in the cgroup2 tree. */
  Optional<Path> scope() {
    return kind == Kind.V2_26_05
        ? Optional.of(roots.getFirst().child("slurmstepd.scope").path())
        : Optional.empty();
  }

  /** What is frozen with the extern step. */
  CgroupDirectory users(CgroupDirectory root, long job) {
    CgroupDirectory extern = job(root, job).child("step_extern");
    return kind == Kind.V2_26_05 ? extern.child("user") : extern;
  }

  /** The daemons that start from now on answer this release. */
  void answerRelease(int number) {
    release = number;
  }

  /** The daemons make the tasks' cgroups with the first process that they take, as 26.05. */
  void makeTasksLater() {
    tasksLater = true;
  }

  /** On v1 as jobacct_gather/cgroup makes them. */
  private CgroupDirectory tasks(CgroupDirectory root, long job) {
    if (kind == Kind.V2_26_05) {
      return users(root, job).child("task_special");
    }
    return root.equals(roots.getFirst()) ? users(root, job) : users(root, job).child("task_0");
  }

  /** The step daemon of an extern step, and its job's cgroups. */
  final class Daemon {
    final long job;
    private final Process process;
    private final BufferedReader out;

    private Daemon(long job, boolean placed) throws IOException {
      this.job = job;
      List<String> command =
          new ArrayList<>(
              List.of(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:+UseSerialGC",
                  "-XX:TieredStopAtLevel=1",
                  "-Xmx32m",
                  "--enable-native-access=ALL-UNNAMED",
                  "--add-exports=" + StepDaemonClient.EXPORTED,
                  "-cp",
                  System.getProperty("java.class.path"),
                  FakeStepDaemon.class.getName(),
                  socket(job).toString(),
                  Integer.toString(release),
                  Integer.toString(ALICE)));
      for (CgroupDirectory root : roots) {
        (tasksLater ? users(root, job) : tasks(root, job)).create();
        command.add(tasks(root, job).toString());
      }
      process = run(List.of("sh", "-c", "read go; exec \"$@\"", "sh"), command);
      out =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
      if (placed) {
        place();
      }
      send("go");
      await("the daemon listens", () -> Files.exists(socket(job)));
    }

    /** As Slurm does: v1's freezer has it in the job's directory, all else in the step's. */
    private void place() throws IOException {
      for (CgroupDirectory root : roots) {
        CgroupDirectory extern = job(root, job).child("step_extern");
        CgroupDirectory its =
            kind == Kind.V2_26_05
                ? extern.child("slurm")
                : root.equals(roots.getFirst()) ? job(root, job) : extern;
        its.create();
        its.add((int) process.pid());
      }
    }

    private void send(String line) throws IOException {
      process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
    }

    /** Tells it what to do, and waits until it does. */
    void be(String line) {
      try {
        send(line);
        while (!line.equals(out.readLine())) {}
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** It removes its socket and ends; then its job's cgroups are killed and removed. */
    void end() throws IOException {
      process.getOutputStream().close();
      await("the daemon ended", () -> !process.isAlive());
      for (CgroupDirectory root : roots) {
        clear(job(root, job));
      }
    }

    /** Killed: its socket and its job's cgroups stay. */
    void kill() {
      process.destroyForcibly();
      await("the daemon ended", () -> !process.isAlive());
    }

    int pid() {
      return (int) process.pid();
    }
  }

  /** An extern step that is set up and runs. */
  Daemon extern(long job) {
    Daemon daemon = starting(job);
    daemon.be("state 2");
    awaitState(job, JobState.OPEN);
    return daemon;
  }

  /** An extern step that is not set up yet. */
  Daemon starting(long job) {
    try {
      return new Daemon(job, true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One whose daemon is in no cgroup that Slurm makes. */
  Daemon misplaced(long job) {
    try {
      return new Daemon(job, false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void freeze(long job, boolean frozen) {
    CgroupDirectory users = users(roots.getFirst(), job);
    try {
      if (kind == Kind.V2_26_05) {
        users.write("cgroup.freeze", frozen ? "1" : "0");
      } else {
        users.write("freezer.state", frozen ? "FROZEN" : "THAWED");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What freezes it: a file and what is written to it. */
  String freezing(long job) {
    CgroupDirectory users = users(roots.getFirst(), job);
    return kind == Kind.V2_26_05
        ? users.path().resolve("cgroup.freeze") + " 1"
        : users.path().resolve("freezer.state") + " FROZEN";
  }

  Optional<JobState> state(long job) {
    return jobs.list().stream().filter(it -> it.id().number() == job).map(Job::state).findFirst();
  }

  void awaitState(long job, JobState state) {
    await("job " + job + " is " + state, () -> state(job).equals(Optional.of(state)));
  }

  void awaitGone(long job) {
    await("job " + job + " is gone", () -> state(job).isEmpty());
  }

  List<JobState> heardOf(long job) {
    synchronized (heard) {
      return heard.stream()
          .filter(it -> it.id().equals(new JobId(job)))
          .map(Job::state)
          .distinct()
          .toList();
    }
  }

  private Process run(List<String> before, List<String> command) throws IOException {
    List<String> all = new ArrayList<>(before);
    all.addAll(command);
    Process process =
        new ProcessBuilder(all).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    started.add(process);
    return process;
  }

  /** A process that is in no job. */
  Pidfd sleeper() {
    try {
      Process process = run(List.of(), List.of("sleep", "600"));
      return Pidfd.open(PROC, (int) process.pid()).orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * sshd to whoever looks, as root and in no job: a shell that waits for {@link #becomeSession}.
   */
  Process sshd() {
    try {
      Path program = Files.copy(Path.of("/bin/sh"), state.resolve("sshd"), REPLACE_EXISTING);
      return run(
          List.of(program.toString(), "-c", "read go; \"$@\"; :", "sh"),
          List.of(
              "setpriv",
              "--clear-groups",
              "--reuid",
              Integer.toString(ALICE),
              "/bin/sleep",
              "600"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Its child is the owner's from now on. */
  static void becomeSession(Process sshd) {
    try {
      sshd.getOutputStream().write("go\n".getBytes(StandardCharsets.UTF_8));
      sshd.getOutputStream().flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    await(
        "a process of the owner's",
        () ->
            sshd.children()
                .anyMatch(child ->
                    PROC.status((int) child.pid())
                        .filter(its -> its.realUid() == ALICE)
                        .isPresent()));
  }

  static Pidfd pinned(Process process) {
    try {
      return Pidfd.open(PROC, (int) process.pid()).orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Another step's cgroup in each hierarchy; the last is v1's of memory. */
  CgroupDirectory step(long job, String step) throws IOException {
    CgroupDirectory its = job(roots.getLast(), job).child("step_" + step);
    for (CgroupDirectory root : roots) {
      job(root, job).child("step_" + step).create();
    }
    return its;
  }

  /** A task of a step of the job, of the job's owner, with these variables alone. */
  void task(long job, String step, List<String> variables) {
    try {
      List<String> command = new ArrayList<>(List.of("env", "-i"));
      command.addAll(variables);
      command.addAll(List.of("/bin/sleep", "600"));
      Process process =
          run(
              List.of(
                  "sh",
                  "-c",
                  "read go; exec setpriv --clear-groups --reuid " + ALICE + " \"$@\"",
                  "sh"),
              command);
      CgroupDirectory directory = job(roots.getFirst(), job).child("step_" + step).child("task_0");
      directory.create();
      directory.add((int) process.pid());
      process.getOutputStream().write("go\n".getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The cgroups of an extern step without a daemon; the first is that of the first hierarchy. */
  List<CgroupDirectory> left(long job) {
    try {
      List<CgroupDirectory> left = new ArrayList<>();
      for (CgroupDirectory root : roots) {
        left.add(tasks(root, job));
        left.getLast().create();
      }
      return left;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  ProcessCgroups cgroups(int pid) {
    try {
      return ProcessCgroups.read(Path.of("/proc"), pid);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As the kernel would report a call of it. */
  CgroupIds idsOf(long job) {
    try {
      long id = tasks(roots.getFirst(), job).id();
      return kind == Kind.V2_26_05 ? new CgroupIds(id, 7) : new CgroupIds(7, id);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void write(Path file, String text) {
    try {
      Files.writeString(file, text, StandardOpenOption.CREATE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void await(String what, BooleanSupplier condition) {
    BoundedWait patience = BoundedWait.of(LONG);
    while (!condition.getAsBoolean()) {
      if (!patience.pause()) {
        throw new AssertionError("not within " + LONG + ": " + what);
      }
    }
  }

  private static void sigkill(int pid, CgroupDirectory in) throws IOException {
    Optional<Pidfd> pinned = Pidfd.open(PROC, pid);
    if (pinned.isPresent()) {
      try (Pidfd process = pinned.get()) {
        process.signal(9);
      }
    }
  }

  private static void clear(CgroupDirectory root) throws IOException {
    BoundedWait patience = BoundedWait.of(LONG);
    CgroupRemoval.Outcome outcome;
    do {
      if (root.exists()) {
        CgroupKill.of(root).round(root, SlurmRig::sigkill, patience);
      }
      outcome = CgroupRemoval.remove(root, patience.atMost(Duration.ofMillis(50)));
    } while (!(outcome instanceof CgroupRemoval.Outcome.Removed) && patience.pause());
  }

  @Override
  public void close() {
    try {
      jobs.close();
      if (runtime.isPresent()) {
        Mount.detach(runtime.get());
      }
      started.forEach(Process::destroyForcibly);
      for (CgroupDirectory root : roots) {
        clear(root);
      }
      try (Stream<Path> files = Files.walk(state)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
