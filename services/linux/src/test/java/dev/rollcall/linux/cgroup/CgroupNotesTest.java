package dev.rollcall.linux.cgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** On this machine's kernel. */
@Tag("root")
class CgroupNotesTest {
  private static CgroupDirectory fresh(Path point) throws IOException {
    CgroupDirectory made =
        new CgroupDirectory(point.resolve("rollcall-notes-" + ProcessHandle.current().pid()));
    made.create();
    return made;
  }

  @Test
  void areKeptByBothVersionsUntilTheCgroupIsGone() throws IOException {
    CgroupMounts mounts = CgroupMounts.read(Path.of("/proc"));
    assertTrue(mounts.all().size() > 0);
    for (CgroupMount mount : mounts.all()) {
      CgroupDirectory cgroup = fresh(mount.point());
      var notes = new CgroupNotes(cgroup);
      try {
        assertEquals(Optional.empty(), notes.read("began"));
        notes.write("began", "2026-11-20T12:00:00.5Z");
        notes.write("began", "2026-11-20T12:00:01Z");
        assertEquals(Optional.of("2026-11-20T12:00:01Z"), notes.read("began"));
        assertEquals(Optional.empty(), notes.read("other"));
      } finally {
        Files.delete(cgroup.path());
      }
      assertEquals(Optional.empty(), notes.read("began"));
    }
  }
}
