package dev.rollcall.jobs.own;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rollcall.jobs.JobList;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.allocation.Allocation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NativeJobTest {
  private final JobList list = new JobList();

  private NativeJob in(JobState state) {
    return new NativeJob(new Job(new JobId(7), 1, 1, Instant.EPOCH, state), Allocation.NONE, list);
  }

  private static Set<JobState> after(JobState state) {
    return switch (state) {
      case BEGINNING -> EnumSet.of(JobState.OPEN, JobState.CLOSED);
      case OPEN -> EnumSet.of(JobState.SUSPENDED, JobState.CLOSING);
      case SUSPENDED -> EnumSet.of(JobState.OPEN, JobState.CLOSING);
      case CLOSING -> EnumSet.of(JobState.CLOSED);
      case CLOSED -> EnumSet.noneOf(JobState.class);
    };
  }

  @ParameterizedTest
  @EnumSource
  void aJobOnlyMovesAsDrawn(JobState from) {
    for (JobState to : JobState.values()) {
      NativeJob job = in(from);
      if (after(from).contains(to)) {
        job.become(to);
        assertEquals(to, job.state());
      } else {
        assertThrows(IllegalStateException.class, () -> job.become(to));
        assertEquals(from, job.state());
      }
    }
  }

  @Test
  void aListenerThatThrowsKeepsNobodyFromHearing() {
    List<JobState> heard = new ArrayList<>();
    list.listen(_ -> {
      throw new IllegalStateException("thrown by this test");
    });
    list.listen(job -> heard.add(job.state()));
    NativeJob job = in(JobState.BEGINNING);
    job.publish();
    job.become(JobState.OPEN);
    assertEquals(List.of(JobState.BEGINNING, JobState.OPEN), heard);
    assertEquals(List.of(job.job()), list.snapshot());
    job.become(JobState.CLOSING);
    job.become(JobState.CLOSED);
    assertEquals(List.of(), list.snapshot());
  }
}
