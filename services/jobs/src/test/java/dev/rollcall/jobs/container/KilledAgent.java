package dev.rollcall.jobs.container;

import static dev.rollcall.jobs.container.ContainerRig.ALICE;
import static dev.rollcall.jobs.container.ContainerRig.job;

import dev.rollcall.model.NamespaceType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Begins and ends one container, and is killed before a step. */
final class KilledAgent {
  private KilledAgent() {}

  /** Of the rig's directory, the step's number, and whether there are more namespaces. */
  public static void main(String... arguments) throws IOException {
    int last = Integer.parseInt(arguments[1]);
    var steps = new AtomicInteger();
    try (ContainerRig rig = new ContainerRig(Path.of(arguments[0]))) {
      if (Boolean.parseBoolean(arguments[2])) {
        rig.namespaces(MoreNamespacesTest.of(NamespaceType.USER, NamespaceType.PID));
      }
      JobContainers containers = rig.open();
      rig.before =
          _ -> {
            if (steps.incrementAndGet() == last) {
              kill();
            }
          };
      containers.create(job(42), ALICE, ALICE);
      containers.delete(job(42), ALICE, ALICE);
      Runtime.getRuntime().halt(0);
    }
  }

  /** How it is started, in a JVM of its own. */
  static List<String> command(ContainerRig rig, int step, boolean more) {
    return List.of(
        System.getProperty("java.home") + "/bin/java",
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-XX:-UsePerfData",
        "--enable-native-access=ALL-UNNAMED",
        "-cp",
        System.getProperty("java.class.path"),
        KilledAgent.class.getName(),
        rig.top.toString(),
        Integer.toString(step),
        Boolean.toString(more));
  }

  /** SIGKILL: nothing of this JVM has a say any more. */
  private static void kill() {
    try {
      Process killing =
          new ProcessBuilder("kill", "-9", Long.toString(ProcessHandle.current().pid())).start();
      killing.waitFor();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
