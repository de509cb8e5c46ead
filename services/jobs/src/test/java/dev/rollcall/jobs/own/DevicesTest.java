package dev.rollcall.jobs.own;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.jobs.tree.TreeConfig.Choice;
import dev.rollcall.linux.bpf.BpfProgram;
import dev.rollcall.linux.bpf.CgroupPrograms;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.StepId;
import dev.rollcall.model.allocation.Allocation;
import dev.rollcall.model.allocation.DeviceRule;
import dev.rollcall.model.allocation.DeviceRules;
import dev.rollcall.model.allocation.DeviceRules.Kind;
import dev.rollcall.model.allocation.Limits;
import dev.rollcall.model.usage.Incident;
import dev.rollcall.port.Jobs;
import dev.rollcall.port.Jobs.BeginResult;
import dev.rollcall.port.Jobs.JobSpec;
import dev.rollcall.port.Jobs.LimitResult;
import dev.rollcall.port.Jobs.StepResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The devices of jobs and steps, in every hierarchy of this machine that decides about devices.
 * What is asked for has no driver: ENXIO where it is allowed, EPERM where it is not.
 */
@Tag("root")
class DevicesTest {
  private static final JobId JOB = new JobId(42);
  private static final StepId STEP = StepId.of(0);
  private static final String ALLOWED = "No such device or address";
  private static final String REFUSED = "Operation not permitted";

  @TempDir private Path temp = Path.of("/nowhere");
  private Optional<Rig> rig = Optional.empty();

  static List<Choice> choices() {
    return Rig.choices();
  }

  private Rig rig(Choice choice) {
    rig = Optional.of(new Rig(choice));
    return rig.get();
  }

  @AfterEach
  void leaveNothing() {
    rig.ifPresent(Rig::close);
  }

  private static DeviceRules allow(String... rules) {
    return new DeviceRules(Kind.ALLOW_LIST, Stream.of(rules).map(DeviceRule::parse).toList());
  }

  private static BeginResult begin(Rig rig, DeviceRules rules) {
    var allocation = new Allocation(Limits.NONE, rules, Map.of(), List.of());
    return rig.jobs().begin(new JobSpec(JOB, 1001, 1001, Instant.now(), allocation));
  }

  private static void begun(Rig rig, DeviceRules rules) {
    assertInstanceOf(BeginResult.Begun.class, begin(rig, rules));
  }

  private static StepResult.Made step(Rig rig, DeviceRules rules) {
    return assertInstanceOf(
        StepResult.Made.class, rig.jobs().beginStep(JOB, Optional.of(STEP), Limits.NONE, rules));
  }

  /** What a process of the step is told when it reads a device 240:MINOR. */
  private String asks(StepResult.Made step, int minor) throws IOException {
    var script = new StringBuilder("mknod " + temp.resolve("d") + " c 240 " + minor + "; ");
    step.procsFiles().forEach(file -> script.append("echo 0 > ").append(file).append("; "));
    script.append("exec 3< ").append(temp.resolve("d"));
    var process =
        new ProcessBuilder("bash", "-c", script.toString()).redirectErrorStream(true).start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    Files.delete(temp.resolve("d"));
    return output.substring(output.lastIndexOf(':') + 1).strip();
  }

  @ParameterizedTest
  @MethodSource("choices")
  void aStepHasTheDevicesOfItsJob(Choice choice) throws IOException {
    Rig rig = rig(choice);
    begun(rig, allow("c 240:7 r"));
    StepResult.Made step = step(rig, DeviceRules.OPEN);
    assertEquals(ALLOWED, asks(step, 7));
    assertEquals(REFUSED, asks(step, 8));
  }

  @ParameterizedTest
  @MethodSource("choices")
  void aStepsOwnRulesTakeMoreAwayAndGiveNothing(Choice choice) throws IOException {
    Rig rig = rig(choice);
    begun(rig, allow("c 240:7 r", "c 240:8 r"));
    StepResult.Made step = step(rig, allow("c 240:7 r"));
    assertEquals(ALLOWED, asks(step, 7));
    assertEquals(REFUSED, asks(step, 8));
  }

