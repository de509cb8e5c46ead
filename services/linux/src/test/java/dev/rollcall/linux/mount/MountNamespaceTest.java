package dev.rollcall.linux.mount;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rollcall.linux.Descriptor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("root")
class MountNamespaceTest {
  private static final Path OWN = Path.of("/proc/self/ns/mnt");

  /** The mount namespaces of all threads of this JVM. */
  private static Set<String> namespaces() throws IOException {
    Set<String> found = new TreeSet<>();
    try (Stream<Path> tasks = Files.list(Path.of("/proc/self/task"))) {
      for (Path task : tasks.toList()) {
        try {
          found.add(Files.readSymbolicLink(task.resolve("ns/mnt")).toString());
        } catch (IOException ended) {
          assertEquals(false, Files.exists(task.resolve("ns/mnt")), ended.toString());
        }
      }
    }
    return found;
  }

  /** Whoever waits is a virtual thread, and to wake one may start a thread. */
  @Test
  void noThreadIsLeftInANamespaceThatWasMade() throws Exception {
    Path tmpfs = Path.of("/mnt");
    try (var virtual = Executors.newVirtualThreadPerTaskExecutor()) {
      Callable<String> one =
          () -> {
            try (Descriptor made =
                MountNamespace.create(() -> {
                  Mount.propagateBelow(Path.of("/"), Mount.Propagation.PRIVATE);
                  Mount.tmpfs(tmpfs, Set.of(), "size=4k");
                  return true;
                })) {
              return Files.readSymbolicLink(made.own()).toString();
            }
          };
      List<Future<String>> futures = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        futures.add(virtual.submit(one));
        futures.add(
            virtual.submit(() -> {
              Thread.sleep(1);
              return "";
            }));
      }
      Set<String> made = new TreeSet<>();
      for (Future<String> each : futures) {
        made.add(each.get());
      }
      made.remove("");
      String own = Files.readSymbolicLink(OWN).toString();
      assertEquals(false, made.contains(own));
    }
    String own = Files.readSymbolicLink(OWN).toString();
    for (int looks = 0; looks < 200 && namespaces().size() > 1; looks++) {
      Thread.onSpinWait();
    }
    assertEquals(Set.of(own), namespaces());
  }

  /** Also from inside of another one, as in a container: see NamespaceNumber. */
  @Test
  void canBePinnedFromWhereverWeAre(@TempDir Path temp) throws IOException {
    Path pins = Files.createDirectory(temp.resolve("pins"));
    for (int outer = 0; outer < 20; outer++) {
      Path pin = Files.createFile(pins.resolve("pin" + outer));
      var unused =
          MountNamespace.create(() -> {
            Mount.propagateBelow(Path.of("/"), Mount.Propagation.PRIVATE);
            for (int inner = 0; inner < 10; inner++) {
              try (Descriptor made = MountNamespace.create(() -> true)) {
                MountNamespace.pin(made, pin);
                assertEquals(true, MountNamespace.isPinned(pin));
              }
            }
            return true;
          });
      unused.close();
      assertEquals(false, MountNamespace.isPinned(pin));
    }
  }

  @Test
  void whatFailsInsideIsThrownOutside() {
    var failed =
        assertThrows(
            IOException.class,
            () ->
                MountNamespace.create(() -> {
                  throw new IOException("a step");
                }));
    assertEquals("a step", failed.getMessage());
    assertThrows(
        IllegalStateException.class,
        () ->
            MountNamespace.create(() -> {
              throw new IllegalStateException("a fault");
            }));
  }
}
