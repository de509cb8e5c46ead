package dev.rollcall.wire;

import com.google.protobuf.Any;
import com.google.rpc.BadRequest;
import com.google.rpc.Code;
import com.google.rpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;

/** A message that says what cannot be. Its text names the field and the value. */
public final class BadWordException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final String field;
  private final String problem;

  /**
   * @param field by its dotted name in the message, as {@code connection.local.port}
   */
  public BadWordException(String field, String problem) {
    super(field + ": " + problem);
    this.field = field;
    this.problem = problem;
  }

  /** INVALID_ARGUMENT, with a google.rpc.BadRequest that names the field. */
  public StatusRuntimeException refusal() {
    BadRequest details =
        BadRequest.newBuilder()
            .addFieldViolations(
                BadRequest.FieldViolation.newBuilder().setField(field).setDescription(problem))
            .build();
    return StatusProto.toStatusRuntimeException(
        Status.newBuilder()
            .setCode(Code.INVALID_ARGUMENT_VALUE)
            .setMessage(getMessage())
            .addDetails(Any.pack(details))
            .build());
  }
}
