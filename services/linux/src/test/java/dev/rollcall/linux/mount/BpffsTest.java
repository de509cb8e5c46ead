package dev.rollcall.linux.mount;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.Errno;
import dev.rollcall.linux.ErrnoException;
import dev.rollcall.model.NamespaceType;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("root")
class BpffsTest {
  @Test
  void isMountedAndTakenAwayAgain(@TempDir Path directory) throws Exception {
    Path mount = directory.resolve("bpf");
    assertFalse(Bpffs.holds(mount));

    Bpffs.mount(mount);
    try {
      assertTrue(Bpffs.holds(mount));
      assertFalse(Bpffs.holds(directory));
    } finally {
      Mount.detach(mount);
    }
    assertFalse(Bpffs.holds(mount));
  }

  @Test
  void workInANetworkNamespaceLeavesTheCallerWhereItWas() throws Exception {
    Path own = Path.of("/proc/thread-self/ns/net");
    Process other =
        new ProcessBuilder("unshare", "--net", "sh", "-c", "echo ready; exec sleep 60").start();
    try {
      assertEquals("ready", other.inputReader().readLine());
      Path file = Path.of("/proc/" + other.pid() + "/ns/net");
      try (Descriptor namespace = Descriptor.open(file)) {
        Object before = Files.readSymbolicLink(own);

        Path inside =
            NamespaceThread.run(
                NamespaceType.NET, namespace.number(), () -> Files.readSymbolicLink(own));

        assertEquals(Files.readSymbolicLink(file), inside);
        assertEquals(before, Files.readSymbolicLink(own));
      }
    } finally {
      other.destroyForcibly();
    }
  }

  @Test
  void aFailureInsideComesOutAsItIs() throws Exception {
    try (Descriptor noNamespace = Descriptor.open(Path.of("/"))) {
      ErrnoException e =
          assertThrows(
              ErrnoException.class,
              () ->
                  NamespaceThread.run(
                      NamespaceType.NET, noNamespace.number(), () -> "unreachable"));
      assertTrue(e.is(Errno.EINVAL), e.getMessage());
    }
  }
}
