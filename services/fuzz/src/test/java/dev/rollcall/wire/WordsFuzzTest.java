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
import dev.rollcall.proto.v1.ListedProcess;
import java.util.Arrays;
import java.util.List;

/**
 * Messages of any content: the first byte says of which kind, the rest is the message. Either the
 * model takes it, and its words say the same again; or a part of it is refused by name.
 */
class WordsFuzzTest {
  private static final NodeName NODE = new NodeName("node1");

  /** Reads a message, and what it says when it is written and read again. */
  private interface Reader {
    void read(byte[] message) throws InvalidProtocolBufferException;
  }

  private static final List<Reader> READERS =
      List.of(
          WordsFuzzTest::job,
          WordsFuzzTest::allocation,
          WordsFuzzTest::answer,
          WordsFuzzTest::announcement,
          WordsFuzzTest::hello,
          WordsFuzzTest::fact,
          WordsFuzzTest::member,
          WordsFuzzTest::listed);

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
    var job = JobWords.toModel(Job.parseFrom(bytes), "job");
    assertEquals(job, JobWords.toModel(JobWords.toProto(job, NODE, "user", false), "again"));
  }

  private static void allocation(byte[] bytes) throws InvalidProtocolBufferException {
    var allocation = AllocationWords.toModel(Allocation.parseFrom(bytes), "allocation");
    assertEquals(allocation, AllocationWords.toModel(AllocationWords.toProto(allocation), "again"));
  }

  private static void answer(byte[] bytes) throws InvalidProtocolBufferException {
    var answer = Words.toModel(CallerAnswer.parseFrom(bytes), "answer");
    assertEquals(answer, Words.toModel(Words.toProto(answer), "again"));
  }

  private static void announcement(byte[] bytes) throws InvalidProtocolBufferException {
    Call call = NodeWords.call(Announcement.parseFrom(bytes));
    assertEquals(call, NodeWords.call(NodeWords.announcement(call, 1, 1)));
  }

  private static void hello(byte[] bytes) throws InvalidProtocolBufferException {
    Roll.Attendance attendance = NodeWords.attendance(Hello.parseFrom(bytes), "gateway:7450");
    assertEquals(
        attendance, NodeWords.attendance(NodeWords.hello("cluster", attendance), "gateway:7450"));
  }

  private static void fact(byte[] bytes) throws InvalidProtocolBufferException {
    var fact = JobWords.toModel(JobFact.parseFrom(bytes), "fact");
    assertEquals(fact, JobWords.toModel(JobWords.fact(fact), "again"));
  }

  private static void member(byte[] bytes) throws InvalidProtocolBufferException {
    var member = JobWords.toModel(JobProcess.parseFrom(bytes), "process");
    assertEquals(member, JobWords.toModel(JobWords.member(member), "again"));
  }

  private static void listed(byte[] bytes) throws InvalidProtocolBufferException {
    var process = JobWords.toModel(ListedJobProcess.parseFrom(bytes), "process");
    assertEquals(process, JobWords.toModel(JobWords.listedOnNode(process), "again"));
    assertEquals(
        process,
        JobWords.toModel(ListedProcess.parseFrom(JobWords.listed(process).toByteArray()), "again"));
  }
}
