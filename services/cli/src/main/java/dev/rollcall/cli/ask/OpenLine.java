package dev.rollcall.cli.ask;

import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.linux.munge.Munge;
import dev.rollcall.settings.HostPort;
import dev.rollcall.wire.grpc.BearerToken;
import dev.rollcall.wire.grpc.GrpcChannel;
import dev.rollcall.wire.grpc.KeepAlive;
import dev.rollcall.wire.grpc.VertxSettings;
import dev.rollcall.wire.local.LocalChannel;
import dev.rollcall.wire.tls.TlsFiles;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * An open connection to a {@link Target}: to an agent by frames, to a gateway by gRPC.
 *
 * @param vertx of gRPC
 */
record OpenLine(Optional<Vertx> vertx, Channel channel) implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 2;

  /**
   * Connects at the first call.
   *
   * @throws CommandFailure if there is nothing to connect to
   */
  static OpenLine to(Target target) {
    check(target);
    return switch (target) {
      case Target.Agent(Path socket) -> new OpenLine(Optional.empty(), new LocalChannel(socket));
      case Target.Gateway gateway -> to(gateway);
    };
  }

  private static OpenLine to(Target.Gateway gateway) {
    Vertx vertx = started();
    try {
      HostPort at = gateway.at();
      return new OpenLine(
          Optional.of(vertx),
          channel(vertx, at.host(), at.port(), gateway.credentials().orElse(null)));
    } catch (CommandFailure e) {
      vertx.close();
      throw e;
    } catch (RuntimeException e) {
      vertx.close();
      throw new CommandFailure(ExitCode.FAILED, String.valueOf(e.getMessage()), e);
    }
  }

  private static Vertx started() {
    try {
      return VertxSettings.start(VertxSettings.quiet());
    } catch (IllegalStateException e) {
      throw new CommandFailure(ExitCode.FAILED, String.valueOf(e.getMessage()), e);
    }
  }

  private static Channel channel(
      Vertx vertx, String host, int port, Target.@Nullable Credentials credentials) {
    return switch (credentials) {
      case null -> GrpcChannel.tcp(vertx, host, port, Optional.empty(), KeepAlive.CALM);
      case Target.Credentials.Certified(Path ca, Path certificate, Path key) ->
          GrpcChannel.tcp(
              vertx,
              host,
              port,
              Optional.of(new TlsFiles(ca, certificate, key).identity()),
              KeepAlive.CALM);
      case Target.Credentials.Token(Path ca, Path file) -> {
        var headers = new Metadata();
        headers.put(BearerToken.AUTHORIZATION, BearerToken.header(token(file)));
        yield ClientInterceptors.intercept(
            GrpcChannel.tcpUncertified(vertx, host, port, ca, KeepAlive.CALM),
            MetadataUtils.newAttachHeadersInterceptor(headers));
      }
      case Target.Credentials.Munged(Path ca, Path socket) -> {
        GrpcChannel grpc = GrpcChannel.tcpUncertified(vertx, host, port, ca, KeepAlive.CALM);
        yield ClientInterceptors.intercept(grpc, new MungeProof(grpc, new Munge(socket)));
      }
    };
  }

  private static String token(Path file) {
    try {
      String text = Files.readString(file, StandardCharsets.US_ASCII).strip();
      if (!text.matches("[!-~]{1,1024}")) {
        throw CommandFailure.usage("--token " + file + " has no token in it");
      }
      return text;
    } catch (IOException e) {
      throw new CommandFailure(ExitCode.USAGE, "--token " + file + " cannot be read: " + e, e);
    }
  }

  /** What can be told before anything is opened, in better words than a transport has. */
  private static void check(Target target) {
    switch (target) {
      case Target.Agent(Path socket) -> {
        if (!Files.exists(socket)) {
          throw new CommandFailure(
              ExitCode.UNAVAILABLE, "no agent is running here: there is no socket " + socket);
        }
      }
      case Target.Gateway gateway -> {
        if (gateway.credentials().isEmpty() && !gateway.at().loopback()) {
          throw CommandFailure.usage(
              gateway
                  + " is not on loopback: give --ca, --certificate and --key, or --ca and --token"
                  + " or --munge");
        }
      }
    }
  }

  @Override
  public void close() {
    vertx.ifPresent(OpenLine::close);
  }

  private static void close(Vertx vertx) {
    try {
      vertx
          .close()
          .toCompletionStage()
          .toCompletableFuture()
          .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      throw new CommandFailure(ExitCode.FAILED, "the connection could not be closed: " + e, e);
    }
  }
}
