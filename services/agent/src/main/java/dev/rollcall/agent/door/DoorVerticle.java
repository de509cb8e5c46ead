package dev.rollcall.agent.door;

import dev.rollcall.agent.door.Containers.Furnished;
import dev.rollcall.agent.event.AdoptionRequested;
import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.DoorAnswer;
import dev.rollcall.agent.event.JobsOffered;
import dev.rollcall.agent.event.Phase;
import dev.rollcall.agent.event.Queries;
import dev.rollcall.agent.event.StageHealth;
import dev.rollcall.agent.event.Topics;
import dev.rollcall.port.JobNamespaces;
import dev.rollcall.port.Jobs;
import dev.rollcall.wire.trace.Tracer;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.internal.ContextInternal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Listens at the door, and practises before it says that it is ready. */
public final class DoorVerticle extends VerticleBase {
  private static final int BACKLOG = 1_024;
  private static final int MOST_SILENT = 256;
  private static final int MOST_UNDER_WAY = 512;
  private static final int PRACTICE_ROUNDS = 300;
  private static final Duration SLACK = Duration.ofSeconds(2);

  private final Bus bus;
  private final Path file;
  private final Peers peers;
  private final Containers containers;
  private final Duration silence;
  private final DoorMeters meters;
  private final Tracer tracer;
  private final RefusedSessions refused;
  private final SilentPeers silent;
  private @Nullable Listener listener;

  /**
   * @param file of the socket, whose directory exists
   * @param inUserNamespaces of sessions of jobs that have one
   * @param workers where namespaces are opened
   * @param silence how long a peer may say nothing
   */
  public DoorVerticle(
      Bus bus,
      Path file,
      Peers peers,
      Jobs jobs,
      UserNamespaceSessions inUserNamespaces,
      WorkerExecutor workers,
      Duration silence,
      MeterRegistry registry,
      Tracer tracer) {
    this.bus = bus;
    this.file = file;
    this.peers = peers;
    this.silence = silence;
    this.meters = new DoorMeters(registry);
    this.tracer = tracer;
    this.refused = new RefusedSessions(bus);
    this.silent = new SilentPeers(MOST_SILENT, meters);
    this.containers = new Containers(jobs, inUserNamespaces, workers, meters);
  }

  @Override
  public Future<?> start() throws IOException {
    if (!vertx.isNativeTransportEnabled()) {
      throw new IOException("the door needs the epoll transport, which could not be loaded");
    }
    SocketFile.makeWay(file);
    return Listener.open(
            (ContextInternal) context,
            file,
            BACKLOG,
            this::enter,
            problem -> meters.fault(Fault.NOT_ACCEPTED, problem))
        .compose(open -> {
          listener = open;
          try {
            SocketFile.permit(file, "rw-------");
          } catch (IOException e) {
            return Future.failedFuture(e);
          }
          return new Practice(vertx, file).rounds(PRACTICE_ROUNDS);
        })
        .onSuccess(_ ->
            bus.tell(
                Topics.HEALTH_CHANGED, new StageHealth("door", true, true, "open at " + file)));
  }

  @Override
  public Future<?> stop() throws IOException {
    Files.deleteIfExists(file);
    if (listener != null) {
      listener.close();
    }
    return Future.succeededFuture();
  }

  private void enter(DoorSocket socket) {
    Peers.Peer peer;
    try {
      peer = peers.of(socket.descriptor());
    } catch (IOException e) {
      meters.fault(Fault.NOT_PINNED, String.valueOf(e.getMessage()));
      socket.close();
      return;
    }
    if (peer.uid() != 0) {
      meters.fault(Fault.NOT_ROOT, "uid " + Integer.toUnsignedString(peer.uid()));
      peer.process().close();
      socket.close();
      return;
    }
    var caller = new DoorSession.Caller(socket, peer.process());
    new DoorSession(vertx, caller, silence, silent, meters, tracer, this::decide).open();
  }

  private Future<Furnished> decide(AdoptionRequested request) {
    if (meters.underWay.get() >= MOST_UNDER_WAY && request.phase() != Phase.CLOSE_SESSION) {
      meters.fault(Fault.BUSY, MOST_UNDER_WAY + " of them");
      DoorAnswer answer = DoorAnswer.failed("too many logins are under way, try again");
      refused.answered(request, answer, answer);
      return Future.succeededFuture(new Furnished(answer, JobNamespaces.NONE));
    }
    meters.underWay.incrementAndGet();
    return bus.ask(Queries.ADOPTION_REQUESTED, request, request.deadline().left().plus(SLACK))
        .compose(response ->
            switch (response) {
              case DoorAnswer answer -> furnish(request, answer);
              case JobsOffered offered ->
                  Future.succeededFuture(new Furnished(offered, JobNamespaces.NONE));
            })
        .onFailure(cause -> refused.undecided(request, String.valueOf(cause.getMessage())))
        .onComplete(_ -> meters.underWay.decrementAndGet());
  }

  private Future<Furnished> furnish(AdoptionRequested request, DoorAnswer answer) {
    return containers
        .furnish(request, answer)
        .onSuccess(given -> {
          if (given.response() instanceof DoorAnswer told) {
            refused.answered(request, answer, told);
          }
        });
  }
}
