package dev.rollcall.lab.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.testkit.process.Result;
import org.junit.jupiter.api.Test;

class VisitTest {
  private static Visit visit(String place, String job) {
    String out = place + "\nSLURM_JOB_ID=" + job + "\nROLLCALL_REASON=only-job\nROLLCALL_DOUBT=\n";
    return Visit.of(new Result(out, "", 0, 12), text -> text.lines().findFirst().orElse(""));
  }

  @Test
  void namesTheJobOnWhichKernelAndEnvironmentAgree() {
    assertEquals(new Visit("job 7", "only-job", "", "", "", 12), visit("job 7", "7"));
  }

  @Test
  void doesNotTakeTheEnvironmentsWord() {
    assertEquals("in no job, but in 'sshd'", visit("in no job, but in 'sshd'", "7").place());
    assertEquals("job 7 with SLURM_JOB_ID=8", visit("job 7", "8").place());
  }

  @Test
  void keepsWhatARefusalSaid() {
    Visit refused = Visit.of(new Result("", "no job here\n", 255, 3), text -> text);
    assertEquals(new Visit("refused", "", "", "", "no job here", 3), refused);
  }
}
