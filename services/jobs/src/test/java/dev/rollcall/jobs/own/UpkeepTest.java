package dev.rollcall.jobs.own;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.jobs.tree.TreeConfig.Choice;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.model.JobId;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The periodic check of all jobs. */
@Tag("root")
class UpkeepTest {
  private static final int BUSY = 5;

  @Test
  void jobsThatOthersChangeDelayItNoLongerThanOne() throws IOException {
    try (Rig rig = new Rig(Choice.V2)) {
      List<NativeJob> busy =
          LongStream.rangeClosed(1, BUSY).mapToObj(id -> begun(rig, id)).toList();
      NativeJob idle = begun(rig, 42);
      try (Pidfd session = rig.sleeper()) {
        rig.adopt(session, idle.id());
        rig.finish(session);
      }
      CgroupDirectory sessions = rig.job(42).child("step_extern").child("user");
      busy.forEach(job -> job.lock.lock());
      Duration took;
      try {
        took = CompletableFuture.supplyAsync(() -> timeOfACheck(rig)).join();
      } finally {
        busy.forEach(job -> job.lock.unlock());
      }
      assertTrue(took.compareTo(Duration.ofMillis(2_500)) < 0, took::toString);
      assertEquals(List.of(), sessions.children());
    }
  }

  private static NativeJob begun(Rig rig, long id) {
    rig.begin(id);
    return rig.jobs().nativeJob(new JobId(id)).orElseThrow();
  }

  private static Duration timeOfACheck(Rig rig) {
    long before = System.nanoTime();
    rig.jobs().reap();
    return Duration.ofNanos(System.nanoTime() - before);
  }
}
