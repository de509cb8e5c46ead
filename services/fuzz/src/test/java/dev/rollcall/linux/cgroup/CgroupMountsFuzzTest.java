package dev.rollcall.linux.cgroup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rollcall.linux.KernelText;

/** {@code /proc/PID/mountinfo}, where users who mount name sources and paths. */
class CgroupMountsFuzzTest {
  @FuzzTest
  void fuzz(byte[] input) {
    var mounts = CgroupMounts.parse(KernelText.lines(new String(input, UTF_8)));
    for (CgroupMount mount : mounts.all()) {
      assertFalse(mount.v2() && !mount.controllers().isEmpty(), mount::toString);
    }
    mounts.v2();
    mounts.v1("freezer");
  }
}
