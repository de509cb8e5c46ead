package dev.rollcall.load.attack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.testkit.http2.FrameBytes;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderTableTest {
  private static final int MUCH = 1 << 24;
  private final DefaultHttp2HeadersDecoder server = new DefaultHttp2HeadersDecoder(false, MUCH);
  private final HeaderTable table =
      new HeaderTable(FrameBytes.fields(List.of(Map.entry("a", "b"))));

  @ParameterizedTest
  @ValueSource(strings = {"bomb", "grow", "resize"})
  void eachBlockOfAConnectionIsValid(String how) throws Http2Exception {
    for (int i = 0; i < 3; i++) {
      int fields = decoded(table.block(how, 300));
      assertTrue(fields >= 301 && fields <= 302, how + ": " + fields);
    }
  }

  @Test
  void aByteOfABombIsAFieldOf4Kib() {
    int first = table.block("bomb", 0).length();
    assertTrue(first > 4_000, () -> "" + first);
    assertEquals(1_000, table.block("bomb", 1_000).length() - table.block("bomb", 0).length());
  }

  private int decoded(Buffer block) throws Http2Exception {
    return server.decodeHeaders(1, Unpooled.wrappedBuffer(block.getBytes())).size();
  }
}
