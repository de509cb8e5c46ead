package dev.rollcall.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import dev.rollcall.model.AddressText;
import dev.rollcall.model.Caller;
import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Membership;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.Protocol;
import dev.rollcall.model.StepId;
import dev.rollcall.proto.v1.UnknownCaller;
import dev.rollcall.proto.v1.UnreachableCaller;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Maps connections, callers and answers between proto and model. {@code toModel} takes the name of
 * the field it reads and throws {@link BadWordException} naming the part that is wrong.
 */
public final class CallerMapper {
  /** The first second that has no nanoseconds in a long: in April 2262. */
  private static final long LAST_SECOND = Long.MAX_VALUE / 1_000_000_000;

  /** Of google.protobuf.Duration: 10,000 years. */
  private static final long LONGEST_SECONDS = 315_576_000_000L;

  private static final int MOST_NANOS = 999_999_999;

  private CallerMapper() {}

  public static Connection toModel(dev.rollcall.proto.v1.Connection from, String field) {
    Protocol protocol =
        switch (from.getProtocol()) {
          case PROTOCOL_TCP -> Protocol.TCP;
          case PROTOCOL_UDP -> Protocol.UDP;
          case PROTOCOL_UNSPECIFIED, UNRECOGNIZED ->
              throw new BadWordException(
                  field + ".protocol", from.getProtocolValue() + " is neither TCP nor UDP");
        };
    Endpoint local = toModel(from.getLocal(), field + ".local");
    Endpoint remote = toModel(from.getRemote(), field + ".remote");
    return checked(field, () -> new Connection(protocol, local, remote));
  }

  public static dev.rollcall.proto.v1.Connection toProto(Connection from) {
    return dev.rollcall.proto.v1.Connection.newBuilder()
        .setProtocol(
            switch (from.protocol()) {
              case TCP -> dev.rollcall.proto.v1.Protocol.PROTOCOL_TCP;
              case UDP -> dev.rollcall.proto.v1.Protocol.PROTOCOL_UDP;
            })
        .setLocal(toProto(from.local()))
        .setRemote(toProto(from.remote()))
        .build();
  }

  static Endpoint toModel(dev.rollcall.proto.v1.Endpoint from, String field) {
    InetAddress address = checked(field + ".address", () -> Endpoint.addressOf(from.getAddress()));
    return checked(field + ".port", () -> new Endpoint(address, from.getPort()));
  }

  static dev.rollcall.proto.v1.Endpoint toProto(Endpoint from) {
    return dev.rollcall.proto.v1.Endpoint.newBuilder()
        .setAddress(AddressText.of(from.address()))
        .setPort(from.port())
        .build();
  }

  /** From 4 or 16 bytes in network order. */
  public static InetAddress address(ByteString from, String field) {
    return checked(field, () -> Endpoint.addressOf(from.toByteArray()));
  }

  public static ByteString bytes(InetAddress from) {
    return ByteString.copyFrom(from.getAddress());
  }

  public static ProcessRef toModel(dev.rollcall.proto.v1.Process from, String field) {
    if (from.getStartTime() < 0) {
      throw new BadWordException(
          field + ".start_time",
          Long.toUnsignedString(from.getStartTime()) + " ticks are more than 2^63");
    }
    return checked(field + ".pid", () -> new ProcessRef(from.getPid(), from.getStartTime()));
  }

  public static dev.rollcall.proto.v1.Process toProto(ProcessRef from) {
    return dev.rollcall.proto.v1.Process.newBuilder()
        .setPid(from.pid())
        .setStartTime(from.startTime())
        .build();
  }

  public static JobStep toModel(dev.rollcall.proto.v1.JobStep from, String field) {
    return new JobStep(
        jobId(from.getJobId(), field + ".job_id"), step(from.getStep(), field + ".step"));
  }

  public static dev.rollcall.proto.v1.JobStep toProto(JobStep from) {
    return dev.rollcall.proto.v1.JobStep.newBuilder()
        .setJobId(from.job().number())
        .setStep(from.step().text())
        .build();
  }

