package dev.rollcall.linux.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.Syscall;
import dev.rollcall.model.ProcessRef;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PidfdTest {
  private final Proc proc = new Proc(Path.of("/proc"));

  @Test
  void knowsWhenItsProcessHasEnded() throws Exception {
    Process child = Children.sleeping();
    try (Pidfd pinned = Pidfd.open(proc, (int) child.pid()).orElseThrow()) {
      assertTrue(pinned.alive());
      assertEquals(proc.ref((int) child.pid()).orElseThrow(), pinned.ref());

      assertTrue(pinned.signal(9));
      child.waitFor();

      assertFalse(pinned.alive());
      assertFalse(pinned.signal(9));
    } finally {
      child.destroyForcibly();
    }
  }

  @Test
  void aPidThatBelongsToALaterProcessIsNotPinned() throws Exception {
    Process child = Children.sleeping();
    try {
      ProcessRef now = proc.ref((int) child.pid()).orElseThrow();
      ProcessRef before = new ProcessRef(now.pid(), now.startTime() - 1);

      assertTrue(Pidfd.open(proc, before).isEmpty());
      assertFalse(proc.runs(before));
      assertTrue(proc.runs(now));
    } finally {
      child.destroyForcibly();
    }
  }

  @Test
  void aPidOfNobodyIsAbsent() throws Exception {
    assertTrue(Pidfd.open(proc, 4_194_304).isEmpty(), "PID_MAX_LIMIT is never given out");
  }

  @Test
  void aProcessThatProcDoesNotShowIsAbsent(@TempDir Path empty) throws Exception {
    assertTrue(Pidfd.open(new Proc(empty), (int) ProcessHandle.current().pid()).isEmpty());
  }

  @Test
  void aProcessThatProcCannotReadLeavesNoDescriptorOpen(@TempDir Path root) throws Exception {
    int own = (int) ProcessHandle.current().pid();
    Files.createDirectories(root.resolve(own + "/stat"));
    Proc unreadable = new Proc(root);
    long fd = Syscall.PIDFD_OPEN.check("pid " + own, Syscall.PIDFD_OPEN.call(own));
    Path open = Path.of("/proc/self/fdinfo/" + fd);
    assertTrue(Files.readString(open).contains("Pid:\t" + own + "\n"));

    assertThrows(UncheckedIOException.class, () -> Pidfd.take(unreadable, own, new Descriptor(fd)));

    // Its number may be another file's by now.
    assertFalse(Files.exists(open) && Files.readString(open).contains("Pid:\t" + own + "\n"));
  }

  @Test
  void readsTheEffectiveUidOfARecordedProcess(@TempDir Path root) throws Exception {
    Files.createDirectory(root.resolve("17"));
    Files.writeString(
        root.resolve("17/status"),
        "Name:\tUid: 3\nUid:\t1000\t1001\t1000\t1000\nGid:\t5\t5\t5\t5\n");
    Files.writeString(
        root.resolve("17/stat"), "17 (a) S 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 99 0\n");

    Proc recorded = new Proc(root);
    assertEquals(1001, recorded.effectiveUid(17).orElseThrow());
    assertEquals(java.util.List.of(new ProcessRef(17, 99)), recorded.ofUid(1001, 5));
    assertEquals(java.util.List.of(), recorded.ofUid(1000, 5));
  }
}
