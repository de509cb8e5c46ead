package dev.rollcall.wire.grpc;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.Message;
import dev.rollcall.wire.memory.HeldMemory;
import dev.rollcall.wire.memory.MemoryUse;
import dev.rollcall.wire.memory.MessageReader;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.grpcio.common.impl.Utils;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A stream of HTTP/2 with a gRPC call (gRPC over HTTP/2): reads the client's length-prefixed
 * messages, and writes the service's. A message that is compressed, too large, or not within the
 * peer's memory ends the call before any of it is kept. The message of a unary call is kept as
 * bytes until the request has ended. On the event loop of the connection.
 */
final class GrpcStream<Q, R> implements ServiceCall.Client<R> {
  /** A flag and a length of four bytes. */
  private static final int PREFIX_BYTES = 5;

  /** What a message costs beside its bytes: objects of Vert.x's and of protobuf's. */
  private static final int MESSAGE_COST = 256;

  private static final String STATUS = "grpc-status";
  private static final Pattern TIMEOUT = Pattern.compile("([0-9]{1,8})([HMSmun])");
  private static final Map<String, TimeUnit> UNITS =
      Map.of(
          "H", TimeUnit.HOURS,
          "M", TimeUnit.MINUTES,
          "S", TimeUnit.SECONDS,
          "m", TimeUnit.MILLISECONDS,
          "u", TimeUnit.MICROSECONDS,
          "n", TimeUnit.NANOSECONDS);

  private static final Status UNREAD =
      Status.RESOURCE_EXHAUSTED.withDescription(
          "the answers that this peer has not read hold all the memory that it may use");

  private final HttpServerRequest request;
  private final HttpServerResponse response;
  private final MethodDescriptor<Q, R> method;
  private final HeldMemory memory;
  private final int most;
  private final ServiceCall<Q, R> call;
  private final MessageReader<?> reader;
  private final ByteBuffer prefix = ByteBuffer.allocate(PREFIX_BYTES);
  private byte @Nullable [] message;
  private byte @Nullable [] only;
  private int filled;
  private boolean refused;
  private long kept;
  private long unread;

  /**
   * @param memory of the stream
   * @param most bytes of a message
   */
  GrpcStream(
      HttpServerRequest request,
      ServerMethodDefinition<Q, R> method,
      Peer peer,
      HeldMemory memory,
      int most) {
    this.request = request;
    this.response = request.response();
    this.method = method.getMethodDescriptor();
    this.memory = memory;
    this.most = most;
    this.call = new ServiceCall<>(method, peer, deadline(request), this);
    this.reader = reader(method.getMethodDescriptor());
  }

  private static MessageReader<?> reader(MethodDescriptor<?, ?> method) {
    var marshaller = (MethodDescriptor.PrototypeMarshaller<?>) method.getRequestMarshaller();
    return new MessageReader<>((Message) requireNonNull(marshaller.getMessagePrototype()));
  }

  /** Of the header {@code grpc-timeout}. */
  private static Optional<Deadline> deadline(HttpServerRequest request) {
    String text = request.getHeader("grpc-timeout");
    Matcher timeout = TIMEOUT.matcher(text == null ? "" : text);
    return timeout.matches()
        ? Optional.of(
            Deadline.after(
                Long.parseLong(timeout.group(1)), requireNonNull(UNITS.get(timeout.group(2)))))
        : Optional.empty();
  }

  /** Ends a call for which there is no service, without a message of it: "Trailers-Only". */
  static void refuse(HttpServerResponse response, Status status) {
    end(response, status, new Metadata());
  }

  /** Starts the call. What has come of the request waits until the service wants it. */
  void start() {
    Metadata headers;
    try {
      headers = Utils.readMetadata(request.headers());
    } catch (IllegalArgumentException e) {
      refuse(response, Status.INTERNAL.withDescription("the headers cannot be read: " + e));
      return;
    }
    request.pause();
    request.handler(this::read);
    request.endHandler(_ -> ended());
    request.exceptionHandler(problem -> call.cancel("the stream was lost: " + problem));
    response.drainHandler(_ -> {
      drained();
      call.ready();
    });
    call.start(headers);
    call.whenWanted(this::resume);
  }

  ServiceCall<Q, R> call() {
    return call;
  }

  private void resume() {
    if (!request.isEnded()) {
      request.resume();
    }
  }

