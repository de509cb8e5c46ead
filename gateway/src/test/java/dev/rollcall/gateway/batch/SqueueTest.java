package dev.rollcall.gateway.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.model.JobId;
import dev.rollcall.testkit.process.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SqueueTest {
  private static final Duration SHORT = Duration.ofMillis(500);
  private static final long MIB = 1 << 20;

  @TempDir Path directory = Path.of("unset");

  private Script script(String text) throws IOException {
    return Script.in(directory, text);
  }

  private static Squeue squeue(Script script) {
    return new Squeue(script.file(), Squeue.DEADLINE, MIB);
  }

  private static SqueueAnswer.Failed failed(Squeue squeue) throws InterruptedException {
    return assertInstanceOf(SqueueAnswer.Failed.class, squeue.ask());
  }

  /** A zombie has no words. */
  private static boolean runs(String pid) {
    try {
      return Files.size(Path.of("/proc", pid, "cmdline")) > 0
          || !Files.readString(Path.of("/proc", pid, "cmdline")).isEmpty();
    } catch (IOException gone) {
      return false;
    }
  }

  @Test
  void asksForJsonAndHandsNothingElseOver() throws Exception {
    Script script = script("echo \"$@\" > $0.words\nenv > $0.env\n" + Script.TWO_JOBS);
    var told = assertInstanceOf(SqueueAnswer.Told.class, squeue(script).ask());
    assertEquals(Set.of(new JobId(41), new JobId(42)), told.started().keySet());
    assertEquals(List.of("--json"), script.lines("words"));
    for (String line : script.lines("env")) {
      // The shell's own, but for the first two.
      assertTrue(line.matches("(PATH|SLURM_CONF|PWD|OLDPWD|SHLVL|_)=.*"), line);
    }
  }

  @Test
  void aFailureHasTheCodeAndTheFirstWords() throws Exception {
    Script script =
        script("echo 'slurm_load_jobs error: away' >&2; echo more >&2; echo '{}'; exit 3");
    var failed = failed(squeue(script));
    assertEquals("exit 3", failed.kind());
    assertEquals("it exited with 3: slurm_load_jobs error: away", failed.reason());
  }

  @Test
  void oneThatIsNotThereIsNamed() throws Exception {
    var failed = failed(new Squeue(directory.resolve("none"), SHORT, MIB));
    assertEquals("start", failed.kind());
    assertTrue(failed.reason().contains(directory.resolve("none").toString()), failed.reason());
  }

  @Test
  void oneThatHangsIsKilledWithWhatItStarted() throws Exception {
    Script script = script("sleep 600 & echo $$ $! > $0.pids; wait");
    var failed = failed(new Squeue(script.file(), SHORT, MIB));
    assertEquals("deadline", failed.kind());
    assertTrue(failed.reason().contains("500 ms"), failed.reason());
    for (String pid : script.lines("pids").getFirst().split(" ", -1)) {
      Await.until(pid + " is gone", () -> !runs(pid));
    }
  }

  @Test
  void oneThatSaysTooMuchIsCutOff() throws Exception {
    Script script = script("echo $$ > $0.pids; echo '{\"jobs\": ['; exec yes '{\"job_id\": 1},'");
    var failed = failed(squeue(script));
    assertEquals("long", failed.kind());
    assertTrue(failed.reason().contains(Long.toString(MIB)), failed.reason());
    Await.until("it is gone", () -> !runs(script.lines("pids").getFirst()));
  }

  @Test
  void whatIsNoJsonIsNamed() throws Exception {
    var failed = failed(squeue(script("echo slurm; head -c 500000 /dev/zero")));
    assertEquals("json", failed.kind());
    assertTrue(failed.reason().contains("'slurm'"), failed.reason());
  }

  @Test
  void itsComplaintsDoNotKeepItFromAnswering() throws Exception {
    Script script = script("yes away | head -c 2000000 >&2\n" + Script.TWO_JOBS);
    assertInstanceOf(SqueueAnswer.Told.class, squeue(script).ask());
  }

  /** The JDK closes what nobody reads yet when its program ends; then nothing is held. */
  private static final String BE_READ = "sleep 1\n";

  @Test
  void whatHoldsItsComplaintsAloneDoesNotHoldTheAnswer() throws Exception {
    Script script = script("sleep 600 >&- & echo $! > $0.pids\n" + Script.TWO_JOBS + BE_READ);
    Squeue squeue = squeue(script);
    assertInstanceOf(SqueueAnswer.Told.class, squeue.ask());
    assertEquals("held", failed(squeue).kind());
    end(script);
  }

  private static void end(Script script) {
    ProcessHandle.of(Long.parseLong(script.lines("pids").getFirst()))
        .orElseThrow()
        .destroyForcibly();
  }

  @Test
  void whatItLeavesBehindIsNotWaitedForAndNoOtherIsStarted() throws Exception {
    Script script = script("sleep 600 2>&- & echo $! > $0.pids\n" + Script.TWO_JOBS + BE_READ);
    Squeue squeue = squeue(script);
    assertEquals("held", failed(squeue).kind());
    assertEquals("held", failed(squeue).kind());
    assertEquals(1, script.runs());
    end(script);
    script.become(Script.TWO_JOBS);
    Await.until("it answers", () -> answers(squeue));
  }

  private static boolean answers(Squeue squeue) {
    try {
      return squeue.ask() instanceof SqueueAnswer.Told;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
