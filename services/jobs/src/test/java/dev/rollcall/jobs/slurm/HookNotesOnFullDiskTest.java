package dev.rollcall.jobs.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rollcall.jobs.slurm.HookNotes.Note;
import dev.rollcall.jobs.slurm.HookNotes.Teller;
import dev.rollcall.model.JobId;
import dev.rollcall.testkit.disk.SmallDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("root")
class HookNotesOnFullDiskTest {
  private static final JobId JOB = new JobId(42);

  @TempDir Path directory = Path.of("unset");

  private static Note note(int uid) {
    return new Note(
        Teller.GATEWAY, uid, uid, Instant.parse("2026-11-20T12:00:00Z"), Map.of("A", "b"));
  }

  @Test
  void whatWasToldStaysAndWhatIsToldIsRefusedByItsFile() throws Exception {
    try (SmallDisk disk = SmallDisk.over(directory)) {
      HookNotes notes = HookNotes.open(directory.resolve("slurm"));
      notes.put(JOB, note(1_001));
      disk.fill();
      var refused = assertThrows(IOException.class, () -> notes.put(JOB, note(1_002)));
      assertEquals(
          directory.resolve("slurm/42.job") + ": No space left on device", refused.getMessage());
      assertEquals(Optional.of(note(1_001)), notes.of(JOB));
      assertEquals(Map.of(JOB, note(1_001)), HookNotes.open(directory.resolve("slurm")).all());
      try (var files = Files.list(directory.resolve("slurm"))) {
        assertEquals(1, files.count());
      }
      disk.empty();
      notes.put(JOB, note(1_002));
      assertEquals(Map.of(JOB, note(1_002)), HookNotes.open(directory.resolve("slurm")).all());
    }
  }
}