  private void read(Buffer chunk) {
    int at = 0;
    while (at < chunk.length() && !refused && !call.isCancelled()) {
      byte[] bytes = message;
      if (bytes == null) {
        prefix.put(chunk.getByte(at));
        at++;
        bytes = prefix.hasRemaining() ? null : begin();
      } else {
        int here = Math.min(bytes.length - filled, chunk.length() - at);
        chunk.getBytes(at, at + here, bytes, filled);
        filled += here;
        at += here;
      }
      message = bytes;
      if (bytes != null && filled == bytes.length) {
        message = null;
        whole(bytes);
      }
    }
    if (!call.wants()) {
      request.pause();
      call.whenWanted(this::resume);
    }
  }

  private void whole(byte[] bytes) {
    if (!method.getType().clientSendsOneMessage()) {
      call.say(() -> parse(bytes));
    } else if (only == null) {
      only = bytes;
    } else {
      refuse(Status.INTERNAL.withDescription("the method takes one message, and two came"));
    }
  }

  private void ended() {
    byte[] bytes = only;
    if (bytes != null) {
      call.say(() -> parse(bytes));
      only = null;
    }
    call.saidAll();
  }

  /** The bytes of a message whose prefix has come; null if it is refused. */
  private byte @Nullable [] begin() {
    int flag = prefix.get(0);
    long length = Integer.toUnsignedLong(prefix.getInt(1));
    prefix.clear();
    filled = 0;
    if (flag != 0) {
      refuse(
          Status.INTERNAL.withDescription("a message is compressed, and the call says it is not"));
    } else if (length > most) {
      refuse(
          Status.RESOURCE_EXHAUSTED.withDescription(
              "a message of %d bytes is over the limit of %d".formatted(length, most)));
    } else if (!memory.take(MemoryUse.REQUEST, length + MESSAGE_COST)) {
      refuse(
          Status.RESOURCE_EXHAUSTED.withDescription(
              "the requests of this peer that have not ended hold all the memory that it may use"));
    } else {
      return new byte[(int) length];
    }
    return null;
  }

  private void refuse(Status status) {
    refused = true;
    call.refuse(status);
  }

  /** A service may keep its only request until it has ended, so it counts until the next one. */
  @SuppressWarnings("unchecked") // the reader's messages are requests of the method
  private Q parse(byte[] bytes) {
    call.read(bytes.length);
    memory.release(kept);
    kept = 0;
    var parsed =
        (Q)
            reader.read(
                bytes,
                heap -> {
                  boolean admitted = memory.take(MemoryUse.REQUEST, heap + MESSAGE_COST);
                  kept = admitted ? heap + MESSAGE_COST : 0;
                  return admitted;
                });
    memory.release((long) bytes.length + MESSAGE_COST);
    return parsed;
  }

  /** The client has read what was sent, but for the little that fits a stream's queue. */
  private void drained() {
    memory.release(unread);
    unread = 0;
  }

  @Override
  public boolean isReady() {
    return !response.writeQueueFull();
  }

  @Override
  public void headers(Metadata headers) {
    response.putHeader(HttpHeaders.CONTENT_TYPE, GrpcRequests.GRPC);
    Utils.writeMetadata(headers, response.headers());
    var _ = response.writeHead();
  }

  @Override
  public void message(R answer) {
    if (isReady()) {
      drained();
    }
    Buffer frame = frame(answer);
    long cost = (long) frame.length() + MESSAGE_COST;
    if (!memory.take(MemoryUse.OUTGOING, cost)) {
      throw UNREAD.asRuntimeException();
    }
    unread += cost;
    var _ = response.write(frame);
  }

  private Buffer frame(R answer) {
    try (InputStream bytes = method.streamResponse(answer)) {
      byte[] frame = new byte[PREFIX_BYTES + bytes.available()];
      int length = bytes.readNBytes(frame, PREFIX_BYTES, frame.length - PREFIX_BYTES);
      ByteBuffer.wrap(frame).putInt(1, length);
      return Buffer.buffer(frame);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void end(Status status, Metadata trailers) {
    end(response, status, trailers);
    resume();
  }

  private static void end(HttpServerResponse response, Status status, Metadata trailers) {
    if (response.ended() || response.closed()) {
      return;
    }
    MultiMap to =
        response.headWritten()
            ? response.trailers()
            : response.putHeader(HttpHeaders.CONTENT_TYPE, GrpcRequests.GRPC).headers();
    Utils.writeMetadata(trailers, to);
    to.set(STATUS, Integer.toString(status.getCode().value()));
    String description = status.getDescription();
    if (description != null) {
      to.set("grpc-message", io.vertx.grpc.common.impl.Utils.utf8PercentEncode(description));
    }
    var _ = response.end();
  }
}
