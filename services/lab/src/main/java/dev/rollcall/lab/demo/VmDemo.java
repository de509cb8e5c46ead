package dev.rollcall.lab.demo;

import dev.rollcall.lab.machine.CgroupMounting;
import dev.rollcall.lab.machine.Folders;
import dev.rollcall.lab.machine.Vm;
import dev.rollcall.lab.machine.VmException;
import dev.rollcall.lab.machine.VmImage;
import dev.rollcall.lab.machine.VmImages;
import dev.rollcall.lab.machine.VmNode;
import dev.rollcall.lab.machine.VmPayload;
import dev.rollcall.lab.machine.VmRecipe;
import dev.rollcall.lab.machine.VmResult;
import dev.rollcall.lab.machine.VmRun;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The demo inside a virtual machine, told as the one on this machine is. */
public final class VmDemo {
  private static final Duration WITHIN = Duration.ofMinutes(40);
  private static final Duration UNTIL_INTERRUPTED = Duration.ofDays(1);
  private static final String UP = "rollcall-vm-stays-up";
  private static final String ROWS = "rows.json";

  /** What is played inside, and what it prints: the lines of the scenes. */
  public static final String COMMAND =
      VmNode.SET_UP + " && cd " + VmLab.PLACE + " && " + played("java");

  private final Path distribution;
  private final String kernel;
  private final PrintWriter out;
  private final PrintWriter err;

  VmDemo(Path distribution, String kernel, PrintWriter out, PrintWriter err) {
    this.distribution = distribution;
    this.kernel = kernel;
    this.out = out;
    this.err = err;
  }

  /**
   * The part of {@link #COMMAND} after a node is set up: in the folder of this module's jar, and of
   * {@code lib}. The shell's variable {@code lab_options} has more options of the JVM. The jars
   * have one order everywhere, as an AOT cache needs.
   */
  public static String played(String java) {
    return java
        + " -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx256m"
        + " --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow"
        + " -Drollcall.distribution=/opt/rollcall -Drollcall.patience=6 ${lab_options:-}"
        + " -cp \"$(LC_ALL=C ls rollcall-lab-*.jar lib/*.jar | paste -sd:)\""
        + " dev.rollcall.lab.Main demo --inside";
  }

  /** {@link #COMMAND} with these scenes of the node alone. */
  public static String commandOf(List<String> scenes) {
    return COMMAND + onlyOf(scenes);
  }

  /** The last words of a command with these scenes alone. */
  public static String onlyOf(List<String> scenes) {
    return " --only " + String.join(",", scenes);
  }

  /**
   * @param only these scenes of the node; empty: all, and those of the plain demo
   */
  int play(boolean once, boolean json, List<String> only) {
    try {
      Path folder = Files.createTempDirectory("rollcall-vm-node");
      var atExit = new Thread(() -> Folders.delete(folder), "rollcall-vm-node-removal");
      Runtime.getRuntime().addShutdownHook(atExit);
      return play(VmNode.in(folder, distribution), once, json, only);
    } catch (IOException e) {
      throw new VmException("cannot raise a machine", e);
    }
  }

  private int play(VmNode node, boolean once, boolean json, List<String> only) throws IOException {
    VmImage image =
        VmImages.ofUser(line -> Playbill.say(err, line)).of(VmRecipe.debian12().withKernel(kernel));
    Playbill.say(err, "starting a machine with " + image.kernel());
    int port = freePort();
    String lookAround = lookAround(node, port);
    Path results = node.folder().resolve("results");
    VmRun run =
        VmRun.of(command(once, json, only), once ? WITHIN : UNTIL_INTERRUPTED)
            .with(VmLab.addTo(node.addTo(VmPayload.empty())))
            .withResults(results)
            .withKernelWords(CgroupMounting.V2.kernelWords());
    VmResult result =
        Vm.run(
            image,
            once ? run : run.withSsh(port),
            line -> Playbill.say(json ? err : out, line.equals(UP) ? lookAround : line));
    if (json) {
      Playbill.say(out, Files.readString(results.resolve(ROWS)).strip());
    }
    Playbill.say(
        err,
        "the machine was ready after %.0f s and went off after %.0f s"
            .formatted(result.readySeconds(), result.seconds()));
    return result.status();
  }

  private static String command(boolean once, boolean json, List<String> only) {
    String scenes = only.isEmpty() ? COMMAND : commandOf(only);
    String played = json ? scenes + " --json >$ROLLCALL_VM_RESULTS/" + ROWS : scenes;
    String shown = json && !once ? "; cat $ROLLCALL_VM_RESULTS/" + ROWS : "";
    return once ? played : played + shown + "; echo " + UP + "; sleep infinity";
  }

  private static int freePort() throws IOException {
    try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  private static String lookAround(VmNode node, int port) {
    return """
    The machine stays up until Ctrl-C. Enter it as root:
      ssh -i %s -p %d -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null root@127.0.0.1
    Then begin a job, and come as its owner:
      rollcall=/opt/rollcall/bin/rollcall
      $rollcall job begin --user alice 901
      ssh alice@localhost cat /proc/self/cgroup
    See also systemctl status rollcall-agent, systemd-cgls, $rollcall jobs, ps 901.\
    """
        .formatted(node.key(), port);
  }
}
