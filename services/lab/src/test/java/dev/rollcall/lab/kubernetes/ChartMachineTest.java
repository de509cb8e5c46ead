package dev.rollcall.lab.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.lab.image.Images;
import dev.rollcall.lab.machine.CgroupMounting;
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
 * The chart's pods on an emulated machine, from its images, by {@code podman kube play}: two
 * gateways, the agent of the machine, and the pod of {@code helm test}. Users log in by the
 * machine's own sshd.
 */
@RunsOn(
    system = "Debian 13, an emulated machine with podman 5.4",
    kernel = "6.1",
    tests = "the chart's pods: two gateways, an agent, logins, an upgrade")
@Tag("vm")
@Tag("full")
class ChartMachineTest {
  private static final Path SCRIPT =
      Path.of("src/test/resources/dev/rollcall/lab/machine/kubernetes.sh");
  private static final Duration WITHIN = Duration.ofMinutes(40);

  /** On an emulated processor the JVM's second compiler makes code that ends by SIGSEGV. */
  private static final String VALUES =
      """
      agent:
        javaOptions: -XX:TieredStopAtLevel=1
        extraConfig: {systemd_timeout_ms: 20000}
      gateway:
        replicas: 2
        javaOptions: -XX:TieredStopAtLevel=1
      """;

  private static final Map<String, String> OF_SECRET =
      Map.of("ca.crt", "ca.pem", "tls.crt", "certificate.pem", "tls.key", "key.pem");

  @TempDir private Path folder = Path.of("");

  @Test
  void aLoginIsAdoptedByAnAgentInAPod() throws Exception {
    Images images = Images.made(folder.resolve("images"));
    Path play = folder.resolve("play");
    new PlayedChart(Manifests.rendered(folder, VALUES)).write(play);
    issueCertificates(play);
    VmPayload payload =
        VmNode.in(folder, SourceTree.DISTRIBUTION)
            .addTo(VmPayload.empty())
            .with("/srv/rollcall-vm/kubernetes.sh", SCRIPT)
            .with("/srv/rollcall-vm/play", play)
            .with("/etc/rollcall/tls", folder.resolve("node"));
    for (Path archive : images.archives()) {
      payload = payload.with("/srv/rollcall-vm/images/" + archive.getFileName(), archive);
    }

    List<String> played = run(payload);

    assertEquals(10, played.size(), played::toString);
    assertEquals(List.of(), played.stream().filter(line -> !line.startsWith("ok ")).toList());
  }

  private void issueCertificates(Path play) throws Exception {
    Path authority = folder.resolve("authority");
    ca("init", "--cluster", "cluster", "--directory", authority.toString());
    Path ofGateway = folder.resolve("gateway");
    issue(
        authority,
        ofGateway,
        "gateway",
        "hpc-rollcall-gateway",
        "--dns",
        PlayedChart.hostOf(0),
        "--dns",
        PlayedChart.hostOf(1));
    // The machine has only the address of podman's bridge.
    issue(authority, folder.resolve("node"), "node", "vm", "--address", "10.89.0.1");
    PlayedChart.writeSecret(
        play.resolve("secret.yaml"), "rollcall-gateway-tls", ofGateway, OF_SECRET);
  }

  private static void issue(Path authority, Path out, String... words) {
    var command = new ArrayList<>(List.of("issue"));
    command.addAll(List.of(words));
    command.addAll(List.of("--directory", authority.toString(), "--out", out.toString()));
    ca(command.toArray(String[]::new));
  }

  private static void ca(String... words) {
    var command = new ArrayList<>(List.of("env", "JAVA_HOME=" + System.getProperty("java.home")));
    command.add(SourceTree.DISTRIBUTION.resolve("bin/rollcall").toString());
    command.add("ca");
    command.addAll(List.of(words));
    Running.run(Patience.ofSeconds(60), command).outOrThrow(String.join(" ", command));
  }

  private static List<String> run(VmPayload payload) {
    var recipe = VmRecipe.debian12().withPodman().withRelease(VmRecipe.TRIXIE);
    var image = VmImages.ofUser(System.out::println).of(recipe);
    List<String> lines = Collections.synchronizedList(new ArrayList<>());
    Vm.run(
        image,
        VmRun.of("bash /srv/rollcall-vm/kubernetes.sh", WITHIN)
            .with(payload)
            .withKernelWords(CgroupMounting.V2.kernelWords()),
        line -> {
          lines.add(line);
          System.out.println(line);
        });
    return lines.stream().filter(line -> line.matches("(ok|DIFFERS) +chart-.*")).toList();
  }
}
