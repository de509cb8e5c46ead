package dev.rollcall.wire.trace;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.InstrumentationScope;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.resource.v1.Resource;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import io.opentelemetry.proto.trace.v1.Status;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** Spans as messages of OTLP. Its classes are loaded when something is sent first. */
final class Otlp {
  private static final String SCOPE = "dev.rollcall";

  /** Of a span's flags, as W3C has them. */
  private static final int SAMPLED = 1;

  private Otlp() {}

  /**
   * @param process its attributes
   */
  static byte[] request(Map<String, String> process, List<EndedSpan> spans) {
    var resource = Resource.newBuilder();
    process.forEach((key, value) -> resource.addAttributes(attribute(key, value)));
    var scope = ScopeSpans.newBuilder().setScope(InstrumentationScope.newBuilder().setName(SCOPE));
    spans.forEach(span -> scope.addSpans(message(span)));
    return ExportTraceServiceRequest.newBuilder()
        .addResourceSpans(ResourceSpans.newBuilder().setResource(resource).addScopeSpans(scope))
        .build()
        .toByteArray();
  }

  /** How many spans the collector says it did not take; none where it says nothing. */
  static long rejected(byte[] response) {
    try {
      return Math.max(
          0, ExportTraceServiceResponse.parseFrom(response).getPartialSuccess().getRejectedSpans());
    } catch (InvalidProtocolBufferException e) {
      return 0;
    }
  }

  private static Span message(EndedSpan span) {
    var message =
        Span.newBuilder()
            .setTraceId(bytes(span.context().trace()))
            .setSpanId(bytes(span.context().span()))
            .setName(span.name())
            .setKind(kind(span.kind()))
            .setStartTimeUnixNano(span.startNanos())
            .setEndTimeUnixNano(span.endNanos())
            .setFlags(SAMPLED);
    span.parent().ifPresent(parent -> message.setParentSpanId(bytes(parent)));
    span.attributes().forEach((key, value) -> message.addAttributes(attribute(key, value)));
    span.failure()
        .ifPresent(why ->
            message.setStatus(
                Status.newBuilder().setCode(Status.StatusCode.STATUS_CODE_ERROR).setMessage(why)));
    return message.build();
  }

  private static SpanKind kind(dev.rollcall.wire.trace.Span.Kind kind) {
    return switch (kind) {
      case INTERNAL -> SpanKind.SPAN_KIND_INTERNAL;
      case SERVER -> SpanKind.SPAN_KIND_SERVER;
      case CLIENT -> SpanKind.SPAN_KIND_CLIENT;
    };
  }

  private static KeyValue attribute(String key, String value) {
    return KeyValue.newBuilder()
        .setKey(key)
        .setValue(AnyValue.newBuilder().setStringValue(value))
        .build();
  }

  private static ByteString bytes(String hex) {
    return ByteString.copyFrom(HexFormat.of().parseHex(hex));
  }
}
