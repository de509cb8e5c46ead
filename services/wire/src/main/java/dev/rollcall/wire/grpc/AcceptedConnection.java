package dev.rollcall.wire.grpc;

import dev.rollcall.wire.memory.MemoryUse;
import io.grpc.Status;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import java.util.function.Consumer;

/**
 * Reads the prefixes of a call's messages (gRPC over HTTP/2, "Length-Prefixed-Message") before the
 * library gathers the messages: one that is compressed, too large, or not within the peer's memory
 * ends the call, and nothing of it is kept. On the event loop of the connection.
 */
final class AcceptedConnection implements Handler<Buffer> {
  /** A flag and a length of four bytes. */
  private static final int PREFIX_BYTES = 5;

  /** What a message costs beside its bytes: objects of the library's and of protobuf's. */
  private static final int MESSAGE_COST = 256;

  private static final int BYTE = 0xff;

  private final Handler<Buffer> library;
  private final HeldMemory memory;
  private final int most;
  private final Consumer<Status> refuse;
  private int flag;
  private long length;
  private int prefix;
  private long missing;
  private boolean dropping;
  private long kept;

  /**
   * @param most bytes of a message
   * @param refuse ends the call
   */
  AcceptedConnection(
      Handler<Buffer> library, HeldMemory memory, int most, Consumer<Status> refuse) {
    this.library = library;
    this.memory = memory;
    this.most = most;
    this.refuse = refuse;
  }

  @Override
  public void handle(Buffer chunk) {
    int at = 0;
    while (at < chunk.length() && !dropping) {
      if (missing > 0) {
        int here = (int) Math.min(missing, chunk.length() - at);
        missing -= here;
        at += here;
      } else {
        prefixed(chunk.getByte(at));
        at++;
      }
    }
    if (!dropping) {
      library.handle(chunk);
    }
  }

  private void prefixed(byte next) {
    if (prefix == 0) {
      flag = next;
      length = 0;
    } else {
      length = (length << Byte.SIZE) | (next & BYTE);
    }
    prefix++;
    if (prefix == PREFIX_BYTES) {
      prefix = 0;
      missing = length;
      begins();
    }
  }

  private void begins() {
    if (flag != 0) {
      drop(Status.INTERNAL.withDescription("a message is compressed, and the call says it is not"));
    } else if (length > most) {
      drop(
          Status.RESOURCE_EXHAUSTED.withDescription(
              "a message of %d bytes is over the limit of %d".formatted(length, most)));
    } else if (!memory.take(MemoryUse.REQUEST, length + MESSAGE_COST)) {
      drop(
          Status.RESOURCE_EXHAUSTED.withDescription(
              "the requests of this peer that have not ended hold all the memory that it may use"));
    }
  }

  private void drop(Status status) {
    dropping = true;
    refuse.accept(status);
  }

  /**
   * A message has been decoded, or the call is over and it was thrown away. The library keeps its
   * bytes until the next one comes or the stream is closed, so that they count until then.
   */
  void delivered(int bytes) {
    memory.release(kept);
    kept = (long) bytes + MESSAGE_COST;
  }
}
