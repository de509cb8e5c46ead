package dev.rollcall.gateway.node;

import dev.rollcall.proto.roll.v1.ConnectRequest;
import dev.rollcall.proto.v1.Adoption;
import dev.rollcall.proto.v1.Outcome;
import dev.rollcall.wire.BadWordException;
import dev.rollcall.wire.PeerMessage;
import dev.rollcall.wire.grpc.MessageLimits;
import java.util.Locale;

/**
 * Bounds the bytes of each kind of event that a node sends, so that none has room for what it does
 * not need. The bounds are some ten times what an agent sends.
 */
final class EventBounds {
  private static final int KIB = 1_024;
  private static final int FEW = 4 * KIB;

  private EventBounds() {}

  /**
   * Refuses an event that is too long.
   *
   * @throws BadWordException naming the event, its size and the bound
   */
  static void check(ConnectRequest event) {
    PeerMessage.checkSize(
        event, event.getEventCase().name().toLowerCase(Locale.ROOT), most(event.getEventCase()));
  }

  static int most(ConnectRequest.EventCase event) {
    return switch (event) {
      // The addresses of the node.
      case HELLO -> 129 * KIB;
      // At most 4,000 processes.
      case JOB -> 512 * KIB;
      // At most 200 records; a gateway has those of all nodes of a job at once.
      case USAGE_ANSWER -> 64 * KIB;
      // At most 20,000 processes with their commands.
      case PROCESSES_ANSWER -> MessageLimits.MESSAGE_BYTES;
      // At most 200 processes with their cgroups; 1,000 processes.
      case OUTSIDE_PROCESSES_ANSWER, MEMBERSHIP_ANSWER -> 256 * KIB;
      // At most 1,000 numbers.
      case JOBS_QUESTION, PREDICTION_ANSWER -> 16 * KIB;
      case ANNOUNCEMENT,
          WITHDRAWAL,
          ADOPTION,
          ANSWER,
          QUESTION,
          CALLS_LOST,
          JOB_GONE,
          STATE_COMPLETE,
          HEARTBEAT,
          EVENT_NOT_SET ->
          FEW;
    };
  }

  /**
   * A decision as every gateway keeps and lists it.
   *
   * @throws BadWordException naming what cannot be
   */
  static Adoption adoption(Adoption said, String node) {
    PeerMessage.check(said, "adoption");
    checkOutcome(said.getOutcome(), said.getOutcomeValue(), "adoption.outcome");
    if (said.getWould() != Outcome.OUTCOME_UNSPECIFIED) {
      checkOutcome(said.getWould(), said.getWouldValue(), "adoption.would");
    }
    return said.toBuilder().setNode(node).build();
  }

  private static void checkOutcome(Outcome outcome, int value, String field) {
    if (outcome == Outcome.OUTCOME_UNSPECIFIED || outcome == Outcome.UNRECOGNIZED) {
      throw new BadWordException(field, value + " is not an outcome of a session");
    }
  }
}
