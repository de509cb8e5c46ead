package dev.rollcall.wire;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The reason for a refused call: a text, a google.rpc.ErrorInfo, and, if a retry can succeed, a
 * google.rpc.RetryInfo. Immutable.
 *
 * @param text names the thing and the value
 * @param info what programs read
 * @param more other details
 */
public record Refusal(Reason reason, String text, ErrorInfo info, List<Message> more) {
  /** The domain in ErrorInfo, which separates these reasons from those of other products. */
  public static final String DOMAIN = "dev.rollcall";

  /** The values that programs use. They do not change. */
  public enum Reason {
    /** A field or header of the request has an impossible value. */
    FIELD_INVALID(Status.Code.INVALID_ARGUMENT),
    /** There is no certificate, and no valid munge credential. */
    NOT_IDENTIFIED(Status.Code.UNAUTHENTICATED),
    /** The holder of the certificate is not admitted here. */
    PEER_REFUSED(Status.Code.PERMISSION_DENIED),
    /** The client may not call this method. */
    CALL_NOT_ALLOWED(Status.Code.PERMISSION_DENIED),
    /** The client may not ask in a user's name. */
    USER_NOT_BELIEVED(Status.Code.PERMISSION_DENIED),
    /** The request comes from a page of another site. */
    SITE_REFUSED(Status.Code.PERMISSION_DENIED),
    /** This method belongs to the agent of a node. */
    ASK_THE_NODE(Status.Code.FAILED_PRECONDITION),
    /** The decision is no longer stored, or belongs to another user. */
    ADOPTION_UNKNOWN(Status.Code.NOT_FOUND),
    /** Nothing is at this path. */
    PATH_UNKNOWN(Status.Code.NOT_FOUND),
    /** The path exists for other methods of HTTP. */
    METHOD_UNKNOWN(Status.Code.UNIMPLEMENTED),
    /** A body that is not JSON by its type. */
    CONTENT_TYPE_UNKNOWN(Status.Code.INVALID_ARGUMENT),
    /** A body over the limit. */
    BODY_TOO_LARGE(Status.Code.RESOURCE_EXHAUSTED),
    /** The body did not arrive in time. */
    BODY_TOO_LATE(Status.Code.DEADLINE_EXCEEDED),
    /** The client sends more requests than the site allows. */
    RATE_EXCEEDED(Status.Code.RESOURCE_EXHAUSTED),
    /** The client has too many calls in progress. */
    CALLS_EXCEEDED(Status.Code.RESOURCE_EXHAUSTED),
    /** The client's data, or that of all clients, uses its share of the process's memory. */
    MEMORY_EXCEEDED(Status.Code.RESOURCE_EXHAUSTED),
    /** The gateway has reached its limit of work. */
    GATEWAY_BUSY(Status.Code.RESOURCE_EXHAUSTED),
    /** The gateways' grid does not answer. */
    ROLL_UNAVAILABLE(Status.Code.UNAVAILABLE),
    /** munged does not answer, or is busy. */
    MUNGE_UNAVAILABLE(Status.Code.UNAVAILABLE);

    private final Status.Code code;

    Reason(Status.Code code) {
      this.code = code;
    }

    public Status.Code code() {
      return code;
    }
  }

  public Refusal {
    more = List.copyOf(more);
  }

  public static Refusal of(Reason reason, String text) {
    return new Refusal(
        reason,
        text,
        ErrorInfo.newBuilder().setReason(reason.name()).setDomain(DOMAIN).build(),
        List.of());
  }

  /** A refusal for people alone. */
  public static StatusRuntimeException plain(Status status, String text) {
    return status.withDescription(text).asRuntimeException();
  }

  /** Adds a value for programs, such as the limit that was exceeded. */
  public Refusal with(String key, String value) {
    return new Refusal(reason, text, info.toBuilder().putMetadata(key, value).build(), more);
  }

  /** With a field that says what cannot be, by its dotted name in the request. */
  public Refusal field(String field, String problem) {
    return with("field", field)
        .and(
            BadRequest.newBuilder()
                .addFieldViolations(
                    BadRequest.FieldViolation.newBuilder().setField(field).setDescription(problem))
                .build());
  }

  /** The same call may succeed after so long. */
  public Refusal again(Duration after) {
    return and(RetryInfo.newBuilder().setRetryDelay(CallerMapper.duration(after)).build());
  }

  private Refusal and(Message detail) {
    var all = new ArrayList<>(more);
    all.add(detail);
    return new Refusal(reason, text, info, all);
  }

  /** Returns the error in the form that gRPC and JSON send. */
  public com.google.rpc.Status status() {
    var status = com.google.rpc.Status.newBuilder().setCode(reason.code().value()).setMessage(text);
    more.forEach(detail -> status.addDetails(Any.pack(detail)));
    return status.addDetails(Any.pack(info)).build();
  }

  public StatusRuntimeException exception() {
    return StatusProto.toStatusRuntimeException(status());
  }
}
