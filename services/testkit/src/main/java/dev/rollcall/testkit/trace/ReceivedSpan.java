package dev.rollcall.testkit.trace;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status.StatusCode;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A span as a collector got it.
 *
 * @param process attributes of what sent it
 * @param id in hex, as are trace and parent
 * @param parent empty: the first of its trace
 */
public record ReceivedSpan(
    Map<String, String> process,
    String trace,
    String id,
    String parent,
    String name,
    String kind,
    long startNanos,
    Duration took,
    Map<String, String> attributes,
    boolean failed) {
  /**
   * @throws IllegalArgumentException if it is no request of OTLP
   */
  static List<ReceivedSpan> of(byte[] request) {
    try {
      return ExportTraceServiceRequest.parseFrom(request).getResourceSpansList().stream()
          .flatMap(from ->
              from.getScopeSpansList().stream()
                  .flatMap(scope -> scope.getSpansList().stream())
                  .map(span -> of(from.getResource().getAttributesList(), span)))
          .toList();
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException("not OTLP: " + e.getMessage(), e);
    }
  }

  private static ReceivedSpan of(List<KeyValue> process, Span span) {
    return new ReceivedSpan(
        texts(process),
        hex(span.getTraceId()),
        hex(span.getSpanId()),
        hex(span.getParentSpanId()),
        span.getName(),
        span.getKind().name().replace("SPAN_KIND_", ""),
        span.getStartTimeUnixNano(),
        Duration.ofNanos(span.getEndTimeUnixNano() - span.getStartTimeUnixNano()),
        texts(span.getAttributesList()),
        span.getStatus().getCode() == StatusCode.STATUS_CODE_ERROR);
  }

  private static Map<String, String> texts(List<KeyValue> attributes) {
    return attributes.stream()
        .collect(Collectors.toMap(KeyValue::getKey, one -> one.getValue().getStringValue()));
  }

  private static String hex(ByteString bytes) {
    return HexFormat.of().formatHex(bytes.toByteArray());
  }
}
