package dev.rollcall.gateway.stream;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.ArrayList;
import java.util.List;

/** A client that reads nothing before it is told to. */
public final class SlowClient<T> extends ServerCallStreamObserver<T> {
  private final List<T> read = new ArrayList<>();
  private boolean reads;
  private Status end = Status.OK;
  private Runnable ready = () -> {};

  /** What it has read. */
  public List<T> read() {
    return read;
  }

  /** How its stream ended. */
  public Status end() {
    return end;
  }

  public void readAll() {
    reads = true;
    ready.run();
  }

  public void stopReading() {
    reads = false;
  }

  @Override
  public void onNext(T message) {
    read.add(message);
  }

  @Override
  public boolean isReady() {
    return reads;
  }

  @Override
  public void onError(Throwable cause) {
    end = Status.fromThrowable(cause);
  }

  @Override
  public void onCompleted() {}

  @Override
  public void setOnReadyHandler(Runnable handler) {
    ready = handler;
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
  public void disableAutoInboundFlowControl() {}

  @Override
  public void request(int count) {}

  @Override
  public void setMessageCompression(boolean enable) {}
}
