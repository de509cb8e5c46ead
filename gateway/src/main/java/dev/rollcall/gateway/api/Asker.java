package dev.rollcall.gateway.api;

import dev.rollcall.model.Caller;
import dev.rollcall.model.CallerAnswer;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.Optional;

/**
 * In whose name a request is made. Whoever holds a certificate of the CA may ask for everybody; an
 * agent that passes a user's request on names the user, who sees only what is theirs. What they may
 * not see looks like what is not there.
 */
public sealed interface Asker {
  /** A decimal uid. */
  Metadata.Key<String> UID = Metadata.Key.of("rollcall-uid", Metadata.ASCII_STRING_MARSHALLER);

  record Everybody() implements Asker {}

  record User(int uid) implements Asker {}

  static Asker current() {
    Asker named = Interceptor.KEY.get();
    return named == null ? new Everybody() : named;
  }

  default boolean maySee(int uid) {
    return switch (this) {
      case Everybody() -> true;
      case User(int own) -> own == uid;
    };
  }

  /** The answer as this asker sees it. */
  default CallerAnswer seen(CallerAnswer answer) {
    return switch (answer) {
      case CallerAnswer.Found(Caller caller) when !maySee(caller.uid()) -> notThere();
      case CallerAnswer.Unknown _ when this instanceof User -> notThere();
      case CallerAnswer.Found _, CallerAnswer.Unknown _, CallerAnswer.Unreachable _ -> answer;
    };
  }

  private static CallerAnswer notThere() {
    return new CallerAnswer.Unknown("no call of yours is known there");
  }

  /** Reads the asker from a request's metadata. */
  final class Interceptor implements ServerInterceptor {
    private static final Context.Key<Asker> KEY = Context.key("rollcall-asker");

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      return Contexts.interceptCall(
          Context.current().withValue(KEY, asker(Optional.ofNullable(headers.get(UID)))),
          call,
          headers,
          next);
    }

    private static Asker asker(Optional<String> uid) {
      if (uid.isEmpty() || uid.get().equals("0")) {
        return new Everybody();
      }
      try {
        return new User(Integer.parseUnsignedInt(uid.get()));
      } catch (NumberFormatException e) {
        throw Status.INVALID_ARGUMENT
            .withDescription(UID.name() + ": '" + uid.get() + "' is not a uid")
            .asRuntimeException();
      }
    }
  }
}
