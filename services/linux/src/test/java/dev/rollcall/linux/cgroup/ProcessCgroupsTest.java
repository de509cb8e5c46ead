package dev.rollcall.linux.cgroup;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.linux.Errno;
import dev.rollcall.linux.ErrnoException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessCgroupsTest {
  @Test
  void everyControllerOfALineHasItsPath() {
    ProcessCgroups cgroups =
        ProcessCgroups.parse(
            List.of("9:name=systemd:/user", "4:cpu,cpuacct:/a:b", "0::/rollcall.scope/job_1"));
    assertEquals(
        Map.of(
            "name=systemd", "/user", "cpu", "/a:b", "cpuacct", "/a:b", "", "/rollcall.scope/job_1"),
        cgroups.paths());
    assertEquals(Optional.empty(), cgroups.in("freezer"));
  }

  @Test
  void onlyHierarchyZeroIsV2() {
    // A v1 hierarchy without controllers would look alike but for its id.
    assertEquals(
        Map.of(), ProcessCgroups.parse(List.of("3::/rollcall.scope/job_1", "junk")).paths());
  }

  @Test
  void aCgroupsNameIsNoLineOfItsOwn(@TempDir Path proc) throws IOException {
    Files.createDirectory(proc.resolve("17"));
    String path = "/user.slice/a\r0::/rollcall.scope/job_1/step_0/user/task_0";
    Files.writeString(proc.resolve("17/cgroup"), "1:freezer:/\n0::" + path + "\n");
    assertEquals(Map.of("freezer", "/", "", path), ProcessCgroups.read(proc, 17).paths());
    Files.write(proc.resolve("17/cgroup"), "0::/a\u00ff\n".getBytes(ISO_8859_1));
    assertEquals(Optional.of("/a\ufffd"), ProcessCgroups.read(proc, 17).in(""));
  }

  @Test
  void aProcessThatIsNotThereIsNoSuchFile(@TempDir Path proc) throws IOException {
    Files.createDirectory(proc.resolve("17"));
    Files.writeString(proc.resolve("17/cgroup"), "0::/a\n");
    assertEquals(Optional.of("/a"), ProcessCgroups.read(proc, 17).in(""));
    var gone = assertThrows(ErrnoException.class, () -> ProcessCgroups.read(proc, 18));
    assertTrue(gone.is(Errno.ENOENT));
  }
}
