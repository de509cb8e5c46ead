package dev.rollcall.linux.mount;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.model.NamespaceType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamespaceTypeTest {
  private static Optional<NamespaceType> of(String path) throws IOException {
    try (Descriptor file = Descriptor.open(Path.of(path))) {
      return NamespaceThread.typeOf(file);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "mnt, MOUNT",
    "cgroup, CGROUP",
    "uts, UTS",
    "ipc, IPC",
    "user, USER",
    "pid, PID",
    "net, NET"
  })
  void theKernelNamesTheType(String file, NamespaceType type) throws IOException {
    assertEquals(Optional.of(type), of("/proc/self/ns/" + file));
  }

  @Test
  void otherFilesHaveNone() throws IOException {
    assertEquals(Optional.empty(), of("/proc/self/status"));
  }
}
