package dev.rollcall.wire.audit;

import io.grpc.Status;
import java.util.Optional;

/**
 * A finished call.
 *
 * @param method with its service, as {@code rollcall.v1.JobService/Begin}
 * @param onlyReads whether it changes nothing: NO_SIDE_EFFECTS in its proto file
 * @param begun whether the whole request has come, so that it may have been carried out
 * @param job that the request names, as are the next two
 * @param forUid the user whose jobs the request selects
 * @param status that was, or would have been, sent to the client
 * @param unclean why an end that was answered is none; empty: it is one
 */
public record CallOutcome(
    String method,
    boolean onlyReads,
    boolean begun,
    Optional<Long> job,
    String step,
    Optional<Long> forUid,
    Status status,
    String unclean) {

  /** As the field {@code outcome} has it. */
  public String word() {
    return switch (status.getCode()) {
      case OK -> unclean.isEmpty() ? "done" : "unclean";
      case PERMISSION_DENIED, UNAUTHENTICATED, RESOURCE_EXHAUSTED -> "refused";
      case CANCELLED -> "cancelled";
      default -> "failed";
    };
  }

  public boolean refused() {
    return word().equals("refused");
  }

  /** Whether it has changed something, or may have: its client went, and it continued. */
  public boolean mayHaveChanged() {
    return switch (word()) {
      case "done", "unclean" -> !onlyReads;
      case "cancelled" -> !onlyReads && begun;
      default -> false;
    };
  }

  /** What is known of the call itself; who made it is still to be put. */
  public AuditLine line() {
    String description = status.getDescription();
    return AuditLine.of(AuditEvent.CALL)
        .put("method", method)
        .put("job", job)
        .putUnlessEmpty("step", step)
        .put("for_uid", forUid)
        .put("outcome", word())
        .put("status", status.getCode().name())
        .putUnlessEmpty("detail", description == null ? unclean : description);
  }
}
