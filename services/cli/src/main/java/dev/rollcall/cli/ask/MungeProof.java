package dev.rollcall.cli.ask;

import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.linux.munge.Encoded;
import dev.rollcall.linux.munge.Munge;
import dev.rollcall.wire.grpc.GrpcChannel;
import dev.rollcall.wire.grpc.MungePurpose;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Adds a munge credential to each call, made for the connection on which it goes. */
record MungeProof(GrpcChannel gateway, Munge munge) implements ClientInterceptor {
  /** Clocks of a cluster may differ by this much. */
  private static final Duration TTL = Duration.ofSeconds(60);

  private static final long CONNECT_SECONDS = 10;

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    String credential = credential();
    return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
      @Override
      public void start(Listener<A> responses, Metadata headers) {
        headers.put(MungePurpose.CREDENTIAL, credential);
        super.start(responses, headers);
      }
    };
  }

  private String credential() {
    return switch (munge.encode(MungePurpose.payload(binding()), TTL)) {
      case Encoded.Credential(String text) -> text;
      case Encoded.Unavailable(String reason) ->
          throw new CommandFailure(ExitCode.UNAVAILABLE, reason);
    };
  }

  private String binding() {
    try {
      return gateway
          .binding()
          .toCompletionStage()
          .toCompletableFuture()
          .get(CONNECT_SECONDS, TimeUnit.SECONDS)
          .orElseThrow(() ->
              new CommandFailure(
                  ExitCode.FAILED, "a munge credential cannot be bound to this TLS connection"));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure(ExitCode.FAILED, "interrupted", e);
    } catch (ExecutionException e) {
      throw new CommandFailure(
          ExitCode.UNAVAILABLE, "gateway " + gateway.authority() + ": " + said(e), e);
    } catch (TimeoutException e) {
      throw new CommandFailure(
          ExitCode.UNAVAILABLE,
          "gateway %s did not answer within %d s".formatted(gateway.authority(), CONNECT_SECONDS),
          e);
    }
  }

  private static String said(ExecutionException e) {
    return e.getCause() == null ? String.valueOf(e) : String.valueOf(e.getCause().getMessage());
  }
}
