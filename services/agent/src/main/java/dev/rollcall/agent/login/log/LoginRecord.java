package dev.rollcall.agent.login.log;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.rollcall.agent.event.Adoption;
import dev.rollcall.agent.event.PamOptionsMapper;
import dev.rollcall.agent.event.Phase;
import dev.rollcall.agent.event.RecordedLogin;
import dev.rollcall.agent.login.file.NodeFacts;
import dev.rollcall.agent.login.log.LoginRecords.Part;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Decision;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.Reason;
import dev.rollcall.model.StepId;
import dev.rollcall.proto.login.v1.Answered;
import dev.rollcall.proto.login.v1.Outcome;
import dev.rollcall.proto.login.v1.Record;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Maps a login to the message of a record in the log of logins, and back. */
final class LoginRecord {
  private static final Pattern ID = Pattern.compile("[0-9a-z]{1,8}-[0-9a-z]{1,22}");
  private static final String AGENT_AWAY = "no agent answered";
  private static final int MOST_CHARACTERS = 256;

  private LoginRecord() {}

  /** The message of a login that the agent carried out. */
  static byte[] answered(Adoption from, ProcessRef process, String bootId) {
    var answered =
        Answered.newBuilder()
            .setStep(from.job().map(step -> step.step().text()).orElse(""))
            .setDetail(cut(from.doubt()));
    from.would()
        .ifPresent(_ ->
            answered.setWould(
                from.wouldJob().isPresent() ? Outcome.OUTCOME_ADOPTED : Outcome.OUTCOME_DENIED));
    from.wouldJob().ifPresent(job -> answered.setWouldJobId(job.number()));
    var to =
        Record.newBuilder()
            .setVersion(NodeFacts.VERSION)
            .setBootId(bootId)
            .setOutcome(
                switch (from.outcome()) {
                  case ADOPTED -> Outcome.OUTCOME_ADOPTED;
                  case ALLOWED -> Outcome.OUTCOME_ALLOWED;
                  case DENIED -> Outcome.OUTCOME_DENIED;
                  case STEPPED_ASIDE -> Outcome.OUTCOME_STEP_ASIDE;
                  case FAILED -> Outcome.OUTCOME_FAILED;
                })
            .setReason(from.reason().word())
            .setUid(from.uid())
            .setUser(cut(from.user()))
            .setService(cut(from.service()))
            .setRemoteHost(cut(from.remoteHost()))
            .setPid(process.pid())
            .setProcessStart(process.startTime())
            .setDecidedAtNs(nanos(from.decidedAt()))
            .setTookNs(from.took().toNanos())
            .setAdoptionId(from.id())
            .setPhase(
                from.phase() == Phase.OPEN_SESSION
                    ? dev.rollcall.proto.login.v1.Phase.PHASE_OPEN_SESSION
                    : dev.rollcall.proto.login.v1.Phase.PHASE_ACCOUNT)
            .setAnswered(answered);
    from.job().ifPresent(step -> to.setJobId(step.job().number()));
    from.connection().ifPresent(connection -> to.setConnection(ends(connection)));
    return to.build().toByteArray();
  }

  private static long nanos(Instant time) {
    return TimeUnit.SECONDS.toNanos(time.getEpochSecond()) + time.getNano();
  }

  /** Each of the texts leaves room for the others in {@link LoginRecords#LONGEST} bytes. */
  private static String cut(String text) {
    return text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS);
  }

  private static dev.rollcall.proto.login.v1.Connection ends(Connection from) {
    return dev.rollcall.proto.login.v1.Connection.newBuilder()
        .setLocalAddress(ByteString.copyFrom(from.local().address().getAddress()))
        .setLocalPort(from.local().port())
        .setRemoteAddress(ByteString.copyFrom(from.remote().address().getAddress()))
        .setRemotePort(from.remote().port())
        .build();
  }

  /** Reads the message of the record from {@code at} to {@code end}. */
  static Part read(ByteBuffer message, String bootId, int at, int end) {
    Record record;
    try {
      record = Record.parseFrom(message);
    } catch (InvalidProtocolBufferException e) {
      return new Part.Skipped(SkippedBytes.MESSAGE, String.valueOf(e.getMessage()), at, end);
    }
    if (record.getVersion() != NodeFacts.VERSION) {
      String version = "version " + Integer.toUnsignedString(record.getVersion());
      return new Part.Skipped(SkippedBytes.VERSION, version, at, end);
    }
    if (!record.getBootId().equals(bootId)) {
      return new Part.Skipped(SkippedBytes.BOOT, "another boot's", at, end);
    }
    try {
      return new Part.Login(login(record), at, end);
    } catch (IllegalArgumentException e) {
      return new Part.Skipped(SkippedBytes.VALUE, String.valueOf(e.getMessage()), at, end);
    }
  }

  private static RecordedLogin login(Record record) {
    if (!ID.matcher(record.getAdoptionId()).matches()) {
      throw new IllegalArgumentException("an adoption id of other characters");
    }
    Adoption.Outcome outcome = outcome(record);
    Optional<JobStep> job =
        outcome == Adoption.Outcome.ADOPTED
            ? Optional.of(new JobStep(new JobId(record.getJobId()), step(record)))
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
            would(record));
    return new RecordedLogin(
        adoption,
        new ProcessRef(record.getPid(), record.getProcessStart()),
        record.getCgroupHierarchy(),
        record.getCgroupPath(),
        record.hasOptions()
            ? Optional.of(PamOptionsMapper.read(record.getOptions()))
            : Optional.empty(),
        record.hasAnswered(),
        move(record),
        /* published= */ false);
  }

  private static Adoption.Outcome outcome(Record record) {
    return switch (record.getOutcome()) {
      case OUTCOME_ADOPTED -> Adoption.Outcome.ADOPTED;
      case OUTCOME_ALLOWED -> Adoption.Outcome.ALLOWED;
      case OUTCOME_DENIED -> Adoption.Outcome.DENIED;
      case OUTCOME_STEP_ASIDE -> Adoption.Outcome.STEPPED_ASIDE;
      case OUTCOME_FAILED -> Adoption.Outcome.FAILED;
      case OUTCOME_UNSPECIFIED, UNRECOGNIZED ->
          throw new IllegalArgumentException("outcome " + record.getOutcomeValue());
    };
  }

  private static StepId step(Record record) {
    String text = record.getAnswered().getStep();
    return text.isEmpty() ? StepId.EXTERN : new StepId(text);
  }

  private static Optional<Decision> would(Record record) {
    return switch (record.getAnswered().getWould()) {
      case OUTCOME_ADOPTED ->
          Optional.of(
              new Decision.Adopt(
                  new JobId(record.getAnswered().getWouldJobId()), reason(record.getReason())));
      case OUTCOME_DENIED -> Optional.of(new Decision.Deny(reason(record.getReason()), ""));
      default -> Optional.empty();
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
    return Stream.of(
            record.getAgentAway() ? AGENT_AWAY : "",
            record.hasDelegated()
                ? record.getDelegated().getDetail()
                : record.getConnectionProblem(),
            record.getAnswered().getDetail())
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining("; "));
  }

  private static Optional<Duration> move(Record record) {
    return record.hasDelegated()
        ? Optional.of(Duration.ofNanos(Math.max(0, record.getDelegated().getMoveNs())))
        : Optional.empty();
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
