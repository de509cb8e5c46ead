package dev.rollcall.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SyscallTest {
  @Test
  void aFailureNamesCallSubjectAndErrno() {
    ErrnoException e =
        assertThrows(ErrnoException.class, () -> Descriptor.open(Path.of("/no/such/file")));

    assertEquals("openat(/no/such/file) failed: ENOENT (2)", e.getMessage());
    assertTrue(e.is(Errno.ENOENT));
  }

  @Test
  void anErrnoWithoutANameIsANumber() {
    assertEquals(
        "mount(x) failed: errno 4000 (4000)", new ErrnoException("mount", "x", 4000).getMessage());
  }

  @Test
  void anArchitectureWhoseCallsHaveOtherNumbersIsRefused() {
    assertTrue(Syscall.isAarch64("aarch64"));
    assertFalse(Syscall.isAarch64("amd64"));
    var e = assertThrows(UnsupportedOperationException.class, () -> Syscall.isAarch64("riscv64"));
    assertEquals("this machine is riscv64, and its system calls are not known", e.getMessage());
  }

  @Test
  void aDescriptorIsClosedOnceSoThatItsNumberMayBeAnothers() throws Exception {
    Descriptor first = Descriptor.open(Path.of("/proc/self"));
    first.close();
    try (Descriptor second = Descriptor.open(Path.of("/proc/self"))) {
      first.close();

      assertEquals(0, Poll.now(second.number(), 0) & 0x20, "POLLNVAL says it was closed");
    }
  }

  @Test
  void whatFailsOnOneThreadDoesNotShowOnAnother() throws Exception {
    assertEquals(-Errno.EBADF.number(), Syscall.CLOSE.call(-1));

    Thread.ofPlatform().start(() -> assertEquals(-Errno.ESRCH.number(), missing())).join();
    Thread.ofVirtual().start(() -> assertEquals(-Errno.ESRCH.number(), missing())).join();
  }

  private static long missing() {
    return Syscall.PIDFD_OPEN.call(Integer.MAX_VALUE);
  }
}
