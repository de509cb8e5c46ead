package dev.rollcall.wire.grpc;

/** Limits of messages that client and server apply. */
public final class MessageLimits {
  /** The largest message, in bytes. What is larger is told in several. */
  public static final int MESSAGE_BYTES = 1 << 20;

  private MessageLimits() {}
}
