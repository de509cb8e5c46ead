package dev.rollcall.wire.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Message;
import dev.rollcall.proto.roll.v1.ConnectRequest;
import dev.rollcall.proto.roll.v1.Hello;
import dev.rollcall.proto.roll.v1.JobOnNode;
import dev.rollcall.proto.roll.v1.JobProcess;
import dev.rollcall.proto.roll.v1.JobsQuestion;
import dev.rollcall.proto.v1.Allocation;
import dev.rollcall.proto.v1.BeginRequest;
import dev.rollcall.proto.v1.Connection;
import dev.rollcall.proto.v1.Endpoint;
import dev.rollcall.proto.v1.IdentifyProcessesRequest;
import dev.rollcall.proto.v1.IdentifyRequest;
import dev.rollcall.proto.v1.Job;
import dev.rollcall.proto.v1.ListOutsideProcessesRequest;
import dev.rollcall.proto.v1.ListProcessesResponse;
import dev.rollcall.proto.v1.ListResponse;
import dev.rollcall.proto.v1.Process;
import dev.rollcall.proto.v1.ProcessOnNode;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageReaderTest {
  private static final IdentifyProcessesRequest PROCESSES =
      IdentifyProcessesRequest.getDefaultInstance();

  /** Some that fill their lists in as few bytes as can be, and ordinary ones. */
  static Stream<Message> messages() {
    return Stream.of(
        job(20_000),
        JobsQuestion.newBuilder().addAllJobIds(Collections.nCopies(4_000, Long.MAX_VALUE)).build(),
        IdentifyProcessesRequest.newBuilder()
            .addAllProcesses(Collections.nCopies(1_000, ProcessOnNode.getDefaultInstance()))
            .build(),
        ListOutsideProcessesRequest.newBuilder()
            .addAllNodes(Collections.nCopies(4_000, "ä\u20ac"))
            .build(),
        ConnectRequest.newBuilder()
            .setHello(
                Hello.newBuilder()
                    .addAllAddresses(Collections.nCopies(4_096, ByteString.copyFrom(new byte[4]))))
            .build(),
        ListResponse.newBuilder()
            .addAllJobs(
                Collections.nCopies(1_000, Job.newBuilder().setJobId(7).setUid(2_001).build()))
            .build(),
        variables(),
        IdentifyRequest.newBuilder()
            .setConnection(Connection.newBuilder().setLocal(Endpoint.getDefaultInstance()))
            .build());
  }

  @ParameterizedTest
  @MethodSource("messages")
  void aMessageIsReadAsItWas(Message message) {
    assertEquals(message, read(message.getDefaultInstanceForType(), message.toByteArray()));
  }

  @ParameterizedTest
  @MethodSource("messages")
  void aMessageNeedsNoMoreOfTheHeapThanItWasCountedFor(Message message) {
    byte[] bytes = message.toByteArray();
    var reader = new MessageReader<>(message.getDefaultInstanceForType());
    var counted = new AtomicLong();
    reader.read(
        bytes,
        heap -> {
          counted.set(heap);
          return true;
        });
    int copies = (int) Math.max(8, (4 << 20) / counted.get());
    var kept = new Message[copies];
    long before = used();
    for (int i = 0; i < copies; i++) {
      kept[i] = reader.read(bytes, _ -> true);
    }
    long each = (used() - before) / copies;
    assertEquals(message, kept[copies - 1]);
    assertTrue(each <= counted.get(), each + " bytes were counted as " + counted);
  }

  @Test
  void unknownFieldsAreDiscardedAtEachDepth() throws IOException {
    byte[] unknown = unknown(50);
    byte[] inner = join(ProcessOnNode.newBuilder().setNode("n1").build().toByteArray(), unknown);
    assertEquals(
        IdentifyProcessesRequest.newBuilder()
            .addProcesses(ProcessOnNode.newBuilder().setNode("n1"))
            .build(),
        read(PROCESSES, join(delimited(1, inner), unknown)));
  }

  @Test
  void unknownFieldsCostNothing() throws IOException {
    var counted = new AtomicLong();
    new MessageReader<>(PROCESSES)
        .read(
            unknown(7_000),
            heap -> {
              counted.set(heap);
              return true;
            });
    assertTrue(counted.get() < 100, "counted " + counted);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 9, 5_000})
  void aGroupIsRefusedByItsNumber(int number) throws IOException {
    byte[] groups = new byte[65_000];
    var out = CodedOutputStream.newInstance(groups);
    while (out.spaceLeft() > 10) {
      out.writeTag(number, 3);
    }
    Status refused = refused(PROCESSES, groups);
    assertEquals(Status.Code.INVALID_ARGUMENT, refused.getCode());
    assertEquals(
        "IdentifyProcessesRequest: field %d is a group, which no message has".formatted(number),
        refused.getDescription());
  }

  @Test
  void oneProcessTooManyIsRefusedBeforeItIsParsed() {
    byte[] empty = new byte[1_000 * 2 + 2];
    for (int i = 0; i < empty.length; i += 2) {
      empty[i] = 10; // field 1, of length 0
    }
    Status refused = refused(PROCESSES, empty);
    assertEquals(Status.Code.INVALID_ARGUMENT, refused.getCode());
    assertEquals(
        "processes: field 1: the repeated fields of a IdentifyProcessesRequest have more than 1000"
            + " entries",
        refused.getDescription());
  }

  @Test
  void packedNumbersAreEntries() throws IOException {
    byte[] packed = delimited(1, new byte[5_000]);
    assertEquals(
        "job_ids: field 1: the repeated fields of a JobsQuestion have more than 4096 entries",
        refused(JobsQuestion.getDefaultInstance(), packed).getDescription());
  }

  @Test
  void entriesOfEntriesAreCountedTogether() throws IOException {
    byte[] fifty = new byte[50 * 2];
    for (int i = 0; i < fifty.length; i += 2) {
      fifty[i] = 18; // field 2, of length 0
    }
    var nodes = new ByteArrayOutputStream();
    for (int i = 0; i < 100; i++) {
      nodes.write(delimited(1, fifty));
    }
    assertEquals(
        "processes: field 2: the repeated fields of a NodeProcesses have more than 4096 entries",
        refused(ListProcessesResponse.getDefaultInstance(), nodes.toByteArray()).getDescription());
  }

  @Test
  void whatIsNotAdmittedIsRefused() {
    var reader = new MessageReader<>(ConnectRequest.getDefaultInstance());
    byte[] bytes = job(1_000).toByteArray();
    var refused = assertThrows(StatusRuntimeException.class, () -> reader.read(bytes, _ -> false));
    assertEquals(Status.Code.RESOURCE_EXHAUSTED, refused.getStatus().getCode());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 100, 19_999})
  void aMessageThatIsCutCannotBeRead(int length) {
    byte[] whole = job(2_000).toByteArray();
    byte[] cut = Arrays.copyOf(whole, length);
    assertEquals(Status.Code.INTERNAL, refused(ConnectRequest.getDefaultInstance(), cut).getCode());
  }

  private static ConnectRequest job(int processes) {
    var process =
        JobProcess.newBuilder().setProcess(Process.newBuilder().setPid(9).setStartTime(8)).build();
    return ConnectRequest.newBuilder()
        .setJob(JobOnNode.newBuilder().addAllProcesses(Collections.nCopies(processes, process)))
        .build();
  }

  private static BeginRequest variables() {
    var allocation = Allocation.newBuilder();
    for (int i = 0; i < 3_000; i++) {
      allocation.putEnvironment(Integer.toString(i), "");
    }
    return BeginRequest.newBuilder().setAllocation(allocation).build();
  }

  /** Fields with ever other numbers, of each kind but groups. */
  private static byte[] unknown(int fields) throws IOException {
    var bytes = new ByteArrayOutputStream();
    var out = CodedOutputStream.newInstance(bytes);
    for (int i = 0; i < fields; i++) {
      out.writeUInt64(100 + 4 * i, i);
      out.writeFixed32(101 + 4 * i, i);
      out.writeFixed64(102 + 4 * i, i);
      out.writeByteArray(103 + 4 * i, new byte[i % 3]);
    }
    out.flush();
    return bytes.toByteArray();
  }

  private static byte[] delimited(int field, byte[] content) throws IOException {
    var bytes = new ByteArrayOutputStream();
    var out = CodedOutputStream.newInstance(bytes);
    out.writeByteArray(field, content);
    out.flush();
    return bytes.toByteArray();
  }

  private static byte[] join(byte[] first, byte[] second) {
    byte[] all = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    return all;
  }

  private static Message read(Message empty, byte[] bytes) {
    return new MessageReader<>(empty).read(bytes, _ -> true);
  }

  private static Status refused(Message empty, byte[] bytes) {
    return assertThrows(StatusRuntimeException.class, () -> read(empty, bytes)).getStatus();
  }

  private static long used() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
