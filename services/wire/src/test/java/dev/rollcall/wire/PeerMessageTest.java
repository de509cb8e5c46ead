package dev.rollcall.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import com.google.protobuf.util.JsonFormat;
import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.NodeName;
import dev.rollcall.port.Roll;
import dev.rollcall.proto.roll.v1.Hello;
import dev.rollcall.proto.v1.Adoption;
import dev.rollcall.proto.v1.NodeOutsideProcesses;
import dev.rollcall.proto.v1.OutsideProcess;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages of a hostile node: too long, with times and texts that nobody can write. */
class PeerMessageTest {
  private static String refusal(Runnable check) {
    String text = String.valueOf(assertThrows(BadWordException.class, check::run).getMessage());
    assertTrue(text.length() < 1_000, text);
    return text;
  }

  @Test
  void aLongMessageIsRefusedByItsSize() {
    var full = Adoption.newBuilder().setNode("n".repeat(1_000)).build();
    assertEquals(
        "adoption: 1003 bytes are more than 1000",
        refusal(() -> PeerMessage.checkSize(full, "adoption", 1_000)));
  }

  @ParameterizedTest
  @CsvSource({
    "253402300800, 0", "-1, 0", "9223372036, 0", "9223372036854775807, 0",
    "-9223372036854775808, 0", "0, -1", "0, 1000000000", "1, 2147483647"
  })
  void aTimeThatNobodyCanKeepIsRefusedByItsField(long seconds, int nanos) {
    var time = Timestamp.newBuilder().setSeconds(seconds).setNanos(nanos);
    var decided = Adoption.newBuilder().setDecidedAt(time).build();
    String text = refusal(() -> PeerMessage.check(decided, "adoption"));
    assertTrue(text.startsWith("adoption.decided_at: "), text);
    assertTrue(text.contains(Long.toString(nanos == 0 ? seconds : nanos)), text);
    var seen =
        NodeOutsideProcesses.newBuilder()
            .addOutsideProcesses(OutsideProcess.getDefaultInstance())
            .addOutsideProcesses(OutsideProcess.newBuilder().setStartedAt(time))
            .build();
    assertTrue(
        refusal(() -> PeerMessage.check(seen, "outside"))
            .startsWith("outside.outside_processes[1].started_at: "));
    assertThrows(
        BadWordException.class, () -> CallerMapper.instant(time.build(), "job.started_at"));
  }

  /** Each time that is taken has nanoseconds in a long, and a form in JSON. */
  @ParameterizedTest
  @CsvSource({"0, 0", "0, 999999999", "9223372035, 999999999"})
  void aTimeInRangeIsTaken(long seconds, int nanos) throws Exception {
    var time = Timestamp.newBuilder().setSeconds(seconds).setNanos(nanos).build();
    Instant instant = CallerMapper.instant(time, "at");
    assertEquals(time, CallerMapper.timestamp(instant));
    assertEquals(
        seconds * 1_000_000_000L + nanos,
        Math.addExact(
            Math.multiplyExact(instant.getEpochSecond(), 1_000_000_000L), instant.getNano()));
    assertFalse(JsonFormat.printer().print(time).isEmpty());
  }

  @ParameterizedTest
  @CsvSource({
    "315576000001, 0",
    "-9223372036854775808, 0",
    "1, -1",
    "-1, 1",
    "0, 1000000000",
    "0, -2147483648"
  })
  void aDurationThatJsonHasNotIsRefused(long seconds, int nanos) {
    var took = Duration.newBuilder().setSeconds(seconds).setNanos(nanos);
    assertTrue(
        refusal(() -> PeerMessage.check(Adoption.newBuilder().setTook(took).build(), "adoption"))
            .startsWith("adoption.took: "));
  }

  @Test
  void aLongTextIsRefusedByItsField() {
    var told = NodeOutsideProcesses.newBuilder().setSilence("x".repeat(5_000)).build();
    assertEquals(
        "outside.silence: 5000 characters are more than 4096",
        refusal(() -> PeerMessage.check(told, "outside")));
  }

  private static Hello.Builder hello() {
    return NodeMapper.hello(
        "c",
        new Roll.NodeDescription(
            new NodeEpoch(new NodeName("n1"), "boot", 1), Set.of(), "g", "0.1.0", "sock_ops"))
        .toBuilder();
  }

  private static String refused(Hello.Builder hello) {
    return refusal(() -> NodeMapper.description(hello.build(), "g"));
  }

  @Test
  void aHelloWithALongTextIsRefusedByItsField() {
    String mebibyte = "x".repeat(1 << 20);
    assertTrue(refused(hello().setVersion(mebibyte)).startsWith("hello: 1048"));
    String text = "x".repeat(65);
    assertTrue(refused(hello().setVersion(text)).startsWith("hello.version: 'xxx"));
    assertTrue(refused(hello().setBootId(text)).startsWith("hello.boot_id: "));
    assertTrue(refused(hello().setCallSource(text)).startsWith("hello.call_source: "));
    assertTrue(refused(hello().setVersion("9\nINFO forged")).startsWith("hello.version: "));
    assertTrue(refused(hello().setCluster("x".repeat(256))).startsWith("hello.cluster: 256 "));
    assertTrue(refused(hello().setNode("x".repeat(100_000))).startsWith("hello.node: 'xxx"));
  }

  @Test
  void aHelloWithManyAddressesIsRefusedByTheirNumber() {
    Hello.Builder hello = hello();
    for (int i = 0; i < 4_097; i++) {
      hello.addAddresses(ByteString.copyFrom(new byte[] {10, 0, (byte) (i >> 8), (byte) i}));
    }
    assertEquals("hello.addresses: 4097 are more than 4096", refused(hello));
  }

  @Test
  void anEpochWithTheSignsBitIsRefused() {
    assertEquals(
        "hello.epoch: 18446744073709551615 is more than 2^63 - 1", refused(hello().setEpoch(-1)));
  }
}
