package dev.rollcall.lab.soak;

import dev.rollcall.proto.roll.v1.ConnectRequest;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import dev.rollcall.proto.roll.v1.RollServiceGrpc;
import dev.rollcall.proto.roll.v1.StateComplete;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * One stream by which root of a node connects at a gateway in place of its agent, and says what no
 * agent says.
 */
final class HostileNode {
  private final CompletableFuture<Boolean> welcomed = new CompletableFuture<>();
  private final CompletableFuture<Status> end = new CompletableFuture<>();
  private final Hearing hearing = new Hearing();

  private HostileNode() {}

  /**
   * Does it once.
   *
   * @param within how many milliseconds the gateway has to welcome it, and again to end it
   * @return how the gateway ended the stream; OK: it welcomed it, and did not
   */
  static Status attack(Channel channel, HostileMessages words, long within) {
    var node = new HostileNode();
    var stream = RollServiceGrpc.newStub(channel).connect(node.hearing);
    stream.onNext(words.hello());
    boolean welcomed = node.welcomed.completeOnTimeout(false, within, TimeUnit.MILLISECONDS).join();
    if (welcomed) {
      stream.onNext(
          ConnectRequest.newBuilder().setStateComplete(StateComplete.getDefaultInstance()).build());
      words.events().forEach(stream::onNext);
    }
    Status none = welcomed ? Status.OK : Status.DEADLINE_EXCEEDED;
    Status end = node.end.completeOnTimeout(none, within, TimeUnit.MILLISECONDS).join();
    node.hearing.leave();
    return end;
  }

  private final class Hearing implements ClientResponseObserver<ConnectRequest, ConnectResponse> {
    private volatile Runnable leaving = () -> {};

    @Override
    public void beforeStart(ClientCallStreamObserver<ConnectRequest> stream) {
      leaving = () -> stream.cancel("enough", null);
    }

    void leave() {
      leaving.run();
    }

    @Override
    public void onNext(ConnectResponse order) {
      welcomed.complete(order.hasWelcome());
    }

    @Override
    public void onError(Throwable cause) {
      ended(Status.fromThrowable(cause));
    }

    @Override
    public void onCompleted() {
      ended(Status.UNAVAILABLE);
    }

    private void ended(Status status) {
      end.complete(status);
      welcomed.complete(false);
    }
  }
}
