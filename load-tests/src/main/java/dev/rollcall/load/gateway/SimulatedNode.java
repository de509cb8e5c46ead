package dev.rollcall.load.gateway;

import com.google.protobuf.ByteString;
import dev.rollcall.model.Call;
import dev.rollcall.model.Caller;
import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.Connection;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Membership;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.StepId;
import dev.rollcall.proto.roll.v1.Answer;
import dev.rollcall.proto.roll.v1.ConnectRequest;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import dev.rollcall.proto.roll.v1.Heartbeat;
import dev.rollcall.proto.roll.v1.Hello;
import dev.rollcall.proto.roll.v1.JobOnNode;
import dev.rollcall.proto.roll.v1.Question;
import dev.rollcall.proto.roll.v1.RollServiceGrpc;
import dev.rollcall.proto.roll.v1.StateComplete;
import dev.rollcall.wire.CallerMapper;
import dev.rollcall.wire.NodeMapper;
import dev.rollcall.wire.grpc.GrpcChannel;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A node's side of the protocol: connects to one of several gateways, tells its jobs and calls,
 * keeps its lease, and goes to the next gateway when a stream ends, as an agent does. Of itself it
 * knows nothing more: what it is asked it does not know. Thread-safe.
 */
public final class SimulatedNode {
  /** Hears how nodes fare, on whatever thread. */
  public interface Listener {
    void connects(SimulatedNode node);

    /**
     * @param connected whether it did before
     */
    void lost(SimulatedNode node, boolean connected, String why);
  }

  private static final long WELCOME_WITHIN_MS = 5_000;

  /** As dev.rollcall.agent.gateway.ReconnectPause. */
  private static final long QUICK_MS = 250;

  private static final long LONGEST_MS = 4_000;
  private static final int MOST_DOUBLINGS = 5;

  private static final ConnectRequest HEARTBEAT =
      ConnectRequest.newBuilder().setHeartbeat(Heartbeat.getDefaultInstance()).build();
  private static final ConnectRequest COMPLETE =
      ConnectRequest.newBuilder().setStateComplete(StateComplete.getDefaultInstance()).build();

  private final Vertx vertx;
  private final NodeName name;
  private final InetAddress address;
  private final List<Supplier<GrpcChannel>> ways;
  private final Listener listener;
  private final RandomGenerator random;
  private final List<JobOnNode> jobs = new ArrayList<>();
  private @Nullable Stream stream;
  private @Nullable GrpcChannel way;
  private int turn;
  private int failures;
  private long sequence;
  private boolean stopped;

  /**
   * @param ways to the gateways, in the order in which they are tried from a random one on; one at
   *     a time is open
   */
  public SimulatedNode(
      Vertx vertx,
      NodeName name,
      InetAddress address,
      List<Supplier<GrpcChannel>> ways,
      Listener listener,
      RandomGenerator random) {
    this.vertx = vertx;
    this.name = name;
    this.address = address;
    this.ways = List.copyOf(ways);
    this.listener = listener;
    this.random = random;
    this.turn = random.nextInt(ways.size());
  }

  public NodeName name() {
    return name;
  }

  public InetAddress address() {
    return address;
  }

  /** Begins to connect, and goes on until it is stopped. */
  public synchronized void connect() {
    if (!stopped) {
      closeWay();
      GrpcChannel next = ways.get(turn % ways.size()).get();
      way = next;
      var opened = new Stream();
      stream = opened;
      opened.open(next);
    }
  }

  public synchronized boolean connects() {
    return stream != null && stream.welcomed;
  }

  /** Ends the stream without a word, for good. */
  public synchronized void stop() {
    stopped = true;
    Stream open = stream;
    if (open != null) {
      open.close("stopped");
    }
    closeWay();
  }

  private void closeWay() {
    if (way != null) {
      way.close();
    }
  }

  /**
   * Reports a job now, if it is connected, and again to every gateway that it connects to later.
   */
  public synchronized void tell(JobOnNode job) {
    jobs.add(job);
    send(ConnectRequest.newBuilder().setJob(job).build());
  }

