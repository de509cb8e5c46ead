package dev.rollcall.wire.grpc;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerInterceptors;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Calls a service without gRPC. It begins by its headers; what the client says comes later, all at
 * once. For the service it is as any other: its interceptors see it, its context ends with it, and
 * {@link Peer#current()} tells who calls. To be used on one event loop, on which its answer is told
 * too.
 */
public final class DirectCall<Q, R> {
  private static final System.Logger LOG = System.getLogger(DirectCall.class.getName());

  /** Hears what the service says. */
  public interface Answer<R> {
    /** Whether more may be said without it being kept in memory. */
    boolean isReady();

    /**
     * An exception of this method ends the call: with its status, or with INTERNAL for a message
     * that cannot be written.
     */
    void message(R message);

    /** Told once. */
    void end(Status status, Metadata trailers);

    /** The end is not read either: nothing more is to be kept for the client. */
    void drop();
  }

  private final Raw raw;
  private final LiveCall live;
  private final Answer<R> answer;
  private final Optional<Deadline> deadline;
  private boolean ended;

  private DirectCall(
      MethodDescriptor<Q, R> method, Peer peer, Optional<Deadline> deadline, Answer<R> answer) {
    this.raw = new Raw(method);
    this.answer = answer;
    this.deadline = deadline;
    this.live = new LiveCall(peer, _ -> over(), answer::drop, Optional.empty());
  }

  /** A service whose calls may be made directly. */
  public static ServerServiceDefinition guarded(ServerServiceDefinition service) {
    return ServerInterceptors.intercept(service, Guard.ofDirectCalls());
  }

  /**
   * Begins a call, which may end at once.
   *
   * @param method of a {@link #guarded} service
   * @param deadline after which the answer is DEADLINE_EXCEEDED
   */
  public static <Q, R> DirectCall<Q, R> start(
      ServerMethodDefinition<Q, R> method,
      Peer peer,
      Metadata headers,
      Optional<Deadline> deadline,
      Answer<R> answer) {
    var call = new DirectCall<>(method.getMethodDescriptor(), peer, deadline, answer);
    call.live.start(() -> call.begin(method, headers));
    return call;
  }

  private void begin(ServerMethodDefinition<Q, R> method, Metadata headers) {
    Context context =
        deadline
            .map(at ->
                Context.current()
                    .withDeadline(at, ((ContextInternal) Vertx.currentContext()).nettyEventLoop()))
            .orElseGet(() -> Context.current().withCancellation());
    raw.begin(Contexts.interceptCall(context, raw, headers, method.getServerCallHandler()));
  }

  /** All messages of the client, once. */
  public void say(Collection<Q> requests) {
    raw.say(requests);
  }

  /** Runs this once the service wants a message: its interceptors have not refused the call. */
  public void whenWanted(Runnable task) {
    raw.whenWanted(task);
  }

  /** Ends the call because of an invalid message of the client, unless it has ended. */
  public void refuse(StatusRuntimeException why) {
    live.fail(why);
  }

  /** The client can take more. */
  public void ready() {
    raw.ready();
  }

  public void cancel(String reason) {
    live.cancel(reason);
  }

  /** Completes the waiting client's call, with its deadline's error if that has passed. */
  private void over() {
    boolean late = deadline.filter(Deadline::isExpired).isPresent();
    end(
        late
            ? Status.DEADLINE_EXCEEDED.withDescription("the deadline has passed")
            : Status.CANCELLED.withDescription("the call was cancelled"),
        new Metadata());
  }

  private void end(Status status, Metadata trailers) {
    live.execute(() -> {
      if (!ended) {
        ended = true;
        answer.end(status, trailers);
      }
    });
  }

  /** What lies between the service and the answer. */
  private final class Raw extends ServerCall<Q, R> {
    private final MethodDescriptor<Q, R> method;
    private final Deque<Q> requests = new ArrayDeque<>();
    private ServerCall.@Nullable Listener<Q> listener;
    private Runnable whenWanted = () -> {};
    private int wanted;
    private boolean delivering;
    private boolean said;
    private boolean heardOut;
    private boolean closed;

    Raw(MethodDescriptor<Q, R> method) {
      this.method = method;
    }

    void say(Collection<Q> all) {
      requests.addAll(all);
      said = true;
      deliver();
    }

    void begin(ServerCall.Listener<Q> service) {
      listener = service;
      deliver();
      ready();
    }

    void whenWanted(Runnable task) {
      if (wanted > 0) {
        task.run();
      } else {
        whenWanted = task;
      }
    }

    void ready() {
      if (listener != null && !closed) {
        listener.onReady();
      }
    }

    @Override
    public void request(int messages) {
      wanted = (int) Math.min(Integer.MAX_VALUE, (long) wanted + messages);
      whenWanted.run();
      whenWanted = () -> {};
      deliver();
    }

    /** Delivers the requested number of messages in their order, and then the end. */
    private void deliver() {
      if (listener == null || delivering) {
        return;
      }
      delivering = true;
      while (wanted > 0 && !closed && !requests.isEmpty()) {
        wanted--;
        listener.onMessage(requests.remove());
      }
      delivering = false;
      if (said && requests.isEmpty() && !heardOut && !closed) {
        heardOut = true;
        listener.onHalfClose();
      }
    }

    @Override
    public void sendHeaders(Metadata headers) {
      // Nothing of a service's headers is for those who do not speak gRPC.
    }

    @Override
    public void sendMessage(R message) {
      try {
        answer.message(message);
      } catch (StatusRuntimeException e) {
        live.fail(e);
      } catch (RuntimeException e) {
        // Without the way there: the cause is in the data.
        LOG.log(
            Level.WARNING, "{0}: an answer cannot be written: {1}", method.getFullMethodName(), e);
        live.refuse(
            Status.INTERNAL.withDescription("an answer cannot be written: " + e.getMessage()));
      }
    }

    @Override
    public void close(Status status, Metadata trailers) {
      closed = true;
      end(status, trailers);
      // Not from within what the service does just now.
      Vertx.currentContext()
          .runOnContext(_ -> {
            if (listener != null) {
              listener.onComplete();
            }
          });
    }

    @Override
    public boolean isReady() {
      return !closed && answer.isReady();
    }

    @Override
    public boolean isCancelled() {
      return closed;
    }

    @Override
    public MethodDescriptor<Q, R> getMethodDescriptor() {
      return method;
    }
  }
}
