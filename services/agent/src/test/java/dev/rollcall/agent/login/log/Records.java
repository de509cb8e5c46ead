package dev.rollcall.agent.login.log;

import com.google.protobuf.ByteString;
import dev.rollcall.agent.TestNode;
import dev.rollcall.proto.login.v1.Connection;
import dev.rollcall.proto.login.v1.Outcome;
import dev.rollcall.proto.login.v1.Phase;
import dev.rollcall.proto.login.v1.Record;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** Records as the PAM module appends them. */
final class Records {
  static final String BOOT = "5e1dca1f-6f4b-4c1b-9d4c-000000000001";

  private Records() {}

  /** A login of Alice's, let into her older job. */
  static Record.Builder adopted(String id) {
    return Record.newBuilder()
        .setVersion(1)
        .setBootId(BOOT)
        .setOutcome(Outcome.OUTCOME_ADOPTED)
        .setReason("only-job")
        .setJobId(TestNode.OLDER.number())
        .setUid(TestNode.ALICE)
        .setUser("alice")
        .setService("sshd")
        .setRemoteHost("10.77.0.1")
        .setConnection(connection(40_001))
        .setPid(4_242)
        .setProcessStart(99)
        .setCgroupPath("/rollcall.scope/job_41/step_extern/user/session_7")
        .setDecidedAtNs(nanos(Instant.now()))
        .setTookNs(Duration.ofMillis(2).toNanos())
        .setAdoptionId(id)
        .setPhase(Phase.PHASE_ACCOUNT);
  }

  static Connection.Builder connection(int remotePort) {
    return Connection.newBuilder()
        .setLocalAddress(address(10, 77, 0, 2))
        .setLocalPort(22)
        .setRemoteAddress(address(10, 77, 0, 1))
        .setRemotePort(remotePort);
  }

  private static ByteString address(int... bytes) {
    byte[] address = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      address[i] = (byte) bytes[i];
    }
    return ByteString.copyFrom(address);
  }

  static long nanos(Instant time) {
    return time.getEpochSecond() * 1_000_000_000L + time.getNano();
  }

  static byte[] framed(Record.Builder record) {
    return framed(record.build().toByteArray());
  }

  static byte[] framed(byte[] message) {
    var crc = new CRC32C();
    crc.update(message);
    return ByteBuffer.allocate(12 + message.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(0x674c4352)
        .putInt(message.length)
        .putInt((int) crc.getValue())
        .put(message)
        .array();
  }

  static byte[] joined(byte[]... parts) {
    var all = ByteBuffer.allocate(Arrays.stream(parts).mapToInt(part -> part.length).sum());
    Arrays.stream(parts).forEach(all::put);
    return all.array();
  }
}
