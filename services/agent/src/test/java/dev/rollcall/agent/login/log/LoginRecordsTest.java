package dev.rollcall.agent.login.log;

import static dev.rollcall.agent.login.log.Records.BOOT;
import static dev.rollcall.agent.login.log.Records.adopted;
import static dev.rollcall.agent.login.log.Records.framed;
import static dev.rollcall.agent.login.log.Records.joined;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import dev.rollcall.agent.event.Adoption;
import dev.rollcall.agent.event.Adoption.Outcome;
import dev.rollcall.agent.event.Phase;
import dev.rollcall.agent.event.RecordedLogin;
import dev.rollcall.agent.login.log.LoginRecords.Found;
import dev.rollcall.agent.login.log.LoginRecords.Part;
import dev.rollcall.model.AdoptOptions;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Decision;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.Reason;
import dev.rollcall.model.StepId;
import dev.rollcall.proto.login.v1.Record;
import dev.rollcall.proto.loginsocket.v1.Choice;
import dev.rollcall.proto.loginsocket.v1.Options;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class LoginRecordsTest {
  private static final byte[] ONE = framed(adopted("5e1dca1f-1"));
  private static final byte[] TWO = framed(adopted("5e1dca1f-2"));

  private static Found find(byte[] bytes) {
    return LoginRecords.find(ByteBuffer.wrap(bytes), BOOT, /* last= */ false);
  }

  private static Found findLast(byte[] bytes) {
    return LoginRecords.find(ByteBuffer.wrap(bytes), BOOT, /* last= */ true);
  }

  /** An id for each login, a word for what was skipped. */
  private static List<String> words(Found found) {
    return found.parts().stream()
        .map(part ->
            switch (part) {
              case Part.Login login -> login.login().adoption().id();
              case Part.Skipped skipped -> skipped.why().word();
            })
        .toList();
  }

  private static byte[] first(byte[] bytes, int count) {
    return Arrays.copyOf(bytes, count);
  }

  @Test
  void anUnknownValueOfAnOptionIsNoRecord() {
    var options = Options.newBuilder().setActionUnknown(Choice.CHOICE_IGNORE);

    Found found = find(framed(adopted("5e1dca1f-a").setOptions(options)));

    var skipped = assertInstanceOf(Part.Skipped.class, found.parts().getFirst());
    assertEquals(SkippedBytes.VALUE, skipped.why());
    assertEquals("action_unknown: CHOICE_IGNORE is not a value of it", skipped.detail());
  }

  /** The bytes that the module's own tests write. */
  @Test
  void readsWhatTheModuleWrites() throws IOException {
    Path golden =
        Path.of(System.getProperty("rollcall.home"), "services", "pam", "contract", "record.hex");
    var hex = new StringBuilder();
    Files.readAllLines(golden)
        .forEach(line -> hex.append(line.replaceFirst("#.*", "").replace(" ", "")));

    Found found = find(HexFormat.of().parseHex(hex));

    var first = assertInstanceOf(Part.Login.class, found.parts().getFirst()).login();
    assertEquals(
        new RecordedLogin(
            new Adoption(
                "5e1dca1f-1b2c3d",
                2001,
                "alice",
                "sshd",
                "login1.example.org",
                Phase.ACCOUNT,
                Outcome.ADOPTED,
                Optional.of(new JobStep(new JobId(JobId.LARGEST), StepId.EXTERN)),
                Reason.CALLER_JOB,
                "no agent answered",
                Optional.of(
                    Connection.tcp(
                        Endpoint.parse("10.77.0.2:22"), Endpoint.parse("10.77.0.1:40001"))),
                Instant.ofEpochSecond(1_795_248_000L, 123_456_789),
                Duration.ofNanos(1_234_567),
                Optional.empty()),
            new ProcessRef(4242, 123_456),
            "freezer",
            "/rollcall.scope/job_41/step_extern/user/session_7",
            Optional.of(
                new AdoptOptions(
                    AdoptOptions.ActionNoJobs.DENY,
                    AdoptOptions.ActionUnknown.DENY,
                    AdoptOptions.ActionAdoptFailure.DENY,
                    AdoptOptions.ActionGenericFailure.DENY,
                    /* ignoreRoot= */ false,
                    /* singleJobSkipRpc= */ true,
                    /* disableX11= */ true,
                    /* joinContainer= */ true,
                    /* choose= */ true,
                    "*")),
            /* answered= */ false,
            Optional.empty(),
            /* published= */ false),
        first);
    var second = assertInstanceOf(Part.Login.class, found.parts().get(1)).login().adoption();
    assertEquals(Outcome.DENIED, second.outcome());
    assertEquals(Reason.NO_JOBS, second.reason());
    assertEquals(Phase.OPEN_SESSION, second.phase());
    assertEquals(Optional.empty(), second.job());
    assertEquals(Optional.empty(), second.connection());
    assertEquals("no TCP connection", second.doubt());
    assertEquals(-2, second.uid());
    var third = assertInstanceOf(Part.Login.class, found.parts().getLast()).login();
    assertEquals("no TCP connection; more", third.adoption().doubt());
    assertEquals(Optional.of(Duration.ofNanos(345_678)), third.move());
    assertEquals(3, found.parts().size());
    assertEquals(hex.length() / 2, found.used());
  }

  @Test
  void readsRecordsOneAfterTheOther() {
    Found found = find(joined(ONE, TWO));

    assertEquals(List.of("5e1dca1f-1", "5e1dca1f-2"), words(found));
    assertEquals(ONE.length, found.parts().getFirst().end());
    assertEquals(ONE.length + TWO.length, found.used());
  }

  @Test
  void waitsForTheRestOfARecord() {
    for (int length = 1; length < ONE.length; length++) {
      Found found = find(joined(TWO, first(ONE, length)));
      assertEquals(List.of("5e1dca1f-2"), words(found), "with " + length + " bytes");
      assertEquals(TWO.length, found.used(), "with " + length + " bytes");
    }
  }

  @Test
  void skipsTheRestThatNeverCame() {
    for (int length = 1; length < ONE.length; length++) {
      Found found = findLast(joined(TWO, first(ONE, length)));
      String skipped = length < 4 ? "no-mark" : "cut";
      assertEquals(List.of("5e1dca1f-2", skipped), words(found), "with " + length + " bytes");
      assertEquals(TWO.length + length, found.used());
    }
  }

  @Test
  void goesOnBehindARecordThatWasCut() {
    for (int length = 1; length < ONE.length; length++) {
      Found found = find(joined(first(ONE, length), TWO, ONE));
      assertEquals(
          List.of("5e1dca1f-2", "5e1dca1f-1"),
          words(found).subList(1, 3),
          "with " + length + " bytes");
      assertEquals(3, found.parts().size());
    }
  }

  @Test
  void aCutRecordThatClaimsMoreThanTheNextHasDoesNotHoldItBack() {
    byte[] large = framed(new byte[3_000]);

    Found found = find(joined(first(large, 100), ONE));

    assertEquals(List.of("cut", "5e1dca1f-1"), words(found));
  }

  @Test
  void skipsWhatIsNoRecord() {
    byte[] flipped = ONE.clone();
    flipped[20] ^= 1;
    byte[] tooLong = ONE.clone();
    tooLong[5] = 0x10;
    byte[] negative = ONE.clone();
    negative[7] = (byte) 0x80;

    assertEquals(List.of("checksum", "5e1dca1f-2"), words(find(joined(flipped, TWO))));
    assertEquals(List.of("length", "5e1dca1f-2"), words(find(joined(tooLong, TWO))));
    assertEquals(List.of("length", "5e1dca1f-2"), words(find(joined(negative, TWO))));
    assertEquals(
        List.of("no-mark", "5e1dca1f-2"), words(find(joined("RCL".getBytes(US_ASCII), TWO))));
    assertEquals(List.of("no-mark"), words(find(new byte[100])));
    assertEquals(
        List.of("message", "5e1dca1f-2"),
        words(find(joined(framed(new byte[] {(byte) 0xff}), TWO))));
  }

  private static String only(UnaryOperator<Record.Builder> change) {
    return words(find(framed(change.apply(adopted("5e1dca1f-1"))))).getFirst();
  }

  @Test
  void obeysNoRecordOfAnotherVersionOrBoot() {
    assertEquals("version", only(record -> record.setVersion(2)));
    assertEquals("version", only(record -> record.clearVersion()));
    assertEquals("boot", only(record -> record.setBootId("another")));
    assertEquals("version", words(find(framed(new byte[0]))).getFirst());
  }

  @Test
  void obeysNoRecordWithAValueThatItCannotHave() {
    assertEquals("value", only(record -> record.clearOutcome()));
    assertEquals("value", only(record -> record.setOutcomeValue(77)));
    assertEquals("value", only(record -> record.clearPhase()));
    assertEquals("value", only(record -> record.setReason("because")));
    assertEquals("value", only(record -> record.setReason("")));
    assertEquals("value", only(record -> record.clearJobId()));
    assertEquals("value", only(record -> record.setJobId(JobId.LARGEST + 1)));
    assertEquals("value", only(record -> record.setJobId(-1)));
    assertEquals("value", only(record -> record.clearPid()));
    assertEquals("value", only(record -> record.setPid(-1)));
    assertEquals("value", only(record -> record.clearAdoptionId()));
    assertEquals("value", only(record -> record.setAdoptionId("5e1dca1f-1\n")));
    assertEquals(
        "value", only(record -> record.setConnection(Records.connection(1).setRemotePort(65_536))));
    assertEquals(
        "value",
        only(record ->
            record.setConnection(
                Records.connection(1).setLocalAddress(ByteString.copyFrom(new byte[16])))));
    assertEquals(
        "value",
        only(record ->
            record.setConnection(
                Records.connection(1).setLocalAddress(ByteString.copyFrom(new byte[5])))));
  }

  @Test
  void findsEachWholeRecordBetweenRandomBytes() {
    var random = new Random(1);
    for (int round = 0; round < 2_000; round++) {
      byte[] before = new byte[random.nextInt(40)];
      byte[] between = new byte[random.nextInt(40)];
      random.nextBytes(before);
      random.nextBytes(between);
      List<String> words = words(findLast(joined(before, ONE, between, TWO)));
      assertEquals(
          List.of("5e1dca1f-1", "5e1dca1f-2"),
          words.stream().filter(word -> word.startsWith("5e")).toList());
    }
  }

  @Test
  void readsWhatTheAgentWrites() {
    var connection =
        Connection.tcp(Endpoint.parse("[2001:db8::2]:22"), Endpoint.parse("[2001:db8::1]:40001"));
    for (Outcome outcome : Outcome.values()) {
      boolean adopted = outcome == Outcome.ADOPTED;
      Optional<Decision> would =
          outcome == Outcome.STEPPED_ASIDE
              ? Optional.of(new Decision.Adopt(new JobId(43), Reason.NEWEST_JOB))
              : Optional.empty();
      var adoption =
          new Adoption(
              "7-1",
              2001,
              "alice",
              "sshd",
              "login1",
              Phase.OPEN_SESSION,
              outcome,
              adopted ? Optional.of(new JobStep(new JobId(42), StepId.of(3))) : Optional.empty(),
              Reason.NEWEST_JOB,
              "the caller's node is away",
              Optional.of(connection),
              Instant.ofEpochSecond(1_795_248_000L, 123_456_789),
              Duration.ofNanos(1_234_567),
              would);
      var process = new ProcessRef(4242, 123_456);

      Found found =
          find(LoginRecords.framed(LoginRecord.answered(adoption, process, Records.BOOT)));

      assertEquals(
          new RecordedLogin(
              adoption,
              process,
              "",
              "",
              Optional.empty(),
              /* answered= */ true,
              Optional.empty(),
              /* published= */ false),
          assertInstanceOf(Part.Login.class, found.parts().getFirst()).login());
    }
  }

  @Test
  void aRecordOfTheAgentFitsTheLogWhateverItsTexts() {
    String text = "\u20ac".repeat(5_000);
    var adoption =
        new Adoption(
            "7-1",
            2001,
            text,
            text,
            text,
            Phase.ACCOUNT,
            Outcome.FAILED,
            Optional.empty(),
            Reason.NO_JOBS,
            text,
            Optional.empty(),
            Instant.EPOCH,
            Duration.ZERO,
            Optional.empty());

    byte[] record =
        LoginRecords.framed(LoginRecord.answered(adoption, new ProcessRef(1, 1), Records.BOOT));

    assertTrue(record.length <= LoginRecords.LONGEST, record.length + " bytes");
    assertInstanceOf(Part.Login.class, find(record).parts().getFirst());
  }
}
