package dev.rollcall.wire.grpc;

import dev.rollcall.wire.grpc.GrpcServices.Certificates;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.Optional;

/** The three ways in which our processes meet. */
public enum Transport {
  UNIX,
  TCP,
  TLS;

  Future<GrpcServices.Listening> listen(GrpcServices services, Path directory) {
    return switch (this) {
      case UNIX -> services.listenUnix(directory.resolve("s.sock"), "rw-rw-rw-");
      case TCP -> services.listenTcp("127.0.0.1", 0, Optional.empty(), Certificates.REQUIRED);
      case TLS ->
          services.listenTcp(
              "127.0.0.1",
              0,
              Optional.of(TestPki.filesIn(directory, "server").identity()),
              Certificates.REQUIRED);
    };
  }

  GrpcChannel open(Vertx vertx, Path directory, int port, KeepAlive keepAlive) {
    return switch (this) {
      case UNIX -> GrpcChannel.unix(vertx, directory.resolve("s.sock"), keepAlive);
      case TCP -> GrpcChannel.tcp(vertx, "127.0.0.1", port, Optional.empty(), keepAlive);
      case TLS ->
          GrpcChannel.tcp(
              vertx,
              "127.0.0.1",
              port,
              Optional.of(TestPki.filesIn(directory, "client").identity()),
              keepAlive);
    };
  }
}
