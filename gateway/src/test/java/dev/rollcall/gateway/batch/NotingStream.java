package dev.rollcall.gateway.batch;

import dev.rollcall.gateway.stream.ConnectedNode;
import dev.rollcall.gateway.stream.Outgoing;
import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.NodeName;
import dev.rollcall.port.Roll.Registration;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import dev.rollcall.proto.roll.v1.JobFact;
import dev.rollcall.wire.memory.MemoryBudget;
import io.grpc.stub.ServerCallStreamObserver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A node's stream that notes what is said on it. */
final class NotingStream extends ServerCallStreamObserver<ConnectResponse> {
  private final List<ConnectResponse> said = new CopyOnWriteArrayList<>();

  /** A node whose stream this is. */
  ConnectedNode node(String name) {
    return new ConnectedNode(
        new Registration(new NodeEpoch(new NodeName(name), "boot", 1), 1),
        new Outgoing<>(
            this,
            Runnable::run,
            new Outgoing.Client(name, name, 100),
            new MemoryBudget(1 << 20, 1 << 20, new SimpleMeterRegistry())));
  }

  /** The ids of jobs whose facts were told, in order. */
  List<Long> jobs() {
    return said.stream()
        .flatMap(order -> order.getJobFacts().getFactsList().stream())
        .map(JobFact::getJobId)
        .toList();
  }

  @Override
  public void onNext(ConnectResponse order) {
    said.add(order);
  }

  @Override
  public boolean isReady() {
    return true;
  }

  @Override
  public boolean isCancelled() {
    return false;
  }

  @Override
  public void setOnCancelHandler(Runnable handler) {}

  @Override
  public void setCompression(String compression) {}

  @Override
  public void setOnReadyHandler(Runnable handler) {}

  @Override
  public void disableAutoInboundFlowControl() {}

  @Override
  public void request(int count) {}

  @Override
  public void setMessageCompression(boolean enable) {}

  @Override
  public void onError(Throwable cause) {}

  @Override
  public void onCompleted() {}
}
