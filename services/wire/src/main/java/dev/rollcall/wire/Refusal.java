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
  /** Of our words among those of others, in ErrorInfo. */
  public static final String DOMAIN = "dev.rollcall";

  /** The words that programs go by. They stay. */
  public enum Reason {
    /** A field or header of the request says what cannot be. */
    FIELD_INVALID(Status.Code.INVALID_ARGUMENT),
    /** There is no certificate, and no munge credential that holds. */
    NOT_IDENTIFIED(Status.Code.UNAUTHENTICATED),
    /** The certificate is of nobody who is taken here. */
    PEER_REFUSED(Status.Code.PERMISSION_DENIED),
    /** Who asks may not call this. */
    CALL_NOT_ALLOWED(Status.Code.PERMISSION_DENIED),
    /** Who asks may not ask in a user's name. */
    USER_NOT_BELIEVED(Status.Code.PERMISSION_DENIED),
    /** The page that asks is of another site. */
    SITE_REFUSED(Status.Code.PERMISSION_DENIED),
    /** This is asked of the agent of a node. */
    ASK_THE_NODE(Status.Code.FAILED_PRECONDITION),
    /** No such decision is remembered, or it is of another user. */
    ADOPTION_UNKNOWN(Status.Code.NOT_FOUND),
    /** Nothing is at this path. */
    PATH_UNKNOWN(Status.Code.NOT_FOUND),
    /** Something is, for other methods of HTTP. */
    METHOD_UNKNOWN(Status.Code.UNIMPLEMENTED),
    /** A body that is not JSON by its type. */
    CONTENT_TYPE_UNKNOWN(Status.Code.INVALID_ARGUMENT),
    /** A body over the limit. */
    BODY_TOO_LARGE(Status.Code.RESOURCE_EXHAUSTED),
    /** A body that did not come. */
    BODY_TOO_LATE(Status.Code.DEADLINE_EXCEEDED),
    /** Who asks asks more often than the site allows. */
    RATE_EXCEEDED(Status.Code.RESOURCE_EXHAUSTED),
    /** Who asks has too many calls under way. */
    CALLS_EXCEEDED(Status.Code.RESOURCE_EXHAUSTED),
    /** Who asks holds as much of the process's memory as one, or all, may. */
    MEMORY_EXCEEDED(Status.Code.RESOURCE_EXHAUSTED),
    /** The gateway has as much to do as it takes. */
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

  /** With more of what was refused, as a limit and whose it is. */
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

  /** What is told by gRPC, and as JSON. */
  public com.google.rpc.Status status() {
    var status = com.google.rpc.Status.newBuilder().setCode(reason.code().value()).setMessage(text);
    more.forEach(detail -> status.addDetails(Any.pack(detail)));
    return status.addDetails(Any.pack(info)).build();
  }

  public StatusRuntimeException exception() {
    return StatusProto.toStatusRuntimeException(status());
  }
}