  public static Caller toModel(dev.rollcall.proto.v1.Caller from, String field) {
    return new Caller(
        from.getCluster(),
        node(from.getNode(), field + ".node"),
        from.hasJob()
            ? new Membership.InJob(toModel(from.getJob(), field + ".job"))
            : new Membership.NoJob(),
        from.getUid(),
        toModel(from.getProcess(), field + ".process"),
        instant(from.getCalledAt(), field + ".called_at"),
        from.getChosenJobId() == 0
            ? Optional.empty()
            : Optional.of(jobId(from.getChosenJobId(), field + ".chosen_job_id")));
  }

  public static dev.rollcall.proto.v1.Caller toProto(Caller from) {
    var to =
        dev.rollcall.proto.v1.Caller.newBuilder()
            .setCluster(from.cluster())
            .setNode(from.node().text())
            .setUid(from.uid())
            .setProcess(toProto(from.process()))
            .setCalledAt(timestamp(from.at()));
    from.membership().jobStep().ifPresent(step -> to.setJob(toProto(step)));
    from.chosen().ifPresent(job -> to.setChosenJobId(job.number()));
    return to.build();
  }

  public static CallerAnswer toModel(dev.rollcall.proto.v1.CallerAnswer from, String field) {
    return switch (from.getAnswerCase()) {
      case FOUND -> new CallerAnswer.Found(toModel(from.getFound(), field + ".found"));
      case UNKNOWN -> new CallerAnswer.Unknown(from.getUnknown().getReason());
      case UNREACHABLE -> new CallerAnswer.Unreachable(from.getUnreachable().getReason());
      case ANSWER_NOT_SET -> throw new BadWordException(field, "holds no answer");
    };
  }

  public static dev.rollcall.proto.v1.CallerAnswer toProto(CallerAnswer from) {
    var to = dev.rollcall.proto.v1.CallerAnswer.newBuilder();
    return switch (from) {
      case CallerAnswer.Found(Caller caller) -> to.setFound(toProto(caller)).build();
      case CallerAnswer.Unknown(String reason) ->
          to.setUnknown(UnknownCaller.newBuilder().setReason(reason)).build();
      case CallerAnswer.Unreachable(String reason) ->
          to.setUnreachable(UnreachableCaller.newBuilder().setReason(reason)).build();
    };
  }

  public static NodeName node(String from, String field) {
    return checked(field, () -> new NodeName(from));
  }

  public static JobId jobId(long from, String field) {
    return checked(field, () -> new JobId(from));
  }

  public static StepId step(String from, String field) {
    return checked(field, () -> new StepId(from));
  }

  /**
   * A time from 1970 to April 2262: the roll keeps nanoseconds since 1970 in 63 bits, and JSON has
   * four digits for a year.
   */
  public static Instant instant(Timestamp from, String field) {
    if (from.getSeconds() < 0 || from.getSeconds() >= LAST_SECOND) {
      throw new BadWordException(
          field, from.getSeconds() + " s is not a time between the years 1970 and 2262");
    }
    if (from.getNanos() < 0 || from.getNanos() > MOST_NANOS) {
      throw new BadWordException(
          field, from.getSeconds() + " s and " + from.getNanos() + " ns are not a time");
    }
    return Instant.ofEpochSecond(from.getSeconds(), from.getNanos());
  }

  public static Timestamp timestamp(Instant from) {
    return Timestamp.newBuilder()
        .setSeconds(from.getEpochSecond())
        .setNanos(from.getNano())
        .build();
  }

  public static Duration duration(com.google.protobuf.Duration from, String field) {
    boolean sameSign = Long.signum(from.getSeconds()) * Integer.signum(from.getNanos()) >= 0;
    if (Math.abs(from.getSeconds()) > LONGEST_SECONDS
        || from.getSeconds() == Long.MIN_VALUE
        || Math.abs((long) from.getNanos()) > MOST_NANOS
        || !sameSign) {
      throw new BadWordException(
          field, from.getSeconds() + " s and " + from.getNanos() + " ns are not a duration");
    }
    return Duration.ofSeconds(from.getSeconds(), from.getNanos());
  }

  public static com.google.protobuf.Duration duration(Duration from) {
    return com.google.protobuf.Duration.newBuilder()
        .setSeconds(from.getSeconds())
        .setNanos(from.getNano())
        .build();
  }

  /** The model's records check themselves; the field's name is what they cannot know. */
  static <T> T checked(String field, Supplier<T> word) {
    try {
      return word.get();
    } catch (BadWordException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw new BadWordException(field, String.valueOf(e.getMessage()));
    }
  }
}
