package dev.rollcall.wire.grpc;

import io.vertx.core.net.TCPSSLOptions;
import java.time.Duration;

/**
 * Has the kernel close a TCP connection whose other machine is gone: without power, or without a
 * network. The kernels of both machines do this alone and wake no process (tcp(7)).
 */
final class PeerMachine {
  /** After this time without a segment the kernel sends an empty one: TCP_KEEPIDLE. */
  static final Duration SILENT = Duration.ofSeconds(10);

  /** Until the next one, if it was not acknowledged: TCP_KEEPINTVL. */
  static final Duration BETWEEN_PROBES = Duration.ofSeconds(5);

  /**
   * How long sent bytes, or the other machine since its last segment, may stay silent:
   * TCP_USER_TIMEOUT. It replaces the number of probes, and leaves time for two.
   */
  static final Duration GONE = Duration.ofSeconds(20);

  private PeerMachine() {}

  static void watch(TCPSSLOptions options) {
    options
        .setTcpUserTimeout((int) GONE.toMillis())
        .setTcpKeepAlive(true)
        .setTcpKeepAliveIdleSeconds((int) SILENT.toSeconds())
        .setTcpKeepAliveIntervalSeconds((int) BETWEEN_PROBES.toSeconds());
  }
}
