package dev.rollcall.load.attack;

import dev.rollcall.testkit.http2.FrameBytes;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writes an attack's operations as frames of HTTP/2, and keeps the windows for its data. */
final class Http2Speech implements Speech {
  private static final int ACK = 1;
  private static final int HEAD = 9;
  private static final String GRPC = "/rollcall.";

  private final Optional<String> authorization;
  private final Http2Windows windows = new Http2Windows();
  private final List<Integer> open = new ArrayList<>();
  private final Pieces pieces = new Pieces();
  private int stream = -1;

  Http2Speech(Optional<String> authorization) {
    this.authorization = authorization;
  }

  @Override
  public void begin(Sink sink) throws IOException {
    sink.write(new FrameBytes().written().getBytes());
  }

  @Override
  public void say(Step step, Sink sink) throws IOException {
    switch (step.verb()) {
      case SETTING -> setting(step, sink);
      case CALLS -> calls(step, sink);
      case MESSAGE -> message(step, sink);
      case CONTINUED -> continued(step, sink);
      case BROKEN -> broken(step, sink);
      case TABLE -> table(step, sink);
      case FLOOD -> flood(step, sink);
      case PIECES -> pieces.are(step.number(0));
      case TRAILERS -> {
        Buffer block = FrameBytes.fields(more(step.number(0)));
        each(FrameBytes.HEADERS, FrameBytes.END_HEADERS | FrameBytes.END_STREAM, block, sink);
      }
      case RESET -> each(FrameBytes.RST_STREAM, 0, Buffer.buffer().appendInt(8), sink);
      case END -> each(FrameBytes.DATA, FrameBytes.END_STREAM, Buffer.buffer(), sink);
      default -> {}
    }
  }

  private static void setting(Step step, Sink sink) throws IOException {
    Buffer payload = Buffer.buffer().appendShort((short) step.number(0)).appendInt(step.number(1));
    sink.write(Http2Frame.of(FrameBytes.SETTINGS, 0, 0, payload));
  }

  private void calls(Step step, Sink sink) throws IOException {
    Buffer block = FrameBytes.fields(fields(Verb.path(step.word(0)), step.number(2)));
    boolean ended = step.word(3).equals("ended");
    boolean isGrpc = step.word(0).startsWith(GRPC);
    int flags = FrameBytes.END_HEADERS | (ended && !isGrpc ? FrameBytes.END_STREAM : 0);
    Buffer empty = FrameBytes.message(0, 0, Buffer.buffer());
    for (int i = 0; i < step.number(1); i++) {
      stream += 2;
      if (!ended) {
        open.add(stream);
      }
      sink.write(Http2Frame.of(FrameBytes.HEADERS, flags, stream, block));
      if (ended && isGrpc) {
        sink.write(Http2Frame.of(FrameBytes.DATA, FrameBytes.END_STREAM, stream, empty));
      }
    }
  }

  private List<Map.Entry<String, String>> fields(String path, int more) {
    boolean isGrpc = path.startsWith(GRPC);
    var fields = new ArrayList<Map.Entry<String, String>>();
    fields.add(Map.entry(":method", isGrpc ? "POST" : "GET"));
    fields.add(Map.entry(":scheme", "https"));
    fields.add(Map.entry(":path", path));
    fields.add(Map.entry(":authority", "localhost"));
    if (isGrpc) {
      fields.add(Map.entry("te", "trailers"));
      fields.add(Map.entry("content-type", "application/grpc"));
    }
    authorization.ifPresent(proof -> fields.add(Map.entry("authorization", proof)));
    fields.addAll(more(more));
    return fields;
  }

  private static List<Map.Entry<String, String>> more(int count) {
    return Collections.nCopies(count, Map.entry("x", ""));
  }

  private void broken(Step step, Sink sink) throws IOException {
    Buffer block = FrameBytes.fields(fields(Verb.path(step.word(0)), 0));
    boolean isLate = step.word(2).equals("late");
    int flags = FrameBytes.END_HEADERS | (isLate ? FrameBytes.END_STREAM : 0);
    for (int i = 0; i < step.number(1); i++) {
      stream += 2;
      sink.write(Http2Frame.of(FrameBytes.HEADERS, flags, stream, block));
      sink.write(Http2Frame.breaking(step.word(2), stream));
    }
  }

  private void table(Step step, Sink sink) throws IOException {
    var table = new HeaderTable(FrameBytes.fields(fields("/v1/nodes", 0)));
    for (int i = 0; i < step.number(1); i++) {
      stream += 2;
      Buffer block = table.block(step.word(0), step.number(2));
      for (byte[] frame : Http2Frame.headers(stream, block)) {
        sink.write(frame);
      }
    }
  }

  private void message(Step step, Sink sink) throws IOException {
    byte[] bytes = Shape.of(step.word(0)).bytes(step.number(1));
    Buffer message = FrameBytes.message(0, bytes.length, Buffer.buffer(bytes));
    int sent = (int) ((long) message.length() * step.number(2) / 100);
    for (int on : open.stream().limit(step.number(3)).toList()) {
      for (int at = 0; at < sent; ) {
        int room = windows.take(on, pieces.next(at, sent - at));
        if (room == 0) {
          return; // the other side reads nothing more
        }
        sink.write(Http2Frame.of(FrameBytes.DATA, 0, on, message.slice(at, at + room)));
        if (!pieces.areUsual()) {
          sink.flush();
        }
        at += room;
      }
    }
  }

  private void continued(Step step, Sink sink) throws IOException {
    stream += 2;
    sink.write(Http2Frame.of(FrameBytes.HEADERS, 0, stream, Buffer.buffer()));
    Buffer block = FrameBytes.fields(fields("/", step.number(1)));
    for (int i = 0; i < step.number(0); i++) {
      sink.write(Http2Frame.of(FrameBytes.CONTINUATION, 0, stream, block));
    }
  }

  private void flood(Step step, Sink sink) throws IOException {
    List<Integer> on = open.isEmpty() ? List.of(Math.max(1, stream)) : open;
    for (int i = 0; i < step.number(1); i++) {
      sink.write(Http2Frame.control(step.word(0), on.get(i % on.size())));
    }
  }

  private void each(int type, int flags, Buffer payload, Sink sink) throws IOException {
    for (int on : open) {
      sink.write(Http2Frame.of(type, flags, on, payload));
    }
    open.clear();
  }

  /** Answers settings and pings, and follows the windows, until the connection ends. */
  @Override
  public void read(InputStream in, Sink sink) throws IOException {
    while (true) {
      byte[] head = in.readNBytes(HEAD);
      if (head.length < HEAD) {
        return;
      }
      Buffer read = Buffer.buffer(head);
      Buffer payload = Buffer.buffer(in.readNBytes(read.getMedium(0) & 0xff_ffff));
      int type = head[3];
      boolean isAck = (head[4] & ACK) != 0;
      if (type == FrameBytes.SETTINGS && !isAck) {
        windows.settings(payload);
        sink.write(Http2Frame.of(FrameBytes.SETTINGS, ACK, 0, Buffer.buffer()));
      } else if (type == FrameBytes.PING && !isAck) {
        sink.write(Http2Frame.of(FrameBytes.PING, ACK, 0, payload));
      } else if (type == Http2Frame.WINDOW_UPDATE) {
        windows.grow(read.getInt(5), payload.getInt(0));
      }
    }
  }
}
