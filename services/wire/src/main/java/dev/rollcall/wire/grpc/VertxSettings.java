package dev.rollcall.wire.grpc;

import dev.rollcall.wire.grpc.limit.BoundedTransport;
import dev.rollcall.wire.memory.PeerConnections;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.util.concurrent.EventExecutor;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.internal.VertxInternal;
import java.util.concurrent.TimeUnit;

/** The Vert.x options of all Rollcall processes: the native transport, and no wake-ups at rest. */
public final class VertxSettings {
  private VertxSettings() {}

  /** For the agent and the command: one event loop, and nothing that wakes on its own. */
  public static VertxOptions quiet() {
    return new VertxOptions()
        .setPreferNativeTransport(true)
        .setEventLoopPoolSize(1)
        .setWorkerPoolSize(1)
        .setInternalBlockingPoolSize(1)
        // AnswerWatch does that, without a timer.
        .setBlockedThreadCheckInterval(365)
        .setBlockedThreadCheckIntervalUnit(TimeUnit.DAYS)
        .setFileSystemOptions(files());
  }

  /** For the gateway: an event loop per core. */
  public static VertxOptions busy() {
    return new VertxOptions()
        .setPreferNativeTransport(true)
        .setEventLoopPoolSize(Runtime.getRuntime().availableProcessors())
        .setFileSystemOptions(files());
  }

  private static FileSystemOptions files() {
    return new FileSystemOptions().setClassPathResolvingEnabled(false).setFileCachingEnabled(false);
  }

  /**
   * @throws IllegalStateException naming the cause, where the native transport cannot be used:
   *     without it no peer on a unix socket is known
   */
  public static Vertx start(VertxOptions options) {
    return start(Vertx.builder().with(options));
  }

  /** The same, for a builder with more than options: metrics. */
  public static Vertx start(VertxBuilder builder) {
    Vertx vertx = builder.withTransport(new BoundedTransport()).build();
    if (!vertx.isNativeTransportEnabled()) {
      Throwable cause = vertx.unavailableNativeTransportCause();
      vertx.close();
      throw new IllegalStateException(unavailable(cause), cause);
    }
    parkTimers((VertxInternal) vertx);
    return vertx;
  }

  /**
   * Netty unpacks its library before it loads it: where that fails, the directory is the reason.
   */
  static String unavailable(Throwable cause) {
    Throwable first = cause;
    while (first.getCause() != null) {
      first = first.getCause();
    }
    String directory =
        System.getProperty("io.netty.native.workdir", System.getProperty("java.io.tmpdir"));
    return "netty's native library cannot be loaded: "
        + String.valueOf(first.getMessage()).lines().findFirst().orElse("")
        + ". It is unpacked in "
        + directory
        + ", which must be writable and not mounted noexec; -Dio.netty.native.workdir sets"
        + " another directory";
  }

  /**
   * Counts the connections to servers of this Vert.x that were ended because they sent HTTP/2
   * frames that ask for nothing, as {@code rollcall.peer.frames.ended}, and the TLS handshakes that
   * failed, as {@code rollcall.peer.handshakes.failed}.
   */
  public static void countEnded(Vertx vertx, MeterRegistry registry) {
    var transport = (BoundedTransport.Epoll) ((VertxInternal) vertx).transport();
    FunctionCounter.builder(
            "rollcall.peer.frames.ended", transport, BoundedTransport.Epoll::endedForFrames)
        .register(registry);
    FunctionCounter.builder(
            "rollcall.peer.handshakes.failed", transport, BoundedTransport.Epoll::failedHandshakes)
        .register(registry);
  }

  /** Adds each connection that servers of this Vert.x accept from now on to these. */
  public static void addConnections(Vertx vertx, PeerConnections to) {
    ((BoundedTransport.Epoll) ((VertxInternal) vertx).transport()).addTo(to);
  }

  /** An event loop without any timer wakes once a second; one that is far away lets it sleep. */
  private static void parkTimers(VertxInternal vertx) {
    for (EventExecutor loop : vertx.acceptorEventLoopGroup()) {
      park(loop);
    }
    for (EventExecutor loop : vertx.nettyEventLoopGroup()) {
      park(loop);
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // It runs as long as its loop.
  private static void park(EventExecutor loop) {
    loop.scheduleAtFixedRate(() -> {}, 1, 1, TimeUnit.HOURS);
  }
}
