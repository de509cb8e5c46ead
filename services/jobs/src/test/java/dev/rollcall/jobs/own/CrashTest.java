package dev.rollcall.jobs.own;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.jobs.tree.TreeConfig.Choice;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Membership.InJob;
import dev.rollcall.model.StepId;
import dev.rollcall.port.Jobs.AdoptResult.Adopted;
import dev.rollcall.port.Jobs.EndResult;
import dev.rollcall.testkit.count.Counts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;

/** An agent that is killed in the middle of beginning, adopting and ending many jobs. */
@Tag("root")
@Tag("host")
class CrashTest {
  private static final int ROUNDS = Counts.of(2, 100);
  private static final int JOBS = 12;

  @OnEachHierarchy
  void theNextAgentKnowsAllThatWasSaidAndCanEndIt(Choice choice) throws Exception {
    long seed = new Random().nextLong();
    System.out.printf("kill -9 of an agent on %s: %d rounds, seed %d%n", choice, ROUNDS, seed);
    Random random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      try (Rig rig = new Rig(choice)) {
        crash(rig, random, "seed " + seed + ", round " + round);
      }
    }
  }

  private static void crash(Rig rig, Random random, String where) throws Exception {
    rig.jobs().close();
    ChildJvm child = new ChildJvm(rig, List.of());
    List<Process> processes = new ArrayList<>();
    List<String> commands = new ArrayList<>();
    for (int job = 1; job <= JOBS; job++) {
      child.ask("begin " + job + " " + (2000 + job));
      for (int each = 0; each < 2; each++) {
        Process process = rig.run("sleep", "600");
        processes.add(process);
        commands.add("adopt " + job + " " + process.pid() + " " + (2000 + job));
      }
      commands.add(job % 2 == 0 ? "end " + job : "begin " + (100 + job) + " " + (2100 + job));
    }
    java.util.Collections.shuffle(commands, random);
    commands.forEach(child::tell);
    int enough = JOBS + random.nextInt(commands.size());
    Rig.await("so many results", () -> child.said().size() > enough);
    child.kill();
    rig.reopen(Rig.BOOT);
    check(rig, results(child), processes, where);
  }

  private static Map<String, String> results(ChildJvm child) {
    return child.said().stream()
        .filter(line -> line.contains(" = "))
        .map(line -> line.split(" = ", 2))
        .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1]));
  }

  private static void check(
      Rig rig, Map<String, String> results, List<Process> processes, String where) {
    Map<JobId, Job> known =
        rig.jobs().list().stream().collect(Collectors.toMap(Job::id, Function.identity()));
    results.forEach((command, result) -> {
      String[] words = command.split(" ", -1);
      JobId job = new JobId(Long.parseLong(words[1]));
      boolean mayEnd = job.number() <= JOBS && job.number() % 2 == 0;
      switch (words[0]) {
        case "begin" -> {
          assertTrue(mayEnd || known.containsKey(job), where + ": " + command + " is lost");
          Optional.ofNullable(known.get(job))
              .ifPresent(it -> assertEquals(Integer.parseInt(words[2]), it.uid(), where));
        }
        case "end" -> assertTrue(!known.containsKey(job), where + ": " + command + " came back");
        case "adopt" -> {
          if (!mayEnd && result.startsWith("Adopted")) {
            assertEquals(
                Optional.of(new InJob(new JobStep(job, StepId.EXTERN))),
                rig.jobs().membershipOf(Rig.pin(Integer.parseInt(words[2])).ref()),
                where + ": " + command);
          }
        }
        default -> throw new AssertionError(command);
      }
    });
    for (Job job : known.values()) {
      if (job.state() == JobState.OPEN) {
        assertInstanceOf(
            Adopted.class, rig.jobs().adopt(rig.sleeper(), job.id(), job.uid()), where);
      }
      assertInstanceOf(EndResult.Clean.class, rig.jobs().end(job.id(), Rig.LONG), where);
    }
    assertEquals(List.of(), rig.pids(), where);
    assertEquals(List.of(), rig.jobs().list(), where);
    for (long id = 1; id <= 100 + JOBS; id++) {
      assertEquals(List.of(), rig.directories(id), where);
    }
    // Outside of a job nobody was killed; inside everybody.
    long left = processes.stream().filter(Process::isAlive).count();
    long refused = results.values().stream().filter(result -> result.startsWith("NotOpen")).count();
    assertTrue(left >= refused, where + ": " + left + " alive, " + refused + " refused");
  }
}
