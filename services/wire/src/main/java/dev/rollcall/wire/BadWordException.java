package dev.rollcall.wire;

import dev.rollcall.wire.Refusal.Reason;
import io.grpc.StatusRuntimeException;

/** A message contains an invalid value. Its text names the field and the value. */
public final class BadWordException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** Characters of a problem. */
  private static final int LONGEST = 512;

  private final String field;
  private final String problem;

  /**
   * @param field by its dotted name in the message, as {@code connection.local.port}
   */
  public BadWordException(String field, String problem) {
    super(field + ": " + cut(problem));
    this.field = field;
    this.problem = cut(problem);
  }

  /** It stands in headers of HTTP/2 and has the peer's text in it. */
  private static String cut(String problem) {
    return problem.length() <= LONGEST
        ? problem
        : problem.substring(0, LONGEST) + "… (" + (problem.length() - LONGEST) + " more)";
  }

  /** INVALID_ARGUMENT, with a google.rpc.BadRequest that names the field. */
  public StatusRuntimeException refusal() {
    return Refusal.of(Reason.FIELD_INVALID, String.valueOf(getMessage()))
        .field(field, problem)
        .exception();
  }
}
