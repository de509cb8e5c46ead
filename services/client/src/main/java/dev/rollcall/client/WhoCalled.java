package dev.rollcall.client;

import dev.rollcall.proto.v1.Caller;
import dev.rollcall.proto.v1.CallerAnswer;

/** The caller of a connection, by the gateways' knowledge. */
public sealed interface WhoCalled {
  /**
   * A process made it.
   *
   * @param caller its node, user, process, and job if it was in one
   */
  record Found(Caller caller) implements WhoCalled {}

  /**
   * Nobody is known, or it is not the asker's business.
   *
   * @param reason for people
   */
  record Unknown(String reason) implements WhoCalled {}

  /**
   * The node that would know could not be asked in time. Later it may answer.
   *
   * @param reason for people: whom, and why
   */
  record Unreachable(String reason) implements WhoCalled {}

  static WhoCalled of(CallerAnswer answer) {
    return switch (answer.getAnswerCase()) {
      case FOUND -> new Found(answer.getFound());
      case UNKNOWN -> new Unknown(answer.getUnknown().getReason());
      case UNREACHABLE -> new Unreachable(answer.getUnreachable().getReason());
      case ANSWER_NOT_SET -> new Unknown("a gateway of a later version answers otherwise");
    };
  }
}
