package dev.rollcall.agent.login.file;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.model.Caller;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.port.SessionPlace;
import dev.rollcall.proto.login.v1.Ask;
import dev.rollcall.proto.login.v1.User;
import io.micrometer.core.instrument.Counter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Keeps the files of logins true. While one cannot be written there is no {@code node}, and every
 * login asks the agent. Thread-safe; each call writes what it changes before it returns, some 0.1
 * ms for a file, and calls nothing of the jobs'. {@link #changed} waits for logins besides.
 */
final class LoginFiles implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(LoginFiles.class.getName());
  private static final String NODE = "node";

  private final LoginDirectory directory;
  private final NodeFacts node;
  private final JobFile jobFile;
  private final Supplier<Ask> nodeAsk;
  private final LongSupplier bootClock;
  private final Counter failures;

  private final UserJobs jobs = new UserJobs();
  private final Map<Integer, JobId> chosen = new HashMap<>();
  private final ExpectedCallers callers = new ExpectedCallers();
  private final Set<Integer> stale = new HashSet<>();

  /** Jobs that changed before the first list of them was taken in: the change is the later word. */
  private final Set<JobId> heard = new HashSet<>();

  private boolean begun;
  private boolean ended;
  private boolean whole;
  private String trouble = "";
  private Ask writtenAsk = Ask.ASK_UNSPECIFIED;

  /**
   * @param nodeAsk the reason why every login of the node asks the agent, if there is one
   * @param bootClock ns of CLOCK_BOOTTIME
   */
  LoginFiles(
      LoginDirectory directory,
      NodeFacts node,
      JobFile jobFile,
      Supplier<Ask> nodeAsk,
      LongSupplier bootClock,
      Counter failures) {
    this.directory = directory;
    this.node = node;
    this.jobFile = jobFile;
    this.nodeAsk = nodeAsk;
    this.bootClock = bootClock;
    this.failures = failures;
  }

  /** Takes a job of the first list in; {@link #begin} writes it. */
  synchronized void known(Job job, Optional<SessionPlace> place) {
    if (!heard.contains(job.id())) {
      jobs.take(job, place).ifPresent(stale::add);
    }
  }

  /**
   * Takes over the choices of users in the files of an earlier agent of this boot. A choice is
   * written to its user's file, and has effect once the job is known to be open.
   */
  synchronized Map<Integer, JobId> recall() {
    try {
      directory.users().forEach(this::recall);
    } catch (IOException e) {
      LOG.log(WARNING, "cannot read the jobs that users chose before: {0}", e.toString());
    }
    return Map.copyOf(chosen);
  }

  private void recall(Path file) {
    try {
      User user = User.parseFrom(Files.readAllBytes(file));
      if (user.getBootId().equals(node.bootId()) && user.getChosenJobId() != 0) {
        chosen.putIfAbsent(user.getUid(), new JobId(user.getChosenJobId()));
      }
    } catch (IOException | IllegalArgumentException damaged) {
      LOG.log(WARNING, "no choice is read from {0}: {1}", file, damaged.getMessage());
    }
  }

  /** Writes all files, and shows by the lock that an agent runs. */
  synchronized void begin() {
    begun = true;
    heard.clear();
    writeAll();
  }

  /**
   * Writes a change. If nothing may enter the job any more it waits then, a second at most, for
   * logins that may have read the files as they were before: when it returns their processes are in
   * the job, where they are killed or frozen with it. Logins that come later read the new state.
   */
  void changed(Job job, Optional<SessionPlace> place) {
    write(job, place);
    // Slurm's daemons end and suspend its jobs before the agent sees it.
    boolean ours = node.slurmSpool().isEmpty();
    if (ours && (job.state() == JobState.CLOSING || job.state() == JobState.SUSPENDED)) {
      awaitLogins(job);
    }
  }

  /** Holds no lock of this class: other users' changes go on. */
  private void awaitLogins(Job job) {
    if (directory.locks().awaitLogins(job.uid()) instanceof UserLocks.Wait.InVain(String reason)) {
      LOG.log(
          WARNING,
          "job {0} is {1} and no longer waits for logins of uid {2}: {3}",
          job.id(),
          job.state(),
          Integer.toUnsignedString(job.uid()),
          reason);
    }
  }

  private synchronized void write(Job job, Optional<SessionPlace> place) {
    if (job.state() == JobState.CLOSING || job.state() == JobState.CLOSED) {
      chosen.remove(job.uid(), job.id());
    }
    jobs.take(job, place).ifPresent(stale::add);
    if (!begun) {
      heard.add(job.id());
      if (!ended) {
        removeNode(); // an earlier agent's, whose files have the job as it was
      }
      return;
    }
    attempt(() -> {
      if (job.state() == JobState.CLOSED) {
        writeUser(job.uid());
        directory.remove(LoginDirectory.JOBS + "/" + job.id());
      } else {
        writeJob(job, place);
        writeUser(job.uid());
      }
    });
  }

  /** A user's choice, or that they took it back. */
  synchronized void chose(int uid, Optional<JobId> job) {
    job.ifPresentOrElse(id -> chosen.put(uid, id), () -> chosen.remove(uid));
    attempt(() -> writeUser(uid));
  }

  /** Notes a caller, and takes no lock; the next write of any file has it. */
  void expect(Connection call, Caller caller, Duration keep) {
    callers.expect(call, caller, keep, bootClock.getAsLong());
  }

  void settled(Connection call) {
    callers.settled(call);
  }

  /** Whether {@link #writeCallers} is due: only users with several jobs have any in their files. */
  boolean haveCallersToWrite() {
    return callers.news() >= (jobs.anyHasSeveral() ? 1 : ExpectedCallers.MANY_NEWS);
  }

  /** No file of a user with one job has callers. */
  private void callersChanged(ExpectedCallers.Concerned changed) {
    Stream.concat(
            Stream.of(changed.callerUid()),
            changed.job().flatMap(jobs::of).map(known -> known.job().uid()).stream())
        .filter(uid -> jobs.of(uid).size() > 1)
        .forEach(stale::add);
  }

  /** Writes the files of users whose callers changed. */
  synchronized void writeCallers() {
    attempt(() -> {});
  }

  /** Whether something could not be written, or the reason to ask the agent has changed. */
  synchronized boolean isOutdated() {
    return begun && (!whole || nodeAsk.get() != writtenAsk);
  }

  synchronized void renew() {
    if (begun && !whole) {
      writeAll();
    } else if (isOutdated()) {
      attempt(this::writeNode);
    }
  }

  private interface Writing {
    void run() throws IOException;
  }

  private void attempt(Writing writing) {
    if (!whole) {
      return; // all is written once that can be
    }
    try {
      callers.takeIn().forEach(this::callersChanged);
      writing.run();
      for (int uid : List.copyOf(stale)) {
        writeUser(uid);
      }
      stale.clear();
    } catch (IOException e) {
      failed(e);
    }
  }

  private void writeAll() {
    try {
      callers.takeIn().forEach(this::callersChanged);
      directory.make();
      directory.makeLog();
      directory.remove(NODE);
      directory.keepOnly(LoginDirectory.USERS, names(jobs.users(), Integer::toUnsignedString));
      directory.keepOnly(
          LoginDirectory.JOBS, names(jobs.all(), known -> known.job().id().toString()));
      for (UserJobs.Known known : jobs.all()) {
        writeJob(known.job(), known.place());
      }
      for (int uid : jobs.users()) {
        writeUser(uid);
      }
      directory.hold();
      writeNode();
      stale.clear();
      trouble = "";
      whole = true;
    } catch (IOException e) {
      failed(e);
    }
  }

  private static <T> Predicate<String> names(Collection<T> of, Function<T, String> name) {
    return of.stream().map(name).collect(Collectors.toSet())::contains;
  }

  private void failed(IOException e) {
    failures.increment();
    whole = false;
    if (!e.toString().equals(trouble)) {
      LOG.log(WARNING, "every login asks the agent, because a file cannot be written: {0}", e);
    }
    trouble = e.toString();
    removeNode();
  }

  private void removeNode() {
    try {
      directory.remove(NODE);
    } catch (IOException stays) {
      LOG.log(WARNING, "logins may be decided by outdated files: {0}", stays.toString());
    }
  }

  private void writeNode() throws IOException {
    writtenAsk = nodeAsk.get();
    directory.write(NODE, node.file(writtenAsk).toByteArray());
  }

  private void writeJob(Job job, Optional<SessionPlace> place) throws IOException {
    directory.write(LoginDirectory.JOBS + "/" + job.id(), jobFile.of(job, place).toByteArray());
  }

  private void writeUser(int uid) throws IOException {
    String name = LoginDirectory.USERS + "/" + Integer.toUnsignedString(uid);
    Map<JobId, UserJobs.Known> own = jobs.of(uid);
    if (own.isEmpty()) {
      directory.remove(name);
      return;
    }
    var file =
        UserFile.of(
            node.bootId(),
            uid,
            own.values().stream().map(UserJobs.Known::own).toList(),
            Optional.ofNullable(chosen.get(uid)),
            own.size() > 1 ? callers.of(uid, own.keySet()) : List.of());
    directory.locks().make(uid);
    directory.write(name, file.toByteArray());
  }

  /** Says that no agent lives; the files stay. */
  @Override
  public synchronized void close() throws IOException {
    begun = false;
    ended = true;
    whole = false;
    directory.close();
  }
}
