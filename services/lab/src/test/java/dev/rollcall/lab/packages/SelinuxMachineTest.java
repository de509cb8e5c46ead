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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Logins on an emulated machine whose kernel has Debian's SELinux policy, permissive, with the
 * module of {@code deploy/selinux}.
 */
@RunsOn(
    system = "Debian 12, an emulated machine",
    kernel = "6.1",
    selinux = "permissive",
    tests = "a login beside Debian's policy")
@Tag("vm")
@Tag("full")
class SelinuxMachineTest {
  private static final Path HOME = SourceTree.ROOT;
  private static final Path SCRIPT =
      Path.of("src/test/resources/dev/rollcall/lab/machine/selinux.sh");
  private static final Duration WITHIN = Duration.ofMinutes(20);
  private static final String WORDS = " security=selinux selinux=1 enforcing=0 audit=1";

  @TempDir private Path folder = Path.of("");

  @Test
  void aLoginIsAdoptedBesideThePolicy() throws Exception {
    VmPayload payload =
        VmNode.in(folder, HOME.resolve("deploy/target/rollcall"))
            .addTo(VmPayload.empty())
            .with("/srv/rollcall-vm/rollcall.pp", module())
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
    assertEquals(3, played.size(), lines::toString);
    assertEquals(List.of(), played.stream().filter(line -> !line.startsWith("ok ")).toList());
  }

  private Path module() throws Exception {
    Path source = Files.createDirectories(folder.resolve("selinux"));
    for (String ending : List.of("te", "if", "fc")) {
      Files.copy(
          SourceTree.DEPLOY.resolve("selinux").resolve("rollcall." + ending),
          source.resolve("rollcall." + ending));
    }
    var command = List.of("make", "-f", "/usr/share/selinux/devel/Makefile", "rollcall.pp");
    Command.run(source, Map.of(), command.toArray(String[]::new)).orThrow(command);
    return source.resolve("rollcall.pp");
  }
}
