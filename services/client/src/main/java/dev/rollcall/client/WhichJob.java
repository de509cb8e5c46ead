package dev.rollcall.client;

import dev.rollcall.proto.v1.ProcessAnswer;
import dev.rollcall.proto.v1.ProcessInJob;
import dev.rollcall.proto.v1.ProcessInNoJob;

/** The job of a process, by the gateways' knowledge. */
public sealed interface WhichJob {
  /**
   * The node reported the process in a job.
   *
   * @param found the job, its owner, and the age of this answer
   */
  record InJob(ProcessInJob found) implements WhichJob {}

  /**
   * The process was in no job.
   *
   * @param when that was so
   */
  record InNoJob(ProcessInNoJob when) implements WhichJob {}

  /**
   * The gateways do not have the process, or the client may not see it.
   *
   * @param reason for people
   */
  record Unknown(String reason) implements WhichJob {}

  static WhichJob of(ProcessAnswer answer) {
    return switch (answer.getAnswerCase()) {
      case IN_JOB -> new InJob(answer.getInJob());
      case IN_NO_JOB -> new InNoJob(answer.getInNoJob());
      case UNKNOWN -> new Unknown(answer.getUnknown().getReason());
      case ANSWER_NOT_SET -> new Unknown("a gateway of a later version answers otherwise");
    };
  }
}