  @ParameterizedTest
  @MethodSource("choices")
  void rulesAreReplacedWhileTheJobRuns(Choice choice) throws IOException {
    Rig rig = rig(choice);
    begun(rig, allow("c 240:7 r"));
    StepResult.Made step = step(rig, DeviceRules.OPEN);
    assertInstanceOf(
        LimitResult.Changed.class, rig.jobs().devices(JOB, Optional.empty(), allow("c 240:8 r")));
    assertEquals(REFUSED, asks(step, 7));
    assertEquals(ALLOWED, asks(step, 8));
    assertInstanceOf(
        LimitResult.NotHere.class,
        rig.jobs().devices(JOB, Optional.of(StepId.of(9)), DeviceRules.OPEN));
    assertInstanceOf(
        LimitResult.NotHere.class,
        rig.jobs().devices(new JobId(43), Optional.empty(), DeviceRules.OPEN));
  }

  @ParameterizedTest
  @MethodSource("choices")
  void anotherAgentKnowsThemAgain(Choice choice) throws IOException {
    Rig rig = rig(choice);
    begun(rig, allow("c 240:7 r"));
    StepResult.Made step = step(rig, allow("c 240:7 r", "c 240:8 r"));
    rig.jobs().devices(JOB, Optional.empty(), allow("c 240:8 r"));
    List<Incident> incidents = new ArrayList<>();
    Jobs again = rig.reopen(Rig.BOOT);
    again.listen(new Incidents(incidents));
    rig.jobs().reap();
    assertEquals(List.of(), incidents);
    assertEquals(REFUSED, asks(step, 7));
    assertEquals(ALLOWED, asks(step, 8));
  }

  private record Incidents(List<Incident> heard) implements Jobs.Listener {
    @Override
    public void changed(Job job) {}

    @Override
    public void incident(Incident incident) {
      heard.add(incident);
    }
  }

  @ParameterizedTest
  @MethodSource("choices")
  void whatSomethingElseTookAwayIsPutBackAndTold(Choice choice) throws IOException {
    Rig rig = rig(choice);
    begun(rig, allow("c 240:7 r"));
    StepResult.Made step = step(rig, DeviceRules.OPEN);
    List<Incident> incidents = new ArrayList<>();
    rig.jobs().listen(new Incidents(incidents));
    takeAway(rig, choice);
    rig.jobs().reap();
    assertEquals(List.of(Incident.Kind.DRIFTED), incidents.stream().map(Incident::kind).toList());
    assertEquals(REFUSED, asks(step, 8));
    assertEquals(ALLOWED, asks(step, 7));
  }

  /** With v1 something may add a device; with v2 it may detach the program. */
  private static void takeAway(Rig rig, Choice choice) throws IOException {
    if (choice == Choice.V1) {
      for (CgroupDirectory directory : rig.directories(JOB.number())) {
        if (directory.has("devices.allow")) {
          directory.write("devices.allow", "c 240:8 r");
        }
      }
      return;
    }
    var programs = new CgroupPrograms(rig.job(JOB.number()).path(), BpfProgram.Type.CGROUP_DEVICE);
    List<BpfProgram> ours = programs.named("rollcall_dev");
    assertEquals(1, ours.size());
    for (BpfProgram program : ours) {
      programs.remove(program);
      program.close();
    }
  }

  @ParameterizedTest
  @MethodSource("choices")
  void rulesThatCannotBeSetLeaveNoJob(Choice choice) throws IOException {
    Rig rig = rig(choice);
    if (choice == Choice.V2) {
      begun(rig, new DeviceRules(Kind.DENY_LIST, List.of(DeviceRule.parse("c 1:* rwm"))));
      assertEquals(ALLOWED, asks(step(rig, DeviceRules.OPEN), 7));
      return;
    }
    var refused =
        assertInstanceOf(
            BeginResult.Refused.class,
            begin(rig, new DeviceRules(Kind.DENY_LIST, List.of(DeviceRule.parse("c 1:* rwm")))));
    assertTrue(refused.reason().contains("c 1:* rwm"), refused.reason());
    assertEquals(List.of(), rig.directories(JOB.number()));
    assertEquals(List.of(), rig.jobs().list());
  }
}
