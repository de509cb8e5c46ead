package dev.rollcall.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.rollcall.model.Call;
import dev.rollcall.model.NodeName;
import dev.rollcall.port.Roll;
import dev.rollcall.proto.roll.v1.Announcement;
import dev.rollcall.proto.roll.v1.Hello;
import dev.rollcall.proto.roll.v1.JobFact;
import dev.rollcall.proto.roll.v1.JobProcess;
import dev.rollcall.proto.roll.v1.ListedJobProcess;
import dev.rollcall.proto.v1.Allocation;
import dev.rollcall.proto.v1.CallerAnswer;
import dev.rollcall.proto.v1.Job;
import java.util.Arrays;
import java.util.List;

/**
 * Messages of any content: the first byte says of which kind, the rest is the message. Either the
 * model takes it, and its words say the same again; or a part of it is refused by name.
 */
class CallerMapperFuzzTest {
  private static final NodeName NODE = new NodeName("node1");

  /** Reads a message, and what it says when it is written and read again. */
  private interface Reader {
    void read(byte[] message) throws InvalidProtocolBufferException;
  }

  private static final List<Reader> READERS =
      List.of(
          CallerMapperFuzzTest::job,
          CallerMapperFuzzTest::allocation,
          CallerMapperFuzzTest::answer,
          CallerMapperFuzzTest::announcement,
          CallerMapperFuzzTest::hello,
          CallerMapperFuzzTest::fact,
          CallerMapperFuzzTest::member,
          CallerMapperFuzzTest::listed);

  @FuzzTest
  void fuzz(byte[] input) {
    if (input.length == 0) {
      return;
    }
    Reader reader = READERS.get((input[0] & 0xff) % READERS.size());
    try {
      reader.read(Arrays.copyOfRange(input, 1, input.length));
    } catch (InvalidProtocolBufferException e) {
      // No message: gRPC refuses it before it comes here.
    } catch (BadWordException e) {
      assertFalse(String.valueOf(e.getMessage()).isBlank());
    }
  }

  private static void job(byte[] bytes) throws InvalidProtocolBufferException {
    var job = JobMapper.toModel(Job.parseFrom(bytes), "job");
    assertEquals(job, JobMapper.toModel(JobMapper.toProto(job, NODE, "user", false), "again"));
  }

  private static void allocation(byte[] bytes) throws InvalidProtocolBufferException {
    var allocation = AllocationMapper.toModel(Allocation.parseFrom(bytes), "allocation");
    assertEquals(
        allocation, AllocationMapper.toModel(AllocationMapper.toProto(allocation), "again"));
  }

  private static void answer(byte[] bytes) throws InvalidProtocolBufferException {
    var answer = CallerMapper.toModel(CallerAnswer.parseFrom(bytes), "answer");
    assertEquals(answer, CallerMapper.toModel(CallerMapper.toProto(answer), "again"));
  }

  private static void announcement(byte[] bytes) throws InvalidProtocolBufferException {
    Call call = NodeMapper.call(Announcement.parseFrom(bytes));
    assertEquals(call, NodeMapper.call(NodeMapper.announcement(call, 1, 1)));
  }

  private static void hello(byte[] bytes) throws InvalidProtocolBufferException {
    Roll.NodeDescription description =
        NodeMapper.description(Hello.parseFrom(bytes), "gateway:7450");
    assertEquals(
        description,
        NodeMapper.description(NodeMapper.hello("cluster", description), "gateway:7450"));
  }

  private static void fact(byte[] bytes) throws InvalidProtocolBufferException {
    var fact = JobMapper.toModel(JobFact.parseFrom(bytes), "fact");
    assertEquals(fact, JobMapper.toModel(JobMapper.fact(fact), "again"));
  }

  private static void member(byte[] bytes) throws InvalidProtocolBufferException {
    var member = JobMapper.toModel(JobProcess.parseFrom(bytes), "process");
    assertEquals(member, JobMapper.toModel(JobMapper.member(member), "again"));
  }

  private static void listed(byte[] bytes) throws InvalidProtocolBufferException {
    var process = toModel(ListedJobProcess.parseFrom(bytes));
    assertEquals(process, toModel(JobMapper.listedOnNode(process)));
    var listed = JobMapper.listed(process).toByteArray(); // a message with the same fields
    assertEquals(process, toModel(ListedJobProcess.parseFrom(listed)));
  }

  private static dev.rollcall.model.JobProcess toModel(ListedJobProcess from)
      throws InvalidProtocolBufferException {
    var member = JobProcess.parseFrom(from.toByteArray()); // likewise, without the command
    var process = JobMapper.toModel(member, "process");
    return new dev.rollcall.model.JobProcess(process.process(), process.step(), from.getCommand());
  }
}
