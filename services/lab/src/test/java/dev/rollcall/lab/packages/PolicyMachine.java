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
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * An emulated machine whose kernel enforces a policy: users log in by a script.
 *
 * @param folder an empty one, for what goes to the machine
 * @param kernelWords with which the kernel has that policy
 * @param script a resource; it has its scenes in lines that begin with {@code ok} or {@code
 *     DIFFERS}
 */
record PolicyMachine(Path folder, VmRecipe recipe, String kernelWords, String script) {
  private static final Path SCRIPTS = Path.of("src/test/resources/dev/rollcall/lab/machine");
  private static final String THERE = "/srv/rollcall-vm/";
  private static final String SHARED = "policy-logins.sh";
  private static final Duration WITHIN = Duration.ofMinutes(20);

  /** Plays all scenes of the script; each holds. */
  void assertPlays(int scenes) throws Exception {
    Path tree = SourceTree.ROOT;
    VmPayload payload =
        VmNode.in(folder, tree.resolve("deploy/target/rollcall"))
            .addTo(VmPayload.empty())
            .with(THERE + SHARED, SCRIPTS.resolve(SHARED))
            .with(THERE + script, SCRIPTS.resolve(script));
    List<String> lines = Collections.synchronizedList(new ArrayList<>());
    Vm.run(
        VmImages.ofUser(System.out::println).of(recipe),
        VmRun.of("bash " + THERE + script, WITHIN)
            .with(payload)
            .withKernelWords(CgroupMounting.V2.kernelWords() + " " + kernelWords),
        line -> {
          lines.add(line);
          System.out.println(line);
        });

    List<String> played = lines.stream().filter(line -> line.matches("(ok|DIFFERS) .*")).toList();
    assertEquals(scenes, played.size(), lines::toString);
    assertEquals(List.of(), played.stream().filter(line -> !line.startsWith("ok ")).toList());
  }
}
