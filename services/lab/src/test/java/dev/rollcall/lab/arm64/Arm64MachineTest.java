package dev.rollcall.lab.arm64;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.lab.machine.Vm;
import dev.rollcall.lab.machine.VmImages;
import dev.rollcall.lab.machine.VmNode;
import dev.rollcall.lab.machine.VmPayload;
import dev.rollcall.lab.machine.VmRecipe;
import dev.rollcall.lab.machine.VmRun;
import dev.rollcall.lab.tree.SourceTree;
import dev.rollcall.testkit.docs.RunsOn;
import dev.rollcall.testkit.process.Patience;
import dev.rollcall.testkit.process.Running;
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

/** A node with an arm64 processor, emulated: Debian 13 with its kernel and its Java. */
@RunsOn(
    system = "Debian 13, an emulated machine",
    architecture = "aarch64, emulated",
    kernel = "6.12",
    tests = "agent, eBPF, a login, a container")
@Tag("vm")
@Tag("full")
class Arm64MachineTest {
  private static final Path SCRIPT =
      Path.of("src/test/resources/dev/rollcall/lab/machine/arm64.sh");
  private static final Duration WITHIN = Duration.ofMinutes(20);

  /** By their modules: what the distribution has of this machine, and where it is cross-built. */
  private static final Map<String, List<String>> BUILT =
      Map.of(
          "pam", List.of("lib/security/pam_rollcall.so"),
          "container",
              List.of(
                  "lib/container/rollcall-namespaces",
                  "lib/container/rollcall-enter",
                  "lib/container/rollcall-step"),
          "brief", List.of("lib/brief/rollcall-brief"));

  @TempDir private Path folder = Path.of("");

  @Test
  void loginsAreAdopted() throws Exception {
    VmPayload payload =
        VmNode.in(folder, distribution())
            .addTo(VmPayload.empty())
            .with("/srv/rollcall-vm/arm64.sh", SCRIPT);
    var image = VmImages.ofUser(System.out::println).of(VmRecipe.debian13Arm64());
    List<String> lines = Collections.synchronizedList(new ArrayList<>());
    Vm.run(
        image,
        VmRun.of("bash /srv/rollcall-vm/arm64.sh", WITHIN).with(payload),
        line -> {
          lines.add(line);
          System.out.println(line);
        });

    List<String> played =
        lines.stream().filter(line -> line.matches("(ok|DIFFERS) +arm64-.*")).toList();
    assertEquals(5, played.size(), lines::toString);
    assertEquals(List.of(), played.stream().filter(line -> !line.startsWith("ok ")).toList());
  }

  /** Only the programs in C are of one kind of machine. */
  private Path distribution() throws Exception {
    Path services = SourceTree.ROOT.resolve("services");
    run(services.resolve("arm64/cross").toString(), "build");
    Path copy = folder.resolve("rollcall");
    run("cp", "-r", SourceTree.DISTRIBUTION.toString(), copy.toString());
    run("find", copy.toString(), "-name", "*.aot", "-delete");
    for (var built : BUILT.entrySet()) {
      Path target = services.resolve(built.getKey()).resolve("target/arm64");
      for (String file : built.getValue()) {
        Path inside = copy.resolve(file);
        Files.delete(inside);
        run("cp", target.resolve(inside.getFileName()).toString(), inside.toString());
      }
    }
    return copy;
  }

  private static void run(String... command) {
    Running.run(Patience.ofSeconds(300), List.of(command)).outOrThrow(String.join(" ", command));
  }
}
