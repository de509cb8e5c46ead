package dev.rollcall.agent.event;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.MessageCodec;

/** Hands an immutable message over as it is. The bus is local: nothing is ever encoded. */
final class ByReference implements MessageCodec<Object, Object> {
  static final String NAME = "rollcall.by-reference";

  @Override
  public void encodeToWire(Buffer buffer, Object message) {
    throw new UnsupportedOperationException("the agent's event bus is local");
  }

  @Override
  public Object decodeFromWire(int position, Buffer buffer) {
    throw new UnsupportedOperationException("the agent's event bus is local");
  }

  @Override
  public Object transform(Object message) {
    return message;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public byte systemCodecID() {
    return -1;
  }
}
