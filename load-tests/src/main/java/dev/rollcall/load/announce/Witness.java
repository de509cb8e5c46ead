package dev.rollcall.load.announce;

import com.google.protobuf.ByteString;
import dev.rollcall.proto.roll.v1.ConnectRequest;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import dev.rollcall.proto.roll.v1.Heartbeat;
import dev.rollcall.proto.roll.v1.Hello;
import dev.rollcall.proto.roll.v1.RollServiceGrpc;
import dev.rollcall.proto.roll.v1.StateComplete;
import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.Connection;
import dev.rollcall.proto.v1.IdentifyRequest;
import dev.rollcall.proto.v1.IdentifyResponse;
import dev.rollcall.proto.v1.WatchCallsRequest;
import dev.rollcall.proto.v1.WatchCallsResponse;
import dev.rollcall.wire.grpc.GrpcChannel;
import dev.rollcall.wire.grpc.KeepAlive;
import dev.rollcall.wire.grpc.VertxSettings;
import dev.rollcall.wire.tls.TlsFiles;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.StreamObserver;
import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Connects a gateway in a called node's place, and follows calls there, in a process on that node.
 * Prints a line for each call: {@code node} when its announcement came down the node's stream,
 * {@code gateway} when the gateway told whoever follows calls, and {@code roll} when an Identify
 * that was asked then was answered with the caller; then the caller's port, and when, in
 * nanoseconds of CLOCK_MONOTONIC. {@code Witness HOST PORT CLUSTER NODE ADDRESS CA DIRECTORY
 * ADMINISTRATOR}: the directories have certificate.pem and key.pem.
 */
public final class Witness {
  private static final int HEARTBEAT_MS = 3_000;

  private final Vertx vertx = VertxSettings.start(VertxSettings.busy());

  private Witness() {}

  public static void main(String[] words) {
    var witness = new Witness();
    int port = Integer.parseInt(words[1]);
    Path ca = Path.of(words[5]);
    witness.follow(witness.channel(words[0], port, ca, Path.of(words[7])));
    witness.connect(
        witness.channel(words[0], port, ca, Path.of(words[6])), words[2], words[3], words[4]);
    // When whoever started it is gone, so is this.
    ProcessHandle.current().parent().ifPresent(starter -> starter.onExit().join());
    System.exit(0);
  }

  private GrpcChannel channel(String host, int port, Path ca, Path own) {
    var files = new TlsFiles(ca, own.resolve("certificate.pem"), own.resolve("key.pem"));
    return GrpcChannel.tcp(vertx, host, port, Optional.of(files.identity()), KeepAlive.CALM);
  }

  private static void print(String what, Connection call) {
    long now = System.nanoTime();
    System.out.println(what + " " + call.getLocal().getPort() + " " + now);
  }

  private static void failed(Throwable cause) {
    System.out.println("failed " + Status.fromThrowable(cause));
    System.exit(1);
  }

  private void connect(GrpcChannel gateway, String cluster, String node, String address) {
    var hello =
        Hello.newBuilder()
            .setCluster(cluster)
            .setNode(node)
            .setBootId("witness")
            .setEpoch(1)
            .addAddresses(ByteString.copyFrom(InetAddress.ofLiteral(address).getAddress()))
            .setVersion("0.1.0")
            .setCallSource("sock_ops")
            .build();
    var stream = new Stream();
    var _ = RollServiceGrpc.newStub(gateway).connect(stream);
    stream.say(ConnectRequest.newBuilder().setHello(hello).build());
  }

  private final class Stream implements ClientResponseObserver<ConnectRequest, ConnectResponse> {
    private volatile Optional<ClientCallStreamObserver<ConnectRequest>> call = Optional.empty();

    void say(ConnectRequest event) {
      call.ifPresent(open -> open.onNext(event));
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<ConnectRequest> started) {
      call = Optional.of(started);
    }

    @Override
    public void onNext(ConnectResponse order) {
      if (order.hasAnnouncement()) {
        print("node", order.getAnnouncement().getConnection());
      } else if (order.hasWelcome()) {
        say(ConnectRequest.newBuilder().setStateComplete(StateComplete.newBuilder()).build());
        vertx.setPeriodic(
            HEARTBEAT_MS,
            _ -> say(ConnectRequest.newBuilder().setHeartbeat(Heartbeat.newBuilder()).build()));
        System.out.println("connects");
      }
    }

    @Override
    public void onError(Throwable cause) {
      failed(cause);
    }

    @Override
    public void onCompleted() {
      failed(Status.UNAVAILABLE.withDescription("the gateway ended the stream").asException());
    }
  }

  private void follow(GrpcChannel gateway) {
    var stub = CallerIdServiceGrpc.newStub(gateway);
    stub.watchCalls(
        WatchCallsRequest.getDefaultInstance(),
        new StreamObserver<>() {
          @Override
          public void onNext(WatchCallsResponse made) {
            print("gateway", made.getConnection());
            stub.identify(
                IdentifyRequest.newBuilder().setConnection(made.getConnection()).build(),
                new Answer(made.getConnection()));
          }

          @Override
          public void onError(Throwable cause) {
            failed(cause);
          }

          @Override
          public void onCompleted() {}
        });
  }

  private record Answer(Connection asked) implements StreamObserver<IdentifyResponse> {
    @Override
    public void onNext(IdentifyResponse response) {
      print(response.getAnswer().hasFound() ? "roll" : "unknown", asked);
    }

    @Override
    public void onError(Throwable cause) {
      failed(cause);
    }

    @Override
    public void onCompleted() {}
  }
}
