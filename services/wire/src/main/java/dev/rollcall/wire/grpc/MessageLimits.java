package dev.rollcall.wire.grpc;

/** Bounds that both sides of the wire hold. */
public final class MessageLimits {
  /** The largest message, in bytes. What is larger is told in several. */
  public static final int MESSAGE_BYTES = 1 << 20;

  private MessageLimits() {}
}