  /**
   * Announces a call of a job of this node.
   *
   * @return whether it connected to a gateway that keeps up
   */
  public synchronized boolean call(Connection connection, long job, int uid) {
    Stream open = stream;
    if (open == null || !open.welcomed || !open.keepsUp()) {
      return false;
    }
    var caller =
        new Caller(
            ClusterCertificates.CLUSTER,
            name,
            new Membership.InJob(new JobStep(new JobId(job), StepId.EXTERN)),
            uid,
            new ProcessRef(4242, 99),
            Instant.now());
    open.send(
        ConnectRequest.newBuilder()
            .setAnnouncement(NodeMapper.announcement(new Call(connection, caller), 1, ++sequence))
            .build());
    return true;
  }

  private synchronized void send(ConnectRequest event) {
    Stream open = stream;
    if (open != null && open.welcomed) {
      open.send(event);
    }
  }

  private Hello hello() {
    return Hello.newBuilder()
        .setCluster(ClusterCertificates.CLUSTER)
        .setNode(name.text())
        .setBootId("boot-" + name)
        .setEpoch(1)
        .addAddresses(ByteString.copyFrom(address.getAddress()))
        .setVersion("0.1.0")
        .setCallSource("sock_ops")
        .build();
  }

  private static long pauseMillis(int failures, int gateways, RandomGenerator random) {
    if (failures <= gateways) {
      return 1 + random.nextLong(QUICK_MS);
    }
    long most = Math.min(LONGEST_MS, QUICK_MS << Math.min(failures - gateways, MOST_DOUBLINGS));
    return most / 2 + random.nextLong(most / 2);
  }

  private void ended(Stream of, String why) {
    synchronized (this) {
      if (stream != of) {
        return;
      }
      stream = null;
      turn++;
      failures++;
      if (!stopped) {
        vertx.setTimer(pauseMillis(failures, ways.size(), random), _ -> connect());
      }
    }
    listener.lost(this, of.welcomed, why);
  }

  /** One stream to one gateway. */
  private final class Stream implements ClientResponseObserver<ConnectRequest, ConnectResponse> {
    private @Nullable ClientCallStreamObserver<ConnectRequest> call;
    private long timer = -1;
    private boolean welcomed;

    void open(GrpcChannel way) {
      timer = vertx.setTimer(WELCOME_WITHIN_MS, _ -> close("no welcome within 5 s"));
      var _ = RollServiceGrpc.newStub(way).connect(this);
      send(ConnectRequest.newBuilder().setHello(hello()).build());
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<ConnectRequest> started) {
      call = started;
    }

    boolean keepsUp() {
      return call != null && call.isReady();
    }

    void send(ConnectRequest event) {
      if (call != null) {
        call.onNext(event);
      }
    }

    void close(String why) {
      if (call != null) {
        call.cancel(why, null);
      }
      vertx.cancelTimer(timer);
      ended(this, why);
    }

    @Override
    public void onNext(ConnectResponse order) {
      if (order.hasWelcome()) {
        welcomed(CallerMapper.duration(order.getWelcome().getHeartbeat(), "heartbeat").toMillis());
      } else if (order.hasQuestion()) {
        answer(order.getQuestion());
      }
    }

    private void welcomed(long heartbeatMillis) {
      synchronized (SimulatedNode.this) {
        if (stream != this) {
          return;
        }
        vertx.cancelTimer(timer);
        timer = vertx.setPeriodic(heartbeatMillis, _ -> send(HEARTBEAT));
        welcomed = true;
        failures = 0;
        jobs.forEach(job -> send(ConnectRequest.newBuilder().setJob(job).build()));
        send(COMPLETE);
      }
      listener.connects(SimulatedNode.this);
    }

    private void answer(Question question) {
      send(
          ConnectRequest.newBuilder()
              .setAnswer(
                  Answer.newBuilder()
                      .setQuestionId(question.getQuestionId())
                      .setAnswer(
                          CallerMapper.toProto(new CallerAnswer.Unknown("nothing is known"))))
              .build());
    }

    @Override
    public void onError(Throwable cause) {
      vertx.cancelTimer(timer);
      ended(this, String.valueOf(Status.fromThrowable(cause).getDescription()));
    }

    @Override
    public void onCompleted() {
      vertx.cancelTimer(timer);
      ended(this, "the gateway ended it");
    }
  }
}
