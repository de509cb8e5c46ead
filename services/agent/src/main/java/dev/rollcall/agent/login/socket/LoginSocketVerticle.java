package dev.rollcall.agent.login.socket;

import dev.rollcall.agent.event.AdoptionRequested;
import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.LoginOutcome;
import dev.rollcall.agent.event.Queries;
import dev.rollcall.agent.event.StageHealth;
import dev.rollcall.agent.event.Topics;
import dev.rollcall.model.NodeName;
import dev.rollcall.wire.grpc.SocketFile;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.internal.ContextInternal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import org.jspecify.annotations.Nullable;

/** Listens on the login socket, after a warm-up. */
public final class LoginSocketVerticle extends VerticleBase {
  private static final int BACKLOG = 1_024;
  private static final int WARM_UP_ROUNDS = 20;
  private static final Duration SLACK = Duration.ofSeconds(2);

  private final Bus bus;
  private final Path path;
  private final SocketFile file;
  private final RequestReader reader;
  private final SocketPeers peers;
  private final Duration silence;
  private final LoginSocketMeters meters;
  private @Nullable LoginListener listener;

  /**
   * @param node for which requests must be, if they name one
   * @param path of the socket, whose directory exists
   * @param silence how long a peer may say nothing
   */
  public LoginSocketVerticle(
      Bus bus,
      NodeName node,
      Path path,
      SocketPeers peers,
      Duration silence,
      MeterRegistry registry) {
    this.bus = bus;
    this.reader = new RequestReader(node);
    this.path = path;
    this.file = new SocketFile(path, "rw-------");
    this.peers = peers;
    this.silence = silence;
    this.meters = new LoginSocketMeters(registry);
  }

  @Override
  public Future<?> start() throws IOException {
    if (!vertx.isNativeTransportEnabled()) {
      throw new IOException(
          "the login socket needs the epoll transport, which could not be loaded");
    }
    var connections =
        new LoginConnection.Parts(
            vertx, reader, silence, new LinkedHashSet<>(), meters, this::request);
    return LoginListener.open(
            (ContextInternal) context,
            file.prepare(),
            BACKLOG,
            socket -> enter(socket, connections),
            problem -> meters.failed(RequestFailure.NOT_ACCEPTED, problem))
        .compose(open -> {
          listener = open;
          try {
            file.publish();
          } catch (IOException e) {
            return Future.failedFuture(e);
          }
          return vertx.executeBlocking(
              () -> {
                LoginWarmUp.run(path, WARM_UP_ROUNDS);
                return true;
              },
              false);
        })
        .onSuccess(_ ->
            bus.tell(
                Topics.HEALTH_CHANGED,
                new StageHealth("login-socket", true, true, "open at " + path)));
  }

  @Override
  public Future<?> stop() throws IOException {
    file.remove();
    if (listener != null) {
      listener.close();
    }
    return Future.succeededFuture();
  }

  private void enter(AcceptedSocket socket, LoginConnection.Parts connections) {
    SocketPeers.Peer peer;
    try {
      peer = peers.of(socket.descriptor());
    } catch (IOException | UncheckedIOException e) {
      meters.failed(RequestFailure.NOT_PINNED, String.valueOf(e.getMessage()));
      socket.close();
      return;
    }
    if (peer.uid() != 0) {
      meters.failed(RequestFailure.NOT_ROOT, "uid " + Integer.toUnsignedString(peer.uid()));
      peer.process().close();
      socket.close();
      return;
    }
    new LoginConnection(connections, socket, peer.process()).open();
  }

  private Future<LoginOutcome> request(AdoptionRequested request) {
    return bus.ask(Queries.ADOPTION_REQUESTED, request, request.deadline().left().plus(SLACK));
  }
}
