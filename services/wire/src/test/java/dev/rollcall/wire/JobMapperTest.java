package dev.rollcall.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobLabel;
import dev.rollcall.model.JobProcess;
import dev.rollcall.model.JobState;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.StepId;
import dev.rollcall.port.Jobs.JobSpec;
import dev.rollcall.proto.roll.v1.JobFact;
import dev.rollcall.proto.roll.v1.JobOnNode;
import dev.rollcall.proto.roll.v1.ListedJobProcess;
import dev.rollcall.proto.v1.ListedProcess;
import dev.rollcall.wire.grpc.MessageLimits;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class JobMapperTest {
  private static final NodeName NODE = new NodeName("node1");
  private static final Instant NOW = Instant.parse("2026-11-20T10:11:12Z");

  private static Job job(JobState state) {
    return new Job(new JobId(JobId.LARGEST), 1000, 100, NOW, state, new JobLabel("62_1", "my job"));
  }

  @ParameterizedTest
  @EnumSource
  void aJobComesBackAsItWas(JobState state) {
    var wire = JobMapper.toProto(job(state), NODE, "alice", true);
    assertEquals(job(state), JobMapper.toModel(wire, "job"));
    assertEquals("node1", wire.getNode());
    assertEquals("alice", wire.getUser());
    assertTrue(wire.getStale());
  }

  @Test
  void aStateFromTheFutureIsRefused() {
    var wire = JobMapper.toProto(job(JobState.OPEN), NODE, "", false).toBuilder().setStateValue(77);
    var failure =
        assertThrows(BadWordException.class, () -> JobMapper.toModel(wire.build(), "job"));
    assertEquals("job.state: 77 is not a state of a job", failure.getMessage());
  }

  @Test
  void aFactComesBackAsItWas() {
    var fact = new JobSpec(new JobId(JobId.LARGEST), (int) 4_000_000_000L, 100, NOW);
    assertEquals(fact, JobMapper.toModel(JobMapper.fact(fact), "fact"));
    var failure =
        assertThrows(
            BadWordException.class,
            () -> JobMapper.toModel(JobFact.getDefaultInstance(), "job_facts.facts[3]"));
    assertTrue(
        String.valueOf(failure.getMessage()).startsWith("job_facts.facts[3].job_id"),
        failure.getMessage());
  }

  @Test
  void aProcessIsToldInEachOfItsForms() {
    var process = new JobProcess(new ProcessRef(9, 8L), StepId.of(3), "sleep");
    var ref = CallerMapper.toProto(process.process());
    assertEquals(
        ListedProcess.newBuilder().setProcess(ref).setStep("3").setCommand("sleep").build(),
        JobMapper.listed(process));
    assertEquals(
        ListedJobProcess.newBuilder().setProcess(ref).setStep("3").setCommand("sleep").build(),
        JobMapper.listedOnNode(process));
    assertEquals(
        new JobProcess(process.process(), process.step(), ""),
        JobMapper.toModel(JobMapper.member(process), "p"));
  }

  @Test
  void aJobWithoutProcessesIsToldInOneWholeMessage() {
    var told = JobMapper.told(job(JobState.OPEN), NODE, "", List.of(), NOW);
    assertEquals(1, told.size());
    assertTrue(told.getFirst().getWhole());
  }

  @Test
  void aJobWithManyProcessesIsToldInMessagesWithinTheLimit() {
    var processes = new ArrayList<JobProcess>();
    for (int pid = 1; pid <= 20_001; pid++) {
      processes.add(
          new JobProcess(new ProcessRef(4_000_000 + pid, Long.MAX_VALUE), StepId.EXTERN, ""));
    }
    List<JobOnNode> told = JobMapper.told(job(JobState.OPEN), NODE, "alice", processes, NOW);

    var back = new ArrayList<JobProcess>();
    for (JobOnNode message : told) {
      assertTrue(message.getSerializedSize() < MessageLimits.MESSAGE_BYTES / 2);
      assertEquals(back.isEmpty(), message.getWhole());
      message.getProcessesList().forEach(p -> back.add(JobMapper.toModel(p, "p")));
    }
    assertEquals(processes, back);
    assertFalse(told.getLast().getWhole());
  }
}
