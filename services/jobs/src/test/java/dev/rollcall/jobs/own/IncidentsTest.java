package dev.rollcall.jobs.own;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.jobs.tree.TreeConfig.Choice;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.StepId;
import dev.rollcall.model.usage.Incident;
import dev.rollcall.port.Jobs;
import dev.rollcall.port.Jobs.AdoptResult.Adopted;
import dev.rollcall.port.Jobs.EndResult;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What befalls jobs, on this machine's v1 controllers. Nobody sweeps: the kernel has to wake us.
 */
@Tag("root")
class IncidentsTest {
  private static final JobId JOB = new JobId(42);

  private static BlockingQueue<Incident> heard(Rig rig) {
    BlockingQueue<Incident> heard = new LinkedBlockingQueue<>();
    rig.jobs()
        .listen(
            new Jobs.Listener() {
              @Override
              public void changed(Job job) {}

              @Override
              public void incident(Incident incident) {
                heard.add(incident);
              }
            });
    return heard;
  }

  private static Incident next(BlockingQueue<Incident> heard) throws InterruptedException {
    Incident incident = heard.poll(Rig.LONG.toSeconds(), TimeUnit.SECONDS);
    assertNotNull(incident, "nothing was told");
    return incident;
  }

  /** v1's pids.events wake nobody since Linux 6.11: the sweep finds them. */
  private static Incident swept(Rig rig, BlockingQueue<Incident> heard)
      throws InterruptedException {
    Rig.await(
        "a sweep finds it",
        () -> {
          rig.jobs().reap();
          return !heard.isEmpty();
        });
    return next(heard);
  }

  private static CgroupDirectory in(Rig rig, String controller) {
    return rig.directories(42).stream()
        .filter(each -> each.path().startsWith("/sys/fs/cgroup/" + controller))
        .findFirst()
        .orElseThrow();
  }

  private static void adopt(Rig rig, int pid) {
    try (Pidfd pinned = Rig.pin(pid)) {
      assertInstanceOf(Adopted.class, rig.adopt(pinned, JOB));
    }
  }

  @Test
  void anOomKillWakesUsAndIsToldOfItsSessionAndOnItsTerminal() throws Exception {
    try (Rig rig = new Rig(Choice.V1)) {
      BlockingQueue<Incident> heard = heard(rig);
      rig.begin(42);
      in(rig, "memory").write("memory.limit_in_bytes", Integer.toString(32 << 20));
      adopt(rig, rig.sleeper().ref().pid());
      Process terminal =
          onATerminal("echo ready; read go; perl -e '$x = \"x\" x (200 << 20)'; sleep 600");
      try (BufferedReader shown = terminal.inputReader()) {
        assertEquals("ready", shown.readLine());
        for (ProcessHandle each : terminal.descendants().toList()) {
          adopt(rig, (int) each.pid());
        }
        terminal.outputWriter().append("go\n").flush();
        Incident incident = next(heard);
        assertEquals(Incident.Kind.OOM_KILL, incident.kind());
        assertEquals(new JobStep(JOB, StepId.EXTERN), incident.step());
        assertEquals(OptionalLong.of(2), incident.session());
        assertEquals(1, incident.times());
        assertEquals("memory.limit_in_bytes of job 42, 33554432 bytes", incident.what());
        String line = shown.readLine();
        while (line != null && !line.startsWith("rollcall:")) {
          line = shown.readLine();
        }
        assertEquals(
            "rollcall: the kernel killed a process of job 42 because memory ran out: "
                + incident.what(),
            line);
      } finally {
        terminal.descendants().forEach(ProcessHandle::destroyForcibly);
        terminal.destroyForcibly();
      }
    }
  }

  private static Process onATerminal(String command) throws IOException {
    return new ProcessBuilder("script", "-qec", command, "/dev/null")
        .redirectErrorStream(true)
        .start();
  }

  @Test
  void refusedForksAreToldOfTheirSession() throws Exception {
    try (Rig rig = new Rig(Choice.V1)) {
      BlockingQueue<Incident> heard = heard(rig);
      rig.begin(42);
      in(rig, "pids").write("pids.max", "2");
      Process session =
          rig.run(
              "perl",
              "-e",
              "$_ = <STDIN>; for (1..5) { $kid = fork; if (defined $kid && !$kid) { sleep 600 } }"
                  + " sleep 600");
      adopt(rig, (int) session.pid());
      session.outputWriter().append("go\n").flush();
      long times = 0;
      while (times < 4) {
        Incident incident = swept(rig, heard);
        assertEquals(Incident.Kind.PIDS_REFUSED, incident.kind());
        assertEquals(OptionalLong.of(1), incident.session());
        assertEquals("pids.max of job 42, 2", incident.what());
        times += incident.times();
      }
      assertEquals(4, times);
      assertTrue(heard.isEmpty());
    }
  }

  @Test
  void whatIsRefusedWhileWeLookIsToldOnceAndOfItsSession() throws Exception {
    try (Rig rig = new Rig(Choice.V1)) {
      BlockingQueue<Incident> heard = heard(rig);
      rig.begin(42);
      in(rig, "pids").write("pids.max", "1");
      Process session = rig.run("perl", "-e", "$_ = <STDIN>; fork for 1..2000; <STDIN>");
      adopt(rig, (int) session.pid());
      session.outputWriter().append("go\n").flush();
      long end = System.nanoTime() + Rig.LONG.toNanos();
      long times = 0;
      while (times < 2_000 && System.nanoTime() < end) {
        rig.jobs().reap();
        times += toldOfSession(heard);
      }
      rig.jobs().reap();
      assertEquals(2_000, times + toldOfSession(heard));
    }
  }

  private static long toldOfSession(BlockingQueue<Incident> heard) {
    long times = 0;
    for (Incident incident = heard.poll(); incident != null; incident = heard.poll()) {
      assertEquals(OptionalLong.of(1), incident.session());
      times += incident.times();
    }
    return times;
  }

  @Test
  void aRestartedAgentDoesNotTellAgainAndGoesOnWatching() throws Exception {
    try (Rig rig = new Rig(Choice.V1)) {
      BlockingQueue<Incident> heard = heard(rig);
      rig.begin(42);
      in(rig, "pids").write("pids.max", "1");
      Process session = rig.run("perl", "-e", "while (<STDIN>) { fork }");
      adopt(rig, (int) session.pid());
      session.outputWriter().append("go\n").flush();
      assertEquals(1, swept(rig, heard).times());
      rig.reopen(Rig.BOOT);
      BlockingQueue<Incident> after = heard(rig);
      rig.jobs().reap();
      assertTrue(after.isEmpty(), after.toString());
      session.outputWriter().append("go\n").flush();
      Incident second = swept(rig, after);
      assertEquals(1, second.times());
      assertEquals(OptionalLong.of(1), second.session());
    }
  }

  @Test
  void nothingIsWatchedWhenItsJobIsGone() throws IOException {
    try (Rig rig = new Rig(Choice.V1)) {
      for (int each = 0; each < 20; each++) {
        rig.begin(42);
        adopt(rig, rig.sleeper().ref().pid());
        assertTrue(rig.jobs().watches() > 0);
        assertInstanceOf(EndResult.Clean.class, rig.jobs().end(JOB, Rig.LONG));
        assertEquals(0, rig.jobs().watches());
      }
    }
  }
}
