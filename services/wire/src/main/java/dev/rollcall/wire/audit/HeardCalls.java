package dev.rollcall.wire.audit;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.rollcall.proto.v1.EndResponse;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Reports each call when it is over: its subject and its result. To be the outermost interceptor
 * but those that make out who calls.
 *
 * @param hearers one for each call, which hears of its end, once; on any thread. Asked where the
 *     call begins, so it may ask who calls
 */
public record HeardCalls(Supplier<Consumer<CallOutcome>> hearers) implements ServerInterceptor {
  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    var heard = new Heard(call.getMethodDescriptor(), hearers.get());
    boolean oneRequest = call.getMethodDescriptor().getType().clientSendsOneMessage();
    try {
      return new Listening<>(
          next.startCall(new Answering<>(call, heard), headers), heard, oneRequest);
    } catch (RuntimeException e) {
      heard.over(Status.fromThrowable(e));
      throw e;
    }
  }

  /** What was heard of one call so far. */
  private static final class Heard {
    private final MethodDescriptor<?, ?> method;
    private final Consumer<CallOutcome> hearer;
    private Optional<Long> job = Optional.empty();
    private String step = "";
    private Optional<Long> forUid = Optional.empty();
    private String unclean = "";
    private boolean begun;
    private boolean over;

    Heard(MethodDescriptor<?, ?> method, Consumer<CallOutcome> hearer) {
      this.method = method;
      this.hearer = hearer;
    }

    synchronized void asked(Object request) {
      if (request instanceof Message message) {
        job = number(message, "job_id").filter(id -> id != 0);
        forUid = number(message, "uid");
        FieldDescriptor field = message.getDescriptorForType().findFieldByName("step");
        step = field == null ? "" : message.getField(field).toString();
      }
    }

    /** Whole, though the field has 32 bits without a sign. */
    private static Optional<Long> number(Message message, String name) {
      FieldDescriptor field = message.getDescriptorForType().findFieldByName(name);
      if (field == null || (field.hasPresence() && !message.hasField(field))) {
        return Optional.empty();
      }
      return switch (message.getField(field)) {
        case Integer number -> Optional.of(Integer.toUnsignedLong(number));
        case Long number -> Optional.of(number);
        default -> Optional.empty();
      };
    }

    synchronized void begun() {
      begun = true;
    }

    synchronized void answered(Object response) {
      if (response instanceof EndResponse end && !end.getClean()) {
        unclean = end.getReason().isEmpty() ? "not clean" : end.getReason();
      }
    }

    void over(Status status) {
      CallOutcome outcome;
      synchronized (this) {
        if (over) {
          return;
        }
        over = true;
        outcome =
            new CallOutcome(
                method.getFullMethodName(),
                method.isSafe(),
                begun,
                job,
                step,
                forUid,
                status,
                unclean);
      }
      hearer.accept(outcome);
    }
  }

  private static final class Answering<Q, R> extends SimpleForwardingServerCall<Q, R> {
    private final Heard heard;

    Answering(ServerCall<Q, R> call, Heard heard) {
      super(call);
      this.heard = heard;
    }

    @Override
    public void sendMessage(R message) {
      heard.answered(message);
      super.sendMessage(message);
    }

    @Override
    public void close(Status status, Metadata trailers) {
      heard.over(status);
      super.close(status, trailers);
    }
  }

  private static final class Listening<Q> extends SimpleForwardingServerCallListener<Q> {
    private final Heard heard;
    private final boolean oneRequest;

    Listening(ServerCall.Listener<Q> listener, Heard heard, boolean oneRequest) {
      super(listener);
      this.heard = heard;
      this.oneRequest = oneRequest;
    }

    @Override
    public void onMessage(Q message) {
      if (oneRequest) {
        heard.asked(message);
      }
      told(() -> super.onMessage(message));
    }

    @Override
    public void onHalfClose() {
      heard.begun();
      told(super::onHalfClose);
    }

    private void told(Runnable work) {
      try {
        work.run();
      } catch (RuntimeException e) {
        heard.over(Status.fromThrowable(e));
        throw e;
      }
    }

    @Override
    public void onCancel() {
      heard.over(Status.CANCELLED.withDescription("the client went before it was answered"));
      super.onCancel();
    }
  }
}
