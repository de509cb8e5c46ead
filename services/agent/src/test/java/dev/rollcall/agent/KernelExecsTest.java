package dev.rollcall.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.agent.outside.Execs;
import dev.rollcall.linux.cgroup.CgroupMounts;
import dev.rollcall.linux.execs.ExecWatch;
import dev.rollcall.settings.BadConfigException;
import java.io.IOException;
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

/** The real kernel, with a scope like Slurm's that is there, gone, and there again. */
@Tag("root")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class KernelExecsTest {
  private static final int SOMEBODY = 61_236;

  private final BlockingQueue<Integer> told = new LinkedBlockingQueue<>();
  private final ExecWatch.Listener listener =
      new ExecWatch.Listener() {
        @Override
        public void begun(int pid, int uid) {
          told.add(pid);
        }

        @Override
        public void lost(long execs) {}
      };
  private Path root;
  private Path scope;
  private KernelExecs execs;

  @BeforeEach
  void open() throws IOException, BadConfigException {
    Path mount = CgroupMounts.read(Path.of("/proc")).v2().orElseThrow().point();
    root = Files.createDirectory(mount.resolve("rollcall-kexecs-" + ProcessHandle.current().pid()));
    scope = root.resolve("slurmstepd.scope");
    Files.createDirectory(root.resolve("other"));
    execs =
        new KernelExecs(
            AgentConfigReader.defaults(), () -> Optional.of(scope).filter(Files::isDirectory));
  }

  @AfterEach
  void close() throws IOException {
    execs.close();
    for (String each : new String[] {"slurmstepd.scope", "other", ""}) {
      Files.deleteIfExists(root.resolve(each));
    }
  }

  private int begin(Path cgroup) throws Exception {
    Process process =
        new ProcessBuilder(
                "sh",
                "-c",
                "echo $$ > "
                    + cgroup.resolve("cgroup.procs")
                    + "; exec setpriv --reuid="
                    + SOMEBODY
                    + " --clear-groups true")
            .start();
    assertEquals(0, process.waitFor());
    return (int) process.pid();
  }

  @Test
  void withoutAJobItIsToBeTriedAgain() {
    assertThrows(Execs.NotYetException.class, () -> execs.open(listener));
  }

  @Test
  void aScopeThatIsMadeAgainIsLeftOutToo() throws Exception {
    Files.createDirectory(scope);
    execs.open(listener);
    execs.watch(Set.of(SOMEBODY));
    begin(scope);
    int outside = begin(root.resolve("other"));
    assertEquals(outside, told.poll(20, TimeUnit.SECONDS));
    execs.watch(Set.of());
    Files.delete(scope);
    Files.createDirectory(scope);
    execs.watch(Set.of(SOMEBODY));
    begin(scope);
    int again = begin(root.resolve("other"));
    assertEquals(again, told.poll(20, TimeUnit.SECONDS));
    assertTrue(told.isEmpty(), told::toString);
  }
}
