package dev.rollcall.linux.cgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Membership;
import dev.rollcall.model.StepId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On plain directories: an id is the inode number here as there. */
class CgroupIndexTest {
  private static final JobStep STEP = new JobStep(new JobId(42), StepId.EXTERN);

  private static final Optional<Membership> NO_JOB = Optional.of(new Membership.NoJob());

  @TempDir Path scope;
  private long now;
  private CgroupIndex index = new CgroupIndex(new CgroupDirectory(Path.of("/")), () -> now);

  @BeforeEach
  void start() {
    index = new CgroupIndex(new CgroupDirectory(scope), () -> now);
  }

  private CgroupDirectory make(String path) throws IOException {
    CgroupDirectory directory = new CgroupDirectory(scope.resolve(path));
    directory.create();
    return directory;
  }

  private void pass() {
    now += CgroupIndex.BETWEEN_WALKS.toNanos();
  }

  @Test
  void aDirectoryThatWasToldIsFoundWithoutAWalk() throws IOException {
    CgroupDirectory leaf = make("job_42/step_extern/user/session_1");
    index.add(leaf, STEP);
    long id = leaf.id();
    assertEquals(in(STEP), index.find(id));
    CgroupRemovalTest.delete(scope.resolve("job_42"));
    assertEquals(in(STEP), index.find(id), "a call is asked about after its leaf is gone");
  }

  private static Optional<Membership> in(JobStep step) {
    return Optional.of(new Membership.InJob(step));
  }

  @Test
  void aChildThatTheJobMadeIsFoundByAWalk() throws IOException {
    index.add(make("job_42"), STEP);
    long id = make("job_42/step_3/user/task_0/mine").id();
    assertEquals(in(new JobStep(new JobId(42), StepId.of(3))), index.find(id));
  }

  @Test
  void aLookAlikeIsNeverFound() throws IOException {
    index.add(make("job_42"), STEP);
    assertEquals(NO_JOB, index.find(make("job_43/step_extern/user").id()));
    pass();
    long nested = make("job_42/step_extern/user/session_1/job_43/step_0").id();
    assertEquals(in(STEP), index.find(nested));
    pass();
    assertEquals(NO_JOB, index.find(make("user.slice/job_42/step_0").id()));
  }

  @Test
  void thereIsOneWalkInATime() throws IOException {
    index.add(make("job_42"), STEP);
    assertEquals(NO_JOB, index.find(1));
    long id = make("job_42/step_extern/mine").id();
    assertEquals(Optional.empty(), index.find(id), "no second walk yet, so it is not known");
    pass();
    assertEquals(in(STEP), index.find(id));
  }

  @Test
  void withoutJobsEveryIdIsNoJobsAtOnce() {
    for (long id = 1; id < 10; id++) {
      assertEquals(NO_JOB, index.find(id));
    }
  }

  @Test
  void aChildWhoseNameIsNoTextIsFoundByAWalk() throws IOException {
    index.add(make("job_42"), STEP);
    CgroupDirectory user = make("job_42/step_3/user/task_0");
    RawDirectory.make(user, "\\377\\134");
    CgroupDirectory odd = user.children().getFirst();
    assertEquals(in(new JobStep(new JobId(42), StepId.of(3))), index.find(odd.id()));
  }

  @Test
  void aStrangerIsRememberedAndCausesNoOtherWalk() throws IOException {
    index.add(make("job_42"), STEP);
    assertEquals(NO_JOB, index.find(1));
    pass();
    assertEquals(NO_JOB, index.find(1));
    // Had the stranger walked again, this walk would be too early.
    assertEquals(in(STEP), index.find(make("job_42/step_extern").id()));
  }

  @Test
  void aJobThatIsForgottenLeavesNoIdBehind() throws IOException {
    long id = make("job_42/step_extern").id();
    index.add(make("job_42"), STEP);
    index.add(make("job_42/step_extern"), STEP);
    index.forget(new JobId(42));
    assertEquals(0, index.size());
    assertEquals(NO_JOB, index.find(id));
    pass();
    assertEquals(NO_JOB, index.find(id));
  }

  /** A user who makes and removes cgroups does not fill the heap. */
  @Test
  void noMoreFoundIdsAreKeptThanAWalkVisits(@TempDir Path elsewhere) throws IOException {
    index = new CgroupIndex(job -> new CgroupDirectory(scope.resolve("job_" + job)), () -> now, 20);
    index.add(make("job_42"), STEP);
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 15; i++) {
        make("job_42/step_extern/mine/" + i);
      }
      assertEquals(in(STEP), index.find(make("job_42/step_extern/mine/14").id()));
      // Moved, not deleted: file systems use the number of a deleted one again.
      Files.move(scope.resolve("job_42/step_extern/mine"), elsewhere.resolve("" + round));
      pass();
    }
    assertTrue(index.size() <= 1 + 20, index.size() + " ids are kept");
  }

  @Test
  void beyondTheMostDirectoriesNothingIsKnown() throws IOException {
    index = new CgroupIndex(job -> new CgroupDirectory(scope.resolve("job_" + job)), () -> now, 20);
    index.add(make("job_42"), STEP);
    for (int i = 0; i < 20; i++) {
      make("job_42/step_extern/" + i);
    }
    assertEquals(Optional.empty(), index.find(1));
  }
}
