package dev.rollcall.jobs.own;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.jobs.JobList;
import dev.rollcall.jobs.journal.JobJournal;
import dev.rollcall.jobs.journal.JobJournalLine;
import dev.rollcall.jobs.journal.JournalState;
import dev.rollcall.jobs.tree.Hierarchy;
import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.jobs.tree.Leaves;
import dev.rollcall.linux.cgroup.BoundedWait;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.Freezer;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.allocation.Allocation;
import dev.rollcall.port.Jobs.JobSpec;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Recovers the jobs when an agent starts. A job is what the journal and the cgroup tree agree on:
 *
 * <ul>
 *   <li>in both: it goes on; if its end had begun, as CLOSING; if it was suspended by the journal
 *       or is frozen, as SUSPENDED;
 *   <li>in the journal only, or journalled in another boot: it is over;
 *   <li>a directory only (the journal was lost, or the agent died between the two): without
 *       processes other than process 1 of its pid namespace, which the agent made, it is removed.
 *       With others it is taken back if one user owns them all, root's aside (sshd's monitors),
 *       because then the job's owner is known; else nobody could be let in or be refused rightly,
 *       so its processes are killed and it is removed.
 * </ul>
 */
record Restart(
    String bootId, JobTree tree, JobJournal journal, Proc procfs, Leaves leaves, JobList list) {
  private static final System.Logger LOG = System.getLogger(Restart.class.getName());
  private static final Duration TO_END = Duration.ofSeconds(2);

  /** The jobs that go on, not published yet. Others are ended, removed and journalled. */
  List<NativeJob> jobs() throws IOException {
    Set<JobId> directories = new TreeSet<>(tree.directories());
    List<NativeJob> found = new ArrayList<>();
    for (JournalState.Entry entry : journal.entries()) {
      JobId id = entry.spec().id();
      if (!entry.bootId().equals(bootId)) {
        over(id, "it began in boot " + entry.bootId());
      } else if (!directory(id).exists()) {
        over(id, "its cgroup " + directory(id) + " is gone");
      } else {
        found.add(continued(entry));
        directories.remove(id);
      }
    }
    for (JobId id : directories) {
      try {
        unowned(id).ifPresent(found::add);
      } catch (IOException e) {
        LOG.log(WARNING, "{0} is in no journal and stays: {1}", directory(id), e.getMessage());
      }
    }
    return found;
  }

  private void over(JobId id, String why) {
    LOG.log(INFO, "job {0} of the journal has ended: {1}", id, why);
    note(new JobJournalLine.Became(id, JobState.CLOSED));
  }

  private NativeJob continued(JournalState.Entry entry) {
    JobSpec spec = entry.spec();
    JobState state = entry.state();
    long last = entry.sessions();
    try {
      if (state == JobState.CLOSING) {
        leaves.learn(spec.id());
      } else {
        leaves.makeJob(spec.id());
        state = asFrozen(spec.id(), state);
      }
      last = Math.max(leaves.lastSession(spec.id()), last);
    } catch (IOException e) {
      // One job's trouble must not keep the node from having an agent: adoptions into it will say.
      LOG.log(WARNING, "job {0}: {1}", spec.id(), e.getMessage());
    }
    LOG.log(INFO, "job {0} continues as {1}, sessions after {2}", spec.id(), state, last);
    return new NativeJob(
        spec.job(state), spec.allocation(), entry.steps(), list, last, entry.sessions());
  }

  /**
   * A job that is to be suspended is frozen again; one that is frozen is suspended, whatever the
   * journal says, since a session that entered it would hang. Nothing waits for the freeze.
   */
  private JobState asFrozen(JobId id, JobState journalled) throws IOException {
    Optional<Freezer> freezer = Freezer.of(directory(id));
    if (freezer.isEmpty()) {
      return journalled;
    }
    boolean asked = freezer.get().asked(directory(id));
    if (journalled == JobState.SUSPENDED && !asked) {
      freezer.get().ask(directory(id));
    }
    return asked ? JobState.SUSPENDED : journalled;
  }

  /** Takes back or clears away a directory of a job that is not known. */
  Optional<NativeJob> unowned(JobId id) throws IOException {
    if (tree.hierarchies().stream().noneMatch(each -> each.job(id).exists())) {
      return Optional.empty();
    }
    Set<Integer> pids = new TreeSet<>();
    for (Hierarchy hierarchy : tree.hierarchies()) {
      hierarchy.withoutFirstProcess(id).stream().forEach(pids::add);
    }
    Optional<JobSpec> spec = understood(id, pids);
    if (spec.isPresent()) {
      return Optional.of(takenBack(spec.get(), pids));
    }
    LOG.log(WARNING, "{0} is in no journal, processes {1}: ended", directory(id), pids);
    Teardown teardown = new Teardown(tree, new Signals(tree, procfs), id);
    if (teardown.run(BoundedWait.of(TO_END))) {
      return Optional.empty();
    }
    LOG.log(WARNING, "cannot end job {0}: {1}", id, teardown.obstacle());
    // Owned by root until it is gone, so that no user can enter or see it.
    JobSpec nobodys = new JobSpec(id, 0, 0, Instant.now());
    return Optional.of(new NativeJob(nobodys.job(JobState.CLOSING), Allocation.NONE, list));
  }

  /** Real uid and gid. */
  private record Owner(int uid, int gid) {}

  private Optional<JobSpec> understood(JobId id, Set<Integer> pids) {
    Set<Owner> owners = new HashSet<>();
    for (int pid : pids) {
      procfs
          .status(pid)
          .filter(its -> its.realUid() != 0)
          .ifPresent(its -> owners.add(new Owner(its.realUid(), its.realGid())));
    }
    if (owners.size() != 1) {
      return Optional.empty();
    }
    Owner owner = owners.iterator().next();
    Instant oldest =
        pids.stream()
            .flatMap(pid -> procfs.ref(pid).stream())
            .map(Proc::startedAt)
            .min(Instant::compareTo)
            .orElseGet(Instant::now);
    return Optional.of(new JobSpec(id, owner.uid(), owner.gid(), oldest));
  }

  private NativeJob takenBack(JobSpec spec, Set<Integer> pids) throws IOException {
    leaves.makeJob(spec.id());
    note(new JobJournalLine.Begin(spec, bootId));
    long last = leaves.lastSession(spec.id());
    LOG.log(
        WARNING,
        "{0} is in no journal, but all its processes ({1}) belong to uid {2}: it is restored,"
            + " sessions after {3}",
        directory(spec.id()),
        pids,
        Integer.toString(spec.uid()),
        last);
    JobState state = asFrozen(spec.id(), JobState.OPEN);
    return new NativeJob(
        spec.job(state), Allocation.NONE, Map.of(), list, last, JournalState.FIRST_SESSIONS);
  }

  private CgroupDirectory directory(JobId id) {
    return tree.identity().job(id);
  }

  private void note(JobJournalLine line) {
    try {
      journal.append(line);
    } catch (IOException e) {
      LOG.log(WARNING, "not journalled: {0}: {1}", line.text(), e.getMessage());
    }
  }
}
