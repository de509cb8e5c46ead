package dev.rollcall.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.Any;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import dev.rollcall.wire.Refusal.Reason;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RefusalTest {
  @Test
  void tellsPeopleAndPrograms() throws Exception {
    var told =
        Refusal.of(Reason.RATE_EXCEEDED, "uid 7 asks more than 5 times a second")
            .with("limit", "5")
            .again(Duration.ofMillis(1_500))
            .exception();
    assertEquals(Status.Code.RESOURCE_EXHAUSTED, told.getStatus().getCode());
    assertEquals("uid 7 asks more than 5 times a second", told.getStatus().getDescription());
    List<Any> details = StatusProto.fromThrowable(told).getDetailsList();
    var info = details.getLast().unpack(ErrorInfo.class);
    assertEquals("dev.rollcall RATE_EXCEEDED", info.getDomain() + " " + info.getReason());
    assertEquals(Map.of("limit", "5"), info.getMetadataMap());
    var delay = details.getFirst().unpack(RetryInfo.class).getRetryDelay();
    assertEquals("1 500000000", delay.getSeconds() + " " + delay.getNanos());
    assertEquals(2, details.size());
  }

  @Test
  void aFieldIsNamedBesideTheReason() throws Exception {
    var told = new BadWordException("connection.local.port", "0 is no port").refusal();
    assertEquals(Status.Code.INVALID_ARGUMENT, told.getStatus().getCode());
    List<Any> details = StatusProto.fromThrowable(told).getDetailsList();
    var violation = details.getFirst().unpack(BadRequest.class).getFieldViolations(0);
    assertEquals("connection.local.port", violation.getField());
    assertEquals("0 is no port", violation.getDescription());
    var info = details.getLast().unpack(ErrorInfo.class);
    assertEquals("FIELD_INVALID", info.getReason());
    assertEquals(Map.of("field", "connection.local.port"), info.getMetadataMap());
  }
}
