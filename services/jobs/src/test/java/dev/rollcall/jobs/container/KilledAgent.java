package dev.rollcall.jobs.container;

import static dev.rollcall.jobs.container.ContainerRig.ALICE;
import static dev.rollcall.jobs.container.ContainerRig.job;

import dev.rollcall.jobs.container.MoreNamespaces.Kind;
import java.io.IOException;
import java.nio.file.Path;
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
        rig.rules(rig.rules().with(MoreNamespacesTest.of(Kind.USER, Kind.PID)));
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
