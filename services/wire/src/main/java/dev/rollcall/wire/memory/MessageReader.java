package dev.rollcall.wire.memory;

import com.google.protobuf.DiscardUnknownFieldsParser;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.rollcall.proto.roll.v1.ConnectRequest;
import dev.rollcall.proto.v1.IdentifyProcessesRequest;
import dev.rollcall.wire.BadWordException;
import dev.rollcall.wire.Refusal;
import dev.rollcall.wire.Refusal.Reason;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.util.Map;
import java.util.function.LongPredicate;

/**
 * Parses messages of other parties. Before that it counts what the message will have in the heap,
 * and refuses more entries of repeated fields than the type has use for, groups, and nesting.
 * Unknown fields are discarded. 64 KiB take less than a millisecond. Thread-safe.
 */
public final class MessageReader<T extends Message> {
  private static final int MOST_ENTRIES = 4_096;

  /** A node lists up to 32,768 processes of a job at once. */
  private static final Map<String, Integer> OTHERS =
      Map.of(
          ConnectRequest.getDescriptor().getFullName(),
          65_536,
          IdentifyProcessesRequest.getDescriptor().getFullName(),
          1_000);

  private final Parser<T> parser;
  private final Parser<T> known;
  private final T empty;
  private final int most;

  /**
   * @param empty any message of the type
   */
  @SuppressWarnings("unchecked") // a message's parser makes such messages
  public MessageReader(T empty) {
    this.empty = empty;
    this.parser = (Parser<T>) empty.getParserForType();
    this.known = DiscardUnknownFieldsParser.wrap(parser);
    this.most = OTHERS.getOrDefault(empty.getDescriptorForType().getFullName(), MOST_ENTRIES);
  }

  /**
   * Parses a whole message.
   *
   * @param admits gets the bytes that it will have in the heap at most, before it is parsed; false
   *     refuses it
   * @throws StatusRuntimeException INVALID_ARGUMENT naming field, number and bound;
   *     RESOURCE_EXHAUSTED if it is not admitted; INTERNAL if the bytes are no message
   */
  public T read(byte[] bytes, LongPredicate admits) {
    try {
      if (FirstLine.isOff()) {
        return parser.parseFrom(bytes);
      }
      long heap = new MessageCount(bytes, most).of(empty.getDescriptorForType());
      if (!admits.test(heap)) {
        throw Refusal.of(
                Reason.MEMORY_EXCEEDED,
                "the message needs %d bytes of memory, and this peer, or all, may hold no more"
                    .formatted(heap))
            .exception();
      }
      return known.parseFrom(bytes);
    } catch (BadWordException e) {
      throw e.refusal();
    } catch (IOException e) {
      throw Status.INTERNAL
          .withDescription("a message could not be read: " + e.getMessage())
          .asRuntimeException();
    }
  }
}
