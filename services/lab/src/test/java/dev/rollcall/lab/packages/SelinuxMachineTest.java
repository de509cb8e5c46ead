package dev.rollcall.lab.packages;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.lab.machine.CgroupMounting;
import dev.rollcall.lab.machine.Vm;
import dev.rollcall.lab.machine.VmImages;
import dev.rollcall.lab.machine.VmNode;
import dev.rollcall.lab.machine.VmPayload;
import dev.rollcall.lab.machine.VmRecipe;
import dev.rollcall.lab.machine.VmRun;
import dev.rollcall.lab.tree.SourceTree;
import dev.rollcall.testkit.docs.RunsOn;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Logins on an emulated machine whose kernel enforces Debian's SELinux policy, with the module of
 * {@code deploy/selinux}.
 */
@RunsOn(
    system = "Debian 12, an emulated machine",
    kernel = "6.1",
    selinux = "enforcing",
    tests = "logins under Debian's policy")
@Tag("vm")
@Tag("full")
class SelinuxMachineTest {
  private static final Path HOME = SourceTree.ROOT;
  private static final Path SCRIPT =
      Path.of("src/test/resources/dev/rollcall/lab/machine/selinux.sh");
  private static final Duration WITHIN = Duration.ofMinutes(20);
  private static final String WORDS =
      " security=selinux selinux=1 enforcing=0 audit=1 audit_backlog_limit=8192";

  @TempDir private Path folder = Path.of("");

  @Test
  void loginsAreAdoptedUnderAnEnforcedPolicy() throws Exception {
    VmPayload payload =
        VmNode.in(folder, HOME.resolve("deploy/target/rollcall"))
            .addTo(VmPayload.empty())
            .with("/srv/rollcall-vm/selinux.sh", SCRIPT);
    var image = VmImages.ofUser(System.out::println).of(VmRecipe.debian12().withSelinux());
    List<String> lines = Collections.synchronizedList(new ArrayList<>());
    Vm.run(
        image,
        VmRun.of("bash /srv/rollcall-vm/selinux.sh", WITHIN)
            .with(payload)
            .withKernelWords(CgroupMounting.V2.kernelWords() + WORDS),
        line -> {
          lines.add(line);
          System.out.println(line);
        });

    List<String> played =
        lines.stream().filter(line -> line.matches("(ok|DIFFERS) +selinux-.*")).toList();
    assertEquals(11, played.size(), lines::toString);
    assertEquals(List.of(), played.stream().filter(line -> !line.startsWith("ok ")).toList());
  }
}
