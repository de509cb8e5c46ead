package dev.rollcall.linux.cgroup;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rollcall.linux.KernelText;
import dev.rollcall.model.JobStep;
import java.util.Map;

/** {@code /proc/PID/cgroup}, below which users make cgroups of any name, and the job in a path. */
class ProcessCgroupsFuzzTest {
  private static final JobPath JOBS = new JobPath("/rollcall.scope");

  @FuzzTest
  void fuzz(byte[] input) {
    String text = new String(input, ISO_8859_1);
    var read = ProcessCgroups.parse(KernelText.lines(text));
    read.paths().values().forEach(ProcessCgroupsFuzzTest::isOnlyRightBelowTheRoot);
    isOnlyRightBelowTheRoot(text);
    // Whatever a cgroup is called: it is one line's.
    String path = "/" + text.replace('\n', ' ');
    var named = ProcessCgroups.parse(KernelText.lines("0::" + path + "\n"));
    assertEquals(Map.of(ProcessCgroups.V2, path), named.paths());
  }

  private static void isOnlyRightBelowTheRoot(String path) {
    JOBS.jobStepOf(path)
        .map(JobStep::job)
        .ifPresent(
            job -> assertTrue((path + "/").startsWith("/rollcall.scope/job_" + job + "/"), path));
  }
}
