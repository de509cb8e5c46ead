package dev.rollcall.lab.adversary;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.model.Call;
import dev.rollcall.model.Caller;
import dev.rollcall.model.Connection;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Membership;
import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.StepId;
import dev.rollcall.port.Roll;
import dev.rollcall.proto.roll.v1.ConnectRequest;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import dev.rollcall.proto.roll.v1.Heartbeat;
import dev.rollcall.proto.roll.v1.JobsQuestion;
import dev.rollcall.proto.roll.v1.RollServiceGrpc;
import dev.rollcall.proto.roll.v1.StateComplete;
import dev.rollcall.testkit.process.Running;
import dev.rollcall.wire.NodeMapper;
import dev.rollcall.wire.grpc.VertxSettings;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpcio.client.GrpcIoClient;
import io.vertx.grpcio.client.GrpcIoClientChannel;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Root of a compute node that speaks to the gateway in place of its agent: with the node's own
 * certificate and from its network, and says what it likes.
 */
public final class RogueNode implements AutoCloseable {
  private final Vertx vertx;
  private final Running relay;
  private final String bootId;
  private final StreamObserver<ConnectRequest> stream;
  private final BlockingQueue<ConnectResponse> heard = new LinkedBlockingQueue<>();
  private final CompletableFuture<Status> end = new CompletableFuture<>();

  private RogueNode(Vertx vertx, Running relay, String bootId, GrpcIoClientChannel channel) {
    this.vertx = vertx;
    this.bootId = bootId;
    this.relay = relay;
    this.stream = RollServiceGrpc.newStub(channel).connect(new Hearing());
  }

  /**
   * @param tls the directory with certificate.pem and key.pem of who it is
   */
  public static RogueNode at(Stage stage, ClusterNode node, Path tls) {
    Path script = stage.cluster().directory().resolve("relay.py");
    try (InputStream resource = RogueNode.class.getResourceAsStream("relay.py")) {
      Files.write(script, resource.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    var gate = NodeAddress.GATE.v4();
    Running relay =
        Running.start(
            List.of("python3", script.toString(), Long.toString(node.pid()), gate, "7450"));
    relay.awaitLine("listening", Attack.DEADLINE);
    int port = Integer.parseInt(relay.outSoFar().replaceFirst("(?s).*listening (\\d+).*", "$1"));
    Vertx vertx = VertxSettings.start(VertxSettings.quiet());
    var options =
        new HttpClientOptions()
            .setSsl(true)
            .setUseAlpn(true)
            .setVerifyHost(false)
            .setTrustOptions(
                new PemTrustOptions()
                    .addCertPath(stage.cluster().directory().resolve("ca.pem").toString()))
            .setKeyCertOptions(
                new PemKeyCertOptions()
                    .setCertPath(tls.resolve("certificate.pem").toString())
                    .setKeyPath(tls.resolve("key.pem").toString()));
    return new RogueNode(
        vertx,
        relay,
        bootId(node),
        new GrpcIoClientChannel(
            GrpcIoClient.client(vertx, options),
            SocketAddress.inetSocketAddress(port, "127.0.0.1")));
  }

  /** The files of a node of this cluster. */
  public static Path tls(Stage stage, ClusterNode node) {
    return stage.cluster().directory().resolve(node.name()).resolve("tls");
  }

  public RogueNode hello(String cluster, String node, long epoch, String... addresses) {
    var said =
        new Roll.NodeDescription(
            new NodeEpoch(new NodeName(node), bootId, epoch),
            Arrays.stream(addresses).map(InetAddress::ofLiteral).collect(Collectors.toSet()),
            "",
            "0.1.0",
            "sock_ops");
    say(ConnectRequest.newBuilder().setHello(NodeMapper.hello(cluster, said)).build());
    return this;
  }

  /** As the node's agent has it. */
  private static String bootId(ClusterNode node) {
    return node.shell(User.ROOT, "cat /proc/sys/kernel/random/boot_id")
        .outOrThrow("the boot id of " + node.name())
        .strip();
  }

  /** Waits until it was welcomed, and says that this is all that it has. */
  public RogueNode welcomed() throws InterruptedException {
    ConnectResponse first = heard.poll(Attack.DEADLINE.toSeconds(), TimeUnit.SECONDS);
    if (first == null || !first.hasWelcome()) {
      throw new AssertionError("not welcomed: " + first + ", end " + end);
    }
    say(ConnectRequest.newBuilder().setStateComplete(StateComplete.getDefaultInstance()).build());
    return this;
  }

  public void announce(
      String cluster, String node, Connection call, long job, int uid, long epoch, long sequence) {
    var caller =
        new Caller(
            cluster,
            new NodeName(node),
            new Membership.InJob(new JobStep(new JobId(job), StepId.EXTERN)),
            uid,
            new ProcessRef(4242, 99),
            Instant.now());
    say(
        ConnectRequest.newBuilder()
            .setAnnouncement(NodeMapper.announcement(new Call(call, caller), epoch, sequence))
            .build());
  }

  /** What was said before has been heard when a heartbeat after it was: one stream, in order. */
  void heartbeat() {
    say(ConnectRequest.newBuilder().setHeartbeat(Heartbeat.getDefaultInstance()).build());
  }

  /** Asks for the start times of jobs, which the gateway asks the batch system for. */
  public void asksFor(long job) {
    say(
        ConnectRequest.newBuilder()
            .setJobsQuestion(JobsQuestion.newBuilder().addJobIds(job).build())
            .build());
  }

  private void say(ConnectRequest what) {
    stream.onNext(what);
  }

  /** How the gateway ended the stream. */
  public Status end() {
    return end.orTimeout(Attack.DEADLINE.toSeconds(), TimeUnit.SECONDS).join();
  }

  boolean isHeard() {
    return !end.isDone();
  }

  private final class Hearing implements StreamObserver<ConnectResponse> {
    @Override
    public void onNext(ConnectResponse order) {
      heard.add(order);
    }

    @Override
    public void onError(Throwable cause) {
      end.complete(Status.fromThrowable(cause));
    }

    @Override
    public void onCompleted() {
      end.complete(Status.OK);
    }
  }

  @Override
  public void close() {
    vertx.close().await();
    relay.kill();
  }
}
