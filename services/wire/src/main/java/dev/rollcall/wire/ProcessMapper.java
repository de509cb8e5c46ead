package dev.rollcall.wire;

import dev.rollcall.model.ProcessAnswer;
import dev.rollcall.model.ProcessOnNode;
import dev.rollcall.proto.v1.IdentifyProcessRequest;
import dev.rollcall.proto.v1.ProcessInJob;
import dev.rollcall.proto.v1.ProcessInNoJob;
import dev.rollcall.proto.v1.UnknownProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Maps queries about processes and their answers between proto and model. */
public final class ProcessMapper {
  private ProcessMapper() {}

  /**
   * A question about one process.
   *
   * @throws BadWordException naming the field that is wrong
   */
  public static ProcessOnNode toModel(IdentifyProcessRequest from) {
    return toModel(
        from.getNode(),
        from.getPid(),
        from.hasStartTime() ? Optional.of(from.getStartTime()) : Optional.empty(),
        "");
  }

  /**
   * One of several questions.
   *
   * @throws BadWordException naming the field that is wrong
   */
  public static ProcessOnNode toModel(dev.rollcall.proto.v1.ProcessOnNode from, String field) {
    return toModel(
        from.getNode(),
        from.getPid(),
        from.hasStartTime() ? Optional.of(from.getStartTime()) : Optional.empty(),
        field + ".");
  }

  /** One of several questions. */
  public static dev.rollcall.proto.v1.ProcessOnNode toProto(ProcessOnNode from) {
    var to =
        dev.rollcall.proto.v1.ProcessOnNode.newBuilder()
            .setNode(from.node().text())
            .setPid(from.pid());
    from.startTime().ifPresent(to::setStartTime);
    return to.build();
  }

  private static ProcessOnNode toModel(
      String node, int pid, Optional<Long> startTime, String prefix) {
    if (startTime.filter(ticks -> ticks < 0).isPresent()) {
      throw new BadWordException(
          prefix + "start_time",
          Long.toUnsignedString(startTime.get()) + " ticks are more than 2^63");
    }
    var name = CallerMapper.node(node, prefix + "node");
    return CallerMapper.checked(prefix + "pid", () -> new ProcessOnNode(name, pid, startTime));
  }

  /**
   * An answer as clients see it.
   *
   * @param now for the age
   */
  public static dev.rollcall.proto.v1.ProcessAnswer toProto(ProcessAnswer from, Instant now) {
    var to = dev.rollcall.proto.v1.ProcessAnswer.newBuilder();
    return switch (from) {
      case ProcessAnswer.InJob(var process, var job, int uid, Instant seenAt, boolean stale) ->
          to.setInJob(
                  ProcessInJob.newBuilder()
                      .setProcess(CallerMapper.toProto(process))
                      .setJob(CallerMapper.toProto(job))
                      .setUid(uid)
                      .setSeenAt(CallerMapper.timestamp(seenAt))
                      .setAge(age(seenAt, now))
                      .setStale(stale))
              .build();
      case ProcessAnswer.InNoJob(Instant seenAt) ->
          to.setInNoJob(
                  ProcessInNoJob.newBuilder()
                      .setSeenAt(CallerMapper.timestamp(seenAt))
                      .setAge(age(seenAt, now)))
              .build();
      case ProcessAnswer.Unknown(String reason) ->
          to.setUnknown(UnknownProcess.newBuilder().setReason(reason)).build();
    };
  }

  /**
   * A node's answer.
   *
   * @throws BadWordException naming the field that is wrong
   */
  public static ProcessAnswer toModel(dev.rollcall.proto.v1.ProcessAnswer from, String field) {
    return switch (from.getAnswerCase()) {
      case IN_JOB ->
          new ProcessAnswer.InJob(
              CallerMapper.toModel(from.getInJob().getProcess(), field + ".in_job.process"),
              CallerMapper.toModel(from.getInJob().getJob(), field + ".in_job.job"),
              from.getInJob().getUid(),
              CallerMapper.instant(from.getInJob().getSeenAt(), field + ".in_job.seen_at"),
              from.getInJob().getStale());
      case IN_NO_JOB ->
          new ProcessAnswer.InNoJob(
              CallerMapper.instant(from.getInNoJob().getSeenAt(), field + ".in_no_job.seen_at"));
      case UNKNOWN -> new ProcessAnswer.Unknown(from.getUnknown().getReason());
      case ANSWER_NOT_SET -> throw new BadWordException(field, "has no answer");
    };
  }

  /** Clocks of two machines differ. */
  private static com.google.protobuf.Duration age(Instant seenAt, Instant now) {
    Duration age = Duration.between(seenAt, now);
    return CallerMapper.duration(age.isNegative() ? Duration.ZERO : age);
  }
}
