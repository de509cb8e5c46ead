package dev.rollcall.lab.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.lab.demo.NodeScene;
import dev.rollcall.lab.demo.NodeScenes;
import dev.rollcall.lab.demo.VmDemo;
import dev.rollcall.lab.demo.VmLab;
import dev.rollcall.lab.tree.SourceTree;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Sessions in jobs of later releases of Slurm, on cgroup v2 under systemd: each in an emulated
 * machine with that release of Debian. {@link VmTest} has Debian 12's.
 */
@Tag("vm")
@Tag("full")
class SlurmOnV2MachineTest {
  private static final Duration WITHIN = Duration.ofMinutes(15);

  private static final List<String> SCENES =
      NodeScenes.withSlurm().stream().map(NodeScene::name).toList();

  @TempDir private Path folder = Path.of("");

  @ParameterizedTest
  @ValueSource(strings = {VmRecipe.TRIXIE, VmRecipe.SID})
  void sessionsAreInTheirJobs(String release) {
    VmPayload payload =
        VmLab.addTo(VmNode.in(folder, SourceTree.DISTRIBUTION).addTo(VmPayload.empty()));
    VmImage image =
        VmImages.ofUser(System.out::println).of(VmRecipe.debian12().withRelease(release));
    List<String> lines = Collections.synchronizedList(new ArrayList<>());
    VmResult result =
        Vm.run(
            image,
            VmRun.of("slurmd -V; " + VmDemo.commandOf(SCENES), WITHIN)
                .with(payload)
                .withKernelWords(CgroupMounting.V2.kernelWords()),
            line -> {
              lines.add(line);
              System.out.println(line);
            });
    System.out.printf(
        "%s: ready after %.1f s, over after %.1f s%n",
        release, result.readySeconds(), result.seconds());

    List<String> played =
        lines.stream()
            .filter(line -> line.startsWith("ok "))
            .map(line -> line.split(" +", 3)[1])
            .toList();
    assertEquals(SCENES, played, lines::toString);
    assertEquals(0, result.status(), lines::toString);
  }
}
