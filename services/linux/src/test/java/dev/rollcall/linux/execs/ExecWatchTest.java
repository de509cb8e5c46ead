package dev.rollcall.linux.execs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.linux.cgroup.CgroupMount;
import dev.rollcall.linux.cgroup.CgroupMounts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The real kernel, in a cgroup of the test's own, with a uid that nobody else has. */
@Tag("root")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ExecWatchTest {
  private static final int SOMEBODY = 61_234;
  private static final int ANOTHER = 61_235;

  private record Begun(int pid, int uid) {}

  private final BlockingQueue<Begun> told = new LinkedBlockingQueue<>();
  private Path mount;
  private Path root;
  private ExecWatch watch;

  @BeforeEach
  void open() throws IOException {
    CgroupMount v2 = CgroupMounts.read(Path.of("/proc")).v2().orElseThrow();
    mount = v2.point();
    root = mount.resolve("rollcall-execs-" + ProcessHandle.current().pid());
    Files.createDirectory(root);
    Files.createDirectory(root.resolve("jobs"));
    Files.createDirectory(root.resolve("jobs").resolve("job_1"));
    Files.createDirectory(root.resolve("other"));
    watch =
        ExecWatch.open(
            Fence.of(mount, Optional.of(root), root.resolve("jobs")),
            new ExecWatch.Listener() {
              @Override
              public void begun(int pid, int uid) {
                told.add(new Begun(pid, uid));
              }

              @Override
              public void lost(long execs) {}
            });
  }

  @AfterEach
  void close() throws IOException {
    watch.close();
    for (String each : new String[] {"jobs/job_1", "jobs", "other", ""}) {
      Files.deleteIfExists(root.resolve(each));
    }
  }

  /** A process that enters a cgroup as root and then begins a program as somebody. */
  private long begin(String cgroup, int uid) throws Exception {
    Process process =
        new ProcessBuilder(
                "sh",
                "-c",
                "echo $$ > '"
                    + root.resolve(cgroup)
                    + "/cgroup.procs';"
                    + " exec setpriv --reuid="
                    + uid
                    + " --clear-groups true")
            .start();
    process.getOutputStream().close();
    assertEquals(
        0,
        process.waitFor(),
        new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8));
    return process.pid();
  }

  private Begun next() throws InterruptedException {
    return assertNotNullBegun(told.poll(20, TimeUnit.SECONDS));
  }

  private static Begun assertNotNullBegun(Begun begun) {
    assertNotNull(begun, "nothing was told");
    return begun;
  }

  @Test
  void tellsWhatAWatchedUserBeginsOutsideTheFence() throws Exception {
    watch.watch(Set.of(SOMEBODY));
    long pid = begin("other", SOMEBODY);
    assertEquals(new Begun((int) pid, SOMEBODY), next());
  }

  @Test
  void tellsNeitherWhatIsInsideNorWhatIsSomebodyElses() throws Exception {
    watch.watch(Set.of(SOMEBODY));
    begin("jobs", SOMEBODY);
    begin("jobs/job_1", SOMEBODY);
    begin("other", ANOTHER);
    long last = begin("other", SOMEBODY);
    assertEquals(new Begun((int) last, SOMEBODY), next());
    assertTrue(told.isEmpty(), told::toString);
  }

  @Test
  void tellsNothingOfWhatIsBeyondTheNode() throws Exception {
    watch.watch(Set.of(SOMEBODY));
    Process outside =
        new ProcessBuilder("setpriv", "--reuid=" + SOMEBODY, "--clear-groups", "true").start();
    assertEquals(0, outside.waitFor());
    long last = begin("other", SOMEBODY);
    assertEquals(new Begun((int) last, SOMEBODY), next());
  }

  @Test
  void forgetsAUserWhoIsNotWatchedAnyMore() throws Exception {
    watch.watch(Set.of(SOMEBODY, ANOTHER));
    watch.watch(Set.of(ANOTHER));
    begin("other", SOMEBODY);
    long last = begin("other", ANOTHER);
    assertEquals(new Begun((int) last, ANOTHER), next());
  }
}
