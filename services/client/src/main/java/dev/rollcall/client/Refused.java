package dev.rollcall.client;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The reason for a failed call, for programs.
 *
 * @param text for people
 * @param reason a word of docs/api.md, as {@code RATE_EXCEEDED}; absent if a gateway has none, or
 *     none was reached
 * @param metadata what the reason is about, as a limit and whose it is
 * @param fields of the request that say what cannot be, with what is wrong with them
 * @param again after which the same call may succeed
 */
public record Refused(
    Status.Code code,
    String text,
    Optional<String> reason,
    Map<String, String> metadata,
    Map<String, String> fields,
    Optional<Duration> again) {
  private static final String DOMAIN = "dev.rollcall";

  public Refused {
    metadata = Map.copyOf(metadata);
    fields = Map.copyOf(fields);
  }

  /** Of what a method of {@link RollcallClient} threw. */
  public static Refused of(StatusRuntimeException failure) {
    return of(failure.getStatus(), StatusProto.fromThrowable(failure));
  }

  /** Of how a call ended. */
  static Refused of(Throwable failure) {
    return switch (failure) {
      case StatusRuntimeException e -> of(e);
      case StatusException e -> of(e.getStatus(), StatusProto.fromThrowable(e));
      default -> of(Status.fromThrowable(failure), com.google.rpc.Status.getDefaultInstance());
    };
  }

  private static Refused of(Status status, com.google.rpc.Status details) {
    Optional<ErrorInfo> info = all(details, ErrorInfo.class).filter(Refused::isOurs).findFirst();
    String text = status.getDescription();
    return new Refused(
        status.getCode(),
        text == null ? "" : text,
        info.map(ErrorInfo::getReason),
        info.map(ErrorInfo::getMetadataMap).orElse(Map.of()),
        all(details, BadRequest.class)
            .flatMap(wrong -> wrong.getFieldViolationsList().stream())
            .collect(
                Collectors.toMap(
                    BadRequest.FieldViolation::getField,
                    BadRequest.FieldViolation::getDescription,
                    (first, _) -> first)),
        all(details, RetryInfo.class)
            .map(RetryInfo::getRetryDelay)
            .map(delay -> Duration.ofSeconds(delay.getSeconds(), delay.getNanos()))
            .findFirst());
  }

  /** The details of a kind; what cannot be read is none. */
  private static <M extends Message> Stream<M> all(com.google.rpc.Status details, Class<M> kind) {
    return details.getDetailsList().stream()
        .filter(detail -> detail.is(kind))
        .flatMap(detail -> {
          try {
            return Stream.of(detail.unpack(kind));
          } catch (InvalidProtocolBufferException e) {
            return Stream.empty();
          }
        });
  }

  private static boolean isOurs(ErrorInfo info) {
    return info.getDomain().equals(DOMAIN);
  }
}
