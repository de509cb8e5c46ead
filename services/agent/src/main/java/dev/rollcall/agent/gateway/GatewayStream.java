package dev.rollcall.agent.gateway;

import dev.rollcall.proto.roll.v1.ConnectRequest;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import dev.rollcall.proto.roll.v1.RollServiceGrpc;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One stream to one gateway. It receives and sends on the stage's context. */
final class GatewayStream implements ClientResponseObserver<ConnectRequest, ConnectResponse> {
  /**
   * A third of the heap. The longest answers have 1.3 MB, and take a fifth of a second each, so
   * that a gateway which reads is never so far behind.
   */
  static final long MOST_UNREAD = 16L << 20;

  private final GatewayTarget gateway;
  private final Context context;
  private final Consumer<ConnectResponse> ordered;
  private final Consumer<String> whenEnded;
  private @Nullable ClientCallStreamObserver<ConnectRequest> call;
  private @Nullable Promise<Void> readiness;
  private boolean ended;

  /** Bytes that were sent since the gateway last kept up. */
  private long unread;

  /**
   * @param ordered takes what comes, in order
   * @param whenEnded takes the reason of the end, once and last
   */
  GatewayStream(
      GatewayTarget gateway,
      Context context,
      Consumer<ConnectResponse> ordered,
      Consumer<String> whenEnded) {
    this.gateway = gateway;
    this.context = context;
    this.ordered = ordered;
    this.whenEnded = whenEnded;
  }

  GatewayTarget gateway() {
    return gateway;
  }

  void open(ConnectRequest hello) {
    var _ = RollServiceGrpc.newStub(gateway.channel()).connect(this);
    send(hello);
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<ConnectRequest> call) {
    this.call = call;
    call.setOnReadyHandler(() -> context.runOnContext(_ -> becameReady()));
  }

  /**
   * Sends, or drops what there is no stream for any more. A gateway that asks and does not read
   * loses its stream: else what it has not read would fill this process's memory.
   */
  void send(ConnectRequest event) {
    ClientCallStreamObserver<ConnectRequest> open = call;
    if (open == null || ended) {
      return;
    }
    unread = open.isReady() ? 0 : unread + event.getSerializedSize();
    if (unread > MOST_UNREAD) {
      close("it does not read: " + unread + " bytes wait for it");
    } else {
      open.onNext(event);
    }
  }

  /** Whether the gateway keeps up; what can be spared is not sent while it does not. */
  boolean keepsUp() {
    return call != null && !ended && call.isReady();
  }

  /** Completes when the gateway keeps up; fails when the stream ends before. */
  Future<Void> ready() {
    if (ended) {
      return Future.failedFuture("the stream has ended");
    }
    if (keepsUp()) {
      return Future.succeededFuture();
    }
    if (readiness == null) {
      readiness = Promise.promise();
    }
    return readiness.future();
  }

  private void becameReady() {
    Promise<Void> waiting = readiness;
    if (waiting != null && keepsUp()) {
      readiness = null;
      waiting.complete();
    }
  }

  void close(String why) {
    if (call != null && !ended) {
      call.cancel(why, null);
    }
    end(why);
  }

  @Override
  public void onNext(ConnectResponse order) {
    context.runOnContext(_ -> {
      if (!ended) {
        ordered.accept(order);
      }
    });
  }

  @Override
  public void onError(Throwable cause) {
    context.runOnContext(_ -> end(reason(Status.fromThrowable(cause))));
  }

  @Override
  public void onCompleted() {
    context.runOnContext(_ -> end("it ended the stream"));
  }

  private String reason(Status status) {
    String said = status.getDescription();
    return said == null
        ? status.getCode().toString()
        : said.replace("cannot reach " + gateway.name() + ": ", "");
  }

  private void end(String why) {
    if (ended) {
      return;
    }
    ended = true;
    Promise<Void> waiting = readiness;
    if (waiting != null) {
      waiting.fail(why);
    }
    whenEnded.accept(why);
  }
}
