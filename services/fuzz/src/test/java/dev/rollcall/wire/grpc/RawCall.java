package dev.rollcall.wire.grpc;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.Status;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import io.vertx.core.Context;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** A call whose requests are bytes, which may be no messages of its method. */
public final class RawCall<R> extends ClientCall.Listener<R> {
  private static final int TURNS = 100;
  private static final int TURN_MILLIS = 100;
  private static final Set<Code> OWN_FAILURES = Set.of(Code.INTERNAL, Code.UNKNOWN);

  private static final Marshaller<byte[]> BYTES =
      new Marshaller<>() {
        @Override
        public InputStream stream(byte[] value) {
          return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
          try {
            return stream.readAllBytes();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      };

  private final MethodDescriptor<?, R> method;
  private final Context loop;
  private final ClientCall<byte[], R> call;
  private final Consumer<R> hear;
  private final CompletableFuture<Status> end = new CompletableFuture<>();
  private final CompletableFuture<R> first = new CompletableFuture<>();
  private volatile boolean understood = true;

  private RawCall(Context loop, Channel channel, MethodDescriptor<?, R> method, Consumer<R> hear) {
    this.loop = loop;
    this.method = method;
    this.hear = hear;
    this.call =
        channel.newCall(
            method.toBuilder(BYTES, method.getResponseMarshaller()).build(), CallOptions.DEFAULT);
  }

  /**
   * Begins.
   *
   * @param loop where its answers are heard
   */
  public static <R> RawCall<R> of(
      Context loop, Channel channel, MethodDescriptor<?, R> method, Consumer<R> hear) {
    var begun = new RawCall<>(loop, channel, method, hear);
    loop.runOnContext(_ -> {
      begun.call.start(begun, new Metadata());
      begun.call.request(Integer.MAX_VALUE);
    });
    return begun;
  }

  public static <R> RawCall<R> of(Context loop, Channel channel, MethodDescriptor<?, R> method) {
    return of(loop, channel, method, _ -> {});
  }

  /** A stream's requests out of an input: each has its length in the byte before it. */
  public static List<byte[]> pieces(byte[] input) {
    List<byte[]> pieces = new ArrayList<>();
    for (int at = 0; at < input.length; ) {
      int end = Math.min(input.length, at + 1 + (input[at] & 0xff));
      pieces.add(Arrays.copyOfRange(input, at + 1, end));
      at = end;
    }
    return pieces;
  }

  public RawCall<R> say(byte[] request) {
    understood &= isMessage(request);
    loop.runOnContext(_ -> call.sendMessage(request));
    return this;
  }

  private boolean isMessage(byte[] request) {
    try {
      return method.parseRequest(new ByteArrayInputStream(request)) != null;
    } catch (StatusRuntimeException e) {
      return false;
    }
  }

  public RawCall<R> saidAll() {
    loop.runOnContext(_ -> call.halfClose());
    return this;
  }

  public void cancel() {
    loop.runOnContext(_ -> call.cancel("heard enough", null));
  }

  /** The first answer. */
  public R first() {
    return within(first);
  }

  /** How it ended, which it does soon; if it was understood, not with the service's own failure. */
  public Status end() {
    Status status = within(end);
    assertFalse(
        understood && OWN_FAILURES.contains(status.getCode()),
        () -> method.getFullMethodName() + ": " + status);
    return status;
  }

  /** Waits in turns that the loop takes too: a machine without time for either is no failure. */
  private <T> T within(CompletableFuture<T> future) {
    for (int turn = 0; turn < TURNS; turn++) {
      try {
        return future.get(TURN_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        var turned = new CompletableFuture<Void>();
        loop.runOnContext(_ -> turned.complete(null));
        turned.join();
      } catch (InterruptedException | ExecutionException e) {
        throw new AssertionError(e);
      }
    }
    throw new AssertionError(method.getFullMethodName() + " does not end");
  }

  @Override
  public void onMessage(R answer) {
    first.complete(answer);
    hear.accept(answer);
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    end.complete(status);
  }
}
