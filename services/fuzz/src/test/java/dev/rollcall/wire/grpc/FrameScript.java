package dev.rollcall.wire.grpc;

import dev.rollcall.proto.roll.v1.RollServiceGrpc;
import dev.rollcall.proto.v1.AdoptionServiceGrpc;
import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.JobServiceGrpc;
import dev.rollcall.proto.v1.NodeServiceGrpc;
import dev.rollcall.proto.v1.TokenServiceGrpc;
import dev.rollcall.testkit.http2.FrameBytes;
import io.grpc.MethodDescriptor;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Reads bytes as the frames that a client writes, on up to {@value #CONNECTIONS} connections and no
 * more than about {@value #MOST_BYTES} bytes. The first byte says whether the answers are read;
 * then each step is a byte that says which, and its bytes. What is missing at the end is 0.
 */
final class FrameScript {
  private static final int CONNECTIONS = 8;
  private static final int MOST_BYTES = 1 << 20;
  private static final int STEPS = 12;
  private static final int ZEROS = 16 << 10;
  private static final int BYTE = 0xff;
  private static final int NIBBLE = 4;
  private static final int FIELD_LENGTH = 100;

  /** What a length, or the value of a setting, may be besides right; 0 is what is there. */
  private static final int[] NUMBERS = {
    0,
    1,
    5,
    0x100,
    0x3fff,
    0x4000,
    0x4001,
    0xffff,
    0x10000,
    0xf_ffff,
    0x10_0000,
    0xff_ffff,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x7fff_fffa
  };

  private static final List<String> TYPES =
      List.of(
          "application/grpc",
          "application/grpc+proto",
          "application/grpc+json",
          "application/grpc-web",
          "application/grpc-web-text",
          "application/json",
          "text/plain",
          "");
  private static final List<String> ENCODINGS =
      List.of("", "identity", "gzip", "deflate", "snappy", "GZIP", "identity, gzip", "gzip,");

  /** By type, as long as the protocol wants them. */
  private static final int[] PAYLOADS = {0, 0, 5, 4, 0, 0, 8, 8, 4, 0};

  /** New ones come last, as kept inputs have them by number. */
  private static final List<String> METHODS =
      Stream.concat(
              Stream.of(
                      JobServiceGrpc.getServiceDescriptor(),
                      CallerIdServiceGrpc.getServiceDescriptor(),
                      AdoptionServiceGrpc.getServiceDescriptor(),
                      NodeServiceGrpc.getServiceDescriptor(),
                      TokenServiceGrpc.getServiceDescriptor(),
                      RollServiceGrpc.getServiceDescriptor())
                  .flatMap(service -> service.getMethods().stream())
                  .map(MethodDescriptor::getFullMethodName),
              Stream.of("v1/callers:identify", "v1/callers:identifyMany", "v1/tokens"))
          .toList();

  private final ByteBuffer input;
  private final List<FrameBytes> connections = new ArrayList<>();
  private FrameBytes now = new FrameBytes();
  private int stream = -1;

  private FrameScript(byte[] input) {
    this.input = ByteBuffer.wrap(input);
  }

  /**
   * @param reads whether the client reads what it is answered
   * @param connections the bytes of each
   */
  record Said(boolean reads, List<Buffer> connections) {}

  static Said read(byte[] input) {
    var script = new FrameScript(input);
    boolean reads = script.next() % 2 == 0;
    script.connections.add(script.now);
    while (script.input.hasRemaining() && script.left()) {
      script.step();
    }
    return new Said(reads, script.connections.stream().map(FrameBytes::written).toList());
  }

  private void step() {
    switch (next() % STEPS) {
      case 0 -> any();
      case 1 -> call(next(), next(), List.of());
      case 2 -> message();
      case 3 -> unfinished();
      case 4 -> zipped(next());
      case 5 -> flood(next(), next(), next());
      case 6 -> resets(next(), next());
      case 7 -> continued(next());
      case 8 -> call(next(), next(), fields(next() * 2));
      case 9 -> trailers(next());
      case 10 -> setting();
      default -> again();
    }
  }

  private void any() {
    int type = next();
    int flags = next();
    int on = next();
    int length = length();
    Buffer payload = some(next());
    now.frame(type, flags, on, payload, length == 0 ? payload.length() : length);
  }

  private void call(int method, int kind, List<Map.Entry<String, String>> more) {
    var fields = new ArrayList<Map.Entry<String, String>>();
    fields.add(Map.entry(":method", "POST"));
    fields.add(Map.entry(":scheme", "http"));
    fields.add(Map.entry(":path", "/" + METHODS.get(method % METHODS.size())));
    fields.add(Map.entry(":authority", "localhost"));
    fields.add(Map.entry("te", "trailers"));
    fields.add(Map.entry("content-type", TYPES.get(kind % TYPES.size())));
    String encoding = ENCODINGS.get((kind >> NIBBLE) % ENCODINGS.size());
    if (!encoding.isEmpty()) {
      fields.add(Map.entry("grpc-encoding", encoding));
    }
    fields.addAll(more);
    stream += 2;
    now.frame(FrameBytes.HEADERS, FrameBytes.END_HEADERS, stream, FrameBytes.fields(fields));
  }

  private void data(Buffer message, int flags) {
    now.frame(FrameBytes.DATA, flags & FrameBytes.END_STREAM, Math.max(stream, 1), message);
  }

  private void message() {
    int compressed = next();
    int flags = next();
    int length = length();
    Buffer payload = some(next());
    data(FrameBytes.message(compressed, length == 0 ? payload.length() : length, payload), flags);
  }

  /** Calls whose messages begin and do not end. */
  private void unfinished() {
    int method = next();
    int length = length();
    Buffer payload = Buffer.buffer(new byte[next() * NIBBLE]);
    for (int calls = next(); calls > 0 && left(); calls--) {
      call(method, 0, List.of());
      data(FrameBytes.message(0, length, payload), 0);
    }
  }

  private void flood(int type, int on, int count) {
    int length = PAYLOADS[type % PAYLOADS.length];
    Buffer payload = Buffer.buffer(new byte[length]);
    if (length > 0) {
      payload.setByte(length - 1, (byte) 1); // a window cannot grow by 0
    }
    for (int left = count * NIBBLE; left > 0 && left(); left--) {
      now.frame(type % PAYLOADS.length, 0, on, payload);
    }
  }

  private void resets(int method, int count) {
    for (int left = count; left > 0 && left(); left--) {
      call(method, 0, List.of());
      now.frame(FrameBytes.RST_STREAM, 0, stream, Buffer.buffer().appendInt(BYTE));
    }
  }

  private void continued(int count) {
    stream += 2;
    now.frame(FrameBytes.HEADERS, 0, stream, Buffer.buffer());
    for (int left = count; left > 0 && left(); left--) {
      now.frame(FrameBytes.CONTINUATION, 0, stream, FrameBytes.fields(fields(2)));
    }
  }

  private void trailers(int count) {
    int flags = FrameBytes.END_HEADERS | FrameBytes.END_STREAM;
    now.frame(FrameBytes.HEADERS, flags, Math.max(stream, 1), FrameBytes.fields(fields(count)));
  }

  private void setting() {
    Buffer payload = Buffer.buffer().appendShort((short) next()).appendInt(length());
    now.frame(FrameBytes.SETTINGS, 0, 0, payload);
  }

  private void again() {
    if (connections.size() < CONNECTIONS) {
      now = new FrameBytes();
      stream = -1;
      connections.add(now);
    }
  }

  private static List<Map.Entry<String, String>> fields(int count) {
    return Stream.iterate(0, i -> i < count, i -> i + 1)
        .map(i -> Map.entry("x-" + i, "y".repeat(FIELD_LENGTH)))
        .toList();
  }

  /** A message of zeros, a thousand times as large as it is here. */
  private void zipped(int kib16) {
    Buffer payload = FrameBytes.zipped(kib16 * ZEROS);
    data(FrameBytes.message(1, payload.length(), payload), FrameBytes.END_STREAM);
  }

  private boolean left() {
    return connections.stream().mapToInt(FrameBytes::length).sum() < MOST_BYTES;
  }

  private int length() {
    return NUMBERS[next() % NUMBERS.length];
  }

  private Buffer some(int count) {
    byte[] bytes = new byte[Math.min(count, input.remaining())];
    input.get(bytes);
    return Buffer.buffer(bytes);
  }

  private int next() {
    return input.hasRemaining() ? input.get() & BYTE : 0;
  }
}
