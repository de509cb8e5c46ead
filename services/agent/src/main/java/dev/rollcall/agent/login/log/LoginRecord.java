package dev.rollcall.agent.login.log;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.rollcall.agent.event.Adoption;
import dev.rollcall.agent.event.Phase;
import dev.rollcall.agent.event.RecordedLogin;
import dev.rollcall.agent.login.file.NodeFacts;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.Reason;
import dev.rollcall.model.StepId;
import dev.rollcall.proto.login.v1.Record;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads the message of one record as a login, or says why it is none. */
final class LoginRecord {
  private static final Pattern ID = Pattern.compile("[0-9a-z]{1,8}-[0-9a-z]{1,22}");
  private static final String AGENT_AWAY = "no agent was running";

  /** What a record holds. */
  sealed interface Read {
    record Login(RecordedLogin login) implements Read {}

    /**
     * No login.
     *
     * @param detail for people
     */
    record Refused(SkippedBytes why, String detail) implements Read {}
  }

  private LoginRecord() {}

  static Read read(ByteBuffer message, String bootId) {
    Record record;
    try {
      record = Record.parseFrom(message);
    } catch (InvalidProtocolBufferException e) {
      return new Read.Refused(SkippedBytes.MESSAGE, String.valueOf(e.getMessage()));
    }
    if (record.getVersion() != NodeFacts.VERSION) {
      return new Read.Refused(
          SkippedBytes.VERSION, "version " + Integer.toUnsignedString(record.getVersion()));
    }
    if (!record.getBootId().equals(bootId)) {
      return new Read.Refused(SkippedBytes.BOOT, "another boot's");
    }
    try {
      return new Read.Login(login(record));
    } catch (IllegalArgumentException e) {
      return new Read.Refused(SkippedBytes.VALUE, String.valueOf(e.getMessage()));
    }
  }

  private static RecordedLogin login(Record record) {
    if (!ID.matcher(record.getAdoptionId()).matches()) {
      throw new IllegalArgumentException("an adoption id of other characters");
    }
    Adoption.Outcome outcome = outcome(record);
    Optional<JobStep> job =
        outcome == Adoption.Outcome.ADOPTED
            ? Optional.of(new JobStep(new JobId(record.getJobId()), StepId.EXTERN))
            : Optional.empty();
    var adoption =
        new Adoption(
            record.getAdoptionId(),
            record.getUid(),
            record.getUser(),
            record.getService(),
            record.getRemoteHost(),
            phase(record),
            outcome,
            job,
            reason(record.getReason()),
            doubt(record),
            connection(record),
            Instant.ofEpochSecond(0, record.getDecidedAtNs()),
            Duration.ofNanos(Math.max(0, record.getTookNs())),
            Optional.empty());
    return new RecordedLogin(
        adoption,
        new ProcessRef(record.getPid(), record.getProcessStart()),
        record.getCgroupHierarchy(),
        record.getCgroupPath(),
        /* published= */ false);
  }

  private static Adoption.Outcome outcome(Record record) {
    return switch (record.getOutcome()) {
      case OUTCOME_ADOPTED -> Adoption.Outcome.ADOPTED;
      case OUTCOME_ALLOWED -> Adoption.Outcome.ALLOWED;
      case OUTCOME_DENIED -> Adoption.Outcome.DENIED;
      case OUTCOME_STEP_ASIDE -> Adoption.Outcome.STEP_ASIDE;
      case OUTCOME_UNSPECIFIED, UNRECOGNIZED ->
          throw new IllegalArgumentException("outcome " + record.getOutcomeValue());
    };
  }

  private static Phase phase(Record record) {
    return switch (record.getPhase()) {
      case PHASE_ACCOUNT -> Phase.ACCOUNT;
      case PHASE_OPEN_SESSION -> Phase.OPEN_SESSION;
      case PHASE_UNSPECIFIED, UNRECOGNIZED ->
          throw new IllegalArgumentException("phase " + record.getPhaseValue());
    };
  }

  private static Reason reason(String word) {
    return Arrays.stream(Reason.values())
        .filter(reason -> reason.word().equals(word))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("an unknown word for the reason"));
  }

  private static String doubt(Record record) {
    return Stream.of(record.getAgentAway() ? AGENT_AWAY : "", record.getConnectionProblem())
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining("; "));
  }

  private static Optional<Connection> connection(Record record) {
    if (!record.hasConnection()) {
      return Optional.empty();
    }
    var ends = record.getConnection();
    return Optional.of(
        Connection.tcp(
            end(ends.getLocalAddress(), ends.getLocalPort()),
            end(ends.getRemoteAddress(), ends.getRemotePort())));
  }

  private static Endpoint end(ByteString address, int port) {
    return Endpoint.of(address.toByteArray(), port);
  }
}
