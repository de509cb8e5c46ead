package dev.rollcall.load.lookup;

import dev.rollcall.model.Caller;
import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Membership;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.StepId;
import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.IdentifyManyRequest;
import dev.rollcall.proto.v1.IdentifyManyResponse;
import dev.rollcall.proto.v1.IdentifyRequest;
import dev.rollcall.proto.v1.IdentifyResponse;
import dev.rollcall.wire.CallerMapper;
import dev.rollcall.wire.grpc.VertxSettings;
import dev.rollcall.wire.tls.TlsFiles;
import io.grpc.stub.StreamObserver;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.grpcio.server.GrpcIoServer;
import io.vertx.grpcio.server.GrpcIoServiceBridge;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;

/**
 * The floor: the service on the same stack, without anything of a gateway behind it. Says the same
 * caller to whatever it is asked, until its input ends. {@code Echo [CA CERTIFICATE KEY]}.
 */
public final class Echo extends CallerIdServiceGrpc.CallerIdServiceImplBase {
  private static final dev.rollcall.proto.v1.CallerAnswer ANSWER =
      CallerMapper.toProto(
          new CallerAnswer.Found(
              new Caller(
                  "bench",
                  new NodeName("n0"),
                  new Membership.InJob(new JobStep(new JobId(1), StepId.EXTERN)),
                  1000,
                  new ProcessRef(4242, 99),
                  Instant.EPOCH)));

  private Echo() {}

  public static void main(String[] files) throws IOException {
    var options = new HttpServerOptions().setHttp2ClearTextEnabled(true).setTcpNoDelay(true);
    if (files.length > 0) {
      new TlsFiles(Path.of(files[0]), Path.of(files[1]), Path.of(files[2]))
          .identity()
          .applyTo(options);
      options.setClientAuth(ClientAuth.REQUIRED);
    }
    var vertx = VertxSettings.start(VertxSettings.busy());
    GrpcIoServer server = GrpcIoServer.server(vertx);
    GrpcIoServiceBridge.bridge(new Echo()).bind(server);
    int port =
        vertx
            .createHttpServer(options)
            .requestHandler(server)
            .listen(0, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture()
            .join()
            .actualPort();
    System.out.println(port);
    while (System.in.read() >= 0) {
      // Whoever started it says nothing; when it is gone, so is this.
    }
    System.exit(0);
  }

  @Override
  public void identify(IdentifyRequest request, StreamObserver<IdentifyResponse> to) {
    to.onNext(IdentifyResponse.newBuilder().setAnswer(ANSWER).build());
    to.onCompleted();
  }

  @Override
  public StreamObserver<IdentifyManyRequest> identifyMany(StreamObserver<IdentifyManyResponse> to) {
    return new StreamObserver<>() {
      @Override
      public void onNext(IdentifyManyRequest request) {
        to.onNext(
            IdentifyManyResponse.newBuilder()
                .setRequestId(request.getRequestId())
                .setAnswer(ANSWER)
                .build());
      }

      @Override
      public void onError(Throwable gone) {}

      @Override
      public void onCompleted() {
        to.onCompleted();
      }
    };
  }
}
