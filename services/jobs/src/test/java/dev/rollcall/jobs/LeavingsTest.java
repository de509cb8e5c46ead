package dev.rollcall.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.rollcall.jobs.tree.TreeConfig.Choice;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.model.JobId;
import dev.rollcall.port.Jobs.AdoptResult;
import dev.rollcall.port.Jobs.EndOrder;
import dev.rollcall.port.Jobs.EndResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;

/** Many jobs, begun and ended: nothing of the kernel's or of this process's is kept. */
@Tag("root")
class LeavingsTest {
  private static final int JOBS =
      System.getProperty("rollcall.counts", "default").equals("full") ? 1_000 : 100;

  /** What there is: our directories, our descriptors, and BPF objects that we hold. */
  private record Holdings(List<Path> directories, long descriptors, List<String> bpf) {
    static Holdings of(Rig rig) throws IOException {
      List<Path> directories = new ArrayList<>();
      for (CgroupDirectory root : rig.roots) {
        root.tree().forEach(each -> directories.add(each.path()));
      }
      try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
        List<String> bpf = new ArrayList<>();
        long count = 0;
        for (Path each : descriptors.toList()) {
          count++;
          target(each).filter(to -> to.startsWith("anon_inode:bpf")).ifPresent(bpf::add);
        }
        return new Holdings(directories, count, bpf);
      }
    }

    private static Optional<String> target(Path descriptor) {
      try {
        return Optional.of(Files.readSymbolicLink(descriptor).toString());
      } catch (IOException closed) {
        return Optional.empty();
      }
    }
  }

  @OnEachHierarchy
  void manyJobsLeaveNothing(Choice choice) throws Exception {
    try (Rig rig = new Rig(choice)) {
      round(rig, 1);
      round(rig, 2);
      Holdings before = Holdings.of(rig);
      for (int number = 3; number < 3 + JOBS; number++) {
        round(rig, number);
      }
      rig.jobs().reap();
      assertEquals(before, Holdings.of(rig));
      assertEquals(List.of(), rig.jobs().list());
      System.out.printf(
          "%d jobs on %s leave %d directories, %d descriptors, %d of BPF, as before%n",
          JOBS, choice, before.directories().size(), before.descriptors(), before.bpf().size());
    }
  }

  /** A session, a step, a suspension, and one of the ways to end. */
  private static void round(Rig rig, int number) throws Exception {
    JobId id = new JobId(number);
    rig.begin(number);
    Process process = rig.run("sleep", "600");
    try (Pidfd pinned = Rig.pin(process)) {
      assertInstanceOf(AdoptResult.Adopted.class, rig.jobs().adopt(pinned, id));
    }
    rig.jobs().beginStep(id, Optional.empty());
    if (number % 4 == 0) {
      rig.jobs().suspend(id);
    }
    Duration grace = Duration.ofSeconds(number % 2 == 0 ? 0 : 30);
    assertEquals(new EndResult.Clean(1), rig.jobs().end(id, new EndOrder("", grace, Rig.LONG)));
    process.waitFor();
    process.getOutputStream().close();
  }
}
